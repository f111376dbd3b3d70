// What holds for every op stream.
#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "support.hpp"

namespace timerbench::workloads {
namespace {

/// Walks through a stream and checks what op_stream.hpp promises of each operation. Whether a job
/// is pending, a scheduler tells: it is the reference's, not the builder's, opinion.
void check_valid(const OpStream& stream) {
  KeyedScheduler<ScanList<>> scheduler({.tick = stream.tick, .start = stream.start}, 0);
  std::vector<bool> pending(stream.jobs);
  Time now = stream.start;
  std::uint64_t faults = 0;
  std::uint64_t peak = 0;
  for (const auto* part : {&stream.preload, &stream.ops}) {
    for (const Op& op : *part) {
      if (op.job >= stream.jobs && op.kind != OpKind::kAdvance && op.kind != OpKind::kNext) {
        FAIL("a job number beyond the stream's jobs");
      }
      switch (op.kind) {
        case OpKind::kSchedule:
        case OpKind::kReschedule:
          faults += static_cast<std::uint64_t>(pending[op.job] != (op.kind == OpKind::kReschedule));
          scheduler.schedule(op.job, op.time);
          pending[op.job] = true;
          break;
        case OpKind::kCancel:
          faults += static_cast<std::uint64_t>(!pending[op.job] || op.time != 0);
          scheduler.cancel(op.job);
          pending[op.job] = false;
          break;
        case OpKind::kAdvance:
          faults += static_cast<std::uint64_t>(op.time < now || op.job != 0);
          now = op.time;
          for (const JobId id : scheduler.advance(now)) pending[id] = false;
          break;
        case OpKind::kNext:
          faults += static_cast<std::uint64_t>(op.time != 0 || op.job != 0);
          break;
      }
      peak = std::max<std::uint64_t>(peak, scheduler.pending());
    }
  }
  CHECK(faults == 0);
  CHECK(peak == stream.pending_peak);
}

TEST_CASE("streams hold valid operations, and a replay gives the outcome they promise") {
  for (const std::string& workload : workloads_to_test()) {
    for (const std::uint64_t population : {1u, 2u, 60u}) {
      INFO(workload << " N=" << population);
      const OpStream stream = make(workload, population, 2'000);
      // Replays of traces by a list are slow, and all populations are the same to them.
      if (parse_workload(workload).workload->kind == WorkloadKind::kTrace && population > 1)
        continue;
      CHECK(stream.workload == parse_workload(workload).name);
      Reference reference(stream);
      CHECK((reference.replay(stream.preload) == stream.preload_outcome));
      CHECK(reference.pending() == stream.pending_before);
      CHECK((reference.replay(stream.ops) == stream.outcome));
      CHECK(reference.pending() == stream.pending_after);
      check_valid(stream);
    }
  }
}

/// It starts and ends with nothing pending: N is its peak.
bool is_steady(const WorkloadSpec& spec) { return spec.workload->name != "fill_and_drain"; }

/// Steps longer than many delays: each holds many operations, and the population depends on where
/// in a step one looks.
bool has_long_steps(const std::string& workload) {
  return workload == "retry_fixed{step=7s}" || workload == "cache_ttl{overwrite=0.9,step=1h}";
}

TEST_CASE("a stream has the operations that were asked for, and not many more") {
  for (const std::string& workload : workloads_to_test()) {
    const WorkloadKind kind = parse_workload(workload).workload->kind;
    if (kind != WorkloadKind::kSynthetic && kind != WorkloadKind::kSweep) continue;
    if (has_long_steps(workload)) continue;
    for (const std::uint64_t population : {1u, 100u, 1'000u}) {
      INFO(workload << " N=" << population);
      const std::uint64_t operations = make(workload, population, 10'000).outcome.operations();
      CHECK(operations >= 10'000);
      // A step may fire all of the population, and schedule it again.
      CHECK(operations <= 10'100 + 4 * population);
    }
  }
}

TEST_CASE("the population is N at the start of what is timed, and about N at its end") {
  constexpr std::uint64_t kPopulation = 20'000;
  for (const std::string& workload : workloads_to_test()) {
    const WorkloadKind kind = parse_workload(workload).workload->kind;
    if (kind != WorkloadKind::kSynthetic && kind != WorkloadKind::kSweep) continue;
    if (has_long_steps(workload) || !is_steady(parse_workload(workload))) continue;
    // Here a herd of a fifth of N comes at once, and one by one all are cancelled.
    if (workload == "retry_fixed{cancel=1,step=100}") continue;
    INFO(workload);
    const OpStream stream = make(workload, kPopulation, 200'000);
    CHECK(stream.population == kPopulation);
    CHECK(stream.pending_before == kPopulation);
    const double change =
        static_cast<double>(stream.pending_after) - static_cast<double>(kPopulation);
    CHECK(std::fabs(change) < 0.03 * static_cast<double>(kPopulation));
    CHECK(stream.jobs < 1.5 * static_cast<double>(kPopulation));
  }
}

TEST_CASE("few jobs with long delays do not make streams of empty advances") {
  for (const Workload& workload : all_workloads()) {
    // The hold model's clock goes tick by tick, as a simulator's does.
    if (workload.kind != WorkloadKind::kSynthetic || workload.name == "hold_exponential") continue;
    INFO(workload.name);
    const Outcome outcome = make(workload.name, 100, 20'000).outcome;
    CHECK(static_cast<double>(outcome.advances) < 0.55 * static_cast<double>(outcome.operations()));
  }
}

TEST_CASE("an operation's workload times that operation alone") {
  struct Case {
    std::string_view workload;
    std::vector<OpKind> kinds;
    std::uint64_t before;
    std::uint64_t after;
  };
  for (const Case& one : {
           Case{"only_schedule", {OpKind::kSchedule}, 75, 125},
           Case{"only_cancel", {OpKind::kCancel}, 125, 75},
           Case{"only_cancel{sequential=1}", {OpKind::kCancel}, 125, 75},
           Case{"only_reschedule", {OpKind::kReschedule}, 100, 100},
           Case{"only_advance", {OpKind::kAdvance}, 100, 0},
           Case{"only_next", {OpKind::kReschedule, OpKind::kNext}, 100, 100},
           Case{"cold_start", {OpKind::kSchedule}, 0, 100},
       }) {
    INFO(one.workload);
    const OpStream stream = make(one.workload, 100, 2'000);
    CHECK(std::all_of(stream.ops.begin(), stream.ops.end(), [&](const Op& op) {
      return std::find(one.kinds.begin(), one.kinds.end(), op.kind) != one.kinds.end();
    }));
    CHECK(stream.outcome.cancel_misses == 0);
    CHECK(stream.pending_before == one.before);
    CHECK(stream.pending_after == one.after);
  }
}

TEST_CASE("shuffled cancels are shuffled, and sequential ones are not") {
  const auto descents = [](const OpStream& stream) {
    int count = 0;
    for (std::size_t i = 1; i < stream.ops.size(); ++i) {
      count += static_cast<int>(stream.ops[i].job < stream.ops[i - 1].job);
    }
    return count;
  };
  CHECK(descents(make("only_cancel", 1'000, 1)) > 200);
  CHECK(descents(make("only_cancel{sequential=1}", 1'000, 1)) == 0);
}

TEST_CASE("a far time is built without overflow") {
  // A hundred years at a year's horizon, in steps of an hour, and a line of jobs 5 * 10^13 ticks
  // long.
  CHECK(make("far_horizon{step=1h}", 2, 50'000).ops.back().time > 0);
  CHECK(make("empty_ticks{gap=1G}", 50'000, 1'000).outcome.fired > 300);
}

}  // namespace
}  // namespace timerbench::workloads
