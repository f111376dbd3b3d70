// A number is shown only if its row did the reference's work.
#include "measure.hpp"

#include <benchmark/benchmark.h>

#include <thread>

#include "allocations.hpp"
#include "catch.hpp"
#include "subject_passes.hpp"
#include "timerbench/schedulers/hierarchical_wheel.hpp"

using namespace timerbench;
using namespace timerbench::bench;
using workloads::OpStream;
using workloads::Outcome;

namespace {

OpStream small_stream(const std::string& workload, std::uint64_t population = 200) {
  return workloads::parse_workload(workload).make(population, 1, 2000);
}

/// A plan of one group; `make` may doctor the stream.
struct OneGroup {
  OneGroup(const std::string& schedulers, workloads::Workload custom) : workload(custom) {
    group.workload = {.workload = &workload, .name = std::string(workload.name), .parameters = {}};
    group.population = 100;
    group.min_ops = 1000;
    for (const SchedulerSpec& spec : parse_specs(schedulers))
      group.rows.push_back({spec, Level::kHandle});
    plan.repetitions = 2;
    group.row_budget_seconds = 10;
    plan.groups = {group};
  }

  Results run() {
    Results results;
    const std::atomic<bool> interrupted{false};
    Measurement(plan, results, interrupted).run([](std::size_t) {});
    return results;
  }

  workloads::Workload workload;
  Group group;
  Plan plan;
};

OpStream honest(const workloads::WorkloadRequest&) { return small_stream("hold_exponential"); }

/// A stream whose reference fired something else: every scheduler is "wrong" on it.
OpStream doctored(const workloads::WorkloadRequest&) {
  OpStream stream = small_stream("hold_exponential");
  ++stream.outcome.fired_checksum;
  return stream;
}

workloads::Workload workload_of(OpStream (*make)(const workloads::WorkloadRequest&)) {
  return {.name = "custom",
          .summary = "",
          .kind = workloads::WorkloadKind::kSynthetic,
          .parameters = {},
          .make = make};
}

}  // namespace

TEST_CASE("every scheduler does the reference's work at both levels, on every pass") {
  for (const char* workload : {"rpc_timeouts", "hold_exponential", "sparse"}) {
    const OpStream stream = small_stream(workload);
    const std::uint64_t ticks = workloads::ticks_crossed(stream);
    for (const SchedulerSpec& spec :
         parse_specs("all,hashed_wheel/3,hierarchical_wheel/7,binary_heap/2")) {
      if (spec.family->info.steps_every_tick && ticks > 10'000'000)
        continue;  // It would take minutes.
      for (const Level level : {Level::kHandle, Level::kId}) {
        INFO(workload << " " << spec.name() << " " << name_of(level));
        const Subject& subject = subject_of(spec.family->info.name);
        const Request request{stream, level, spec.parameter};
        const auto latency = subject.latency(request, 60);
        REQUIRE(latency.has_value());
        CHECK(latency->outcome == stream.outcome);
        CHECK(latency->advance_ns.total() == stream.outcome.advances);
        CHECK(subject.timed(request).outcome == stream.outcome);
        CHECK(subject.work(request).outcome == stream.outcome);
      }
    }
  }
}

TEST_CASE("the floor does not do the work, which is why it is not ranked") {
  const OpStream stream = small_stream("hold_exponential");
  CHECK(subject_of("null_floor").timed({stream, Level::kHandle, 0}).outcome != stream.outcome);
}

TEST_CASE("a row with another checksum FAILED and has no time") {
  OneGroup one("hierarchical_wheel,scan_list", workload_of(doctored));
  const Results results = one.run();
  CHECK(results.failed_rows == 2);
  REQUIRE(results.benchmarks.size() == 2);
  for (const Json& entry : results.benchmarks) {
    CHECK(entry.at("error_occurred") == true);
    CHECK(entry.at("error_message").get<std::string>().find("checksum of the fired jobs") == 0);
    CHECK_FALSE(entry.contains("real_time"));
  }
  CHECK(results.latency.empty());
  CHECK(results.work.empty());
}

TEST_CASE("an honest group has an entry for each repetition and the aggregates") {
  OneGroup one("hierarchical_wheel,null_floor", workload_of(honest));
  const Results results = one.run();
  CHECK(results.failed_rows == 0);
  int iterations = 0;
  int medians = 0;
  for (const Json& entry : results.benchmarks) {
    iterations += entry.at("run_type") == "iteration";
    medians += entry.value("aggregate_name", "") == "median";
    CHECK(entry.at("time_unit") == "ns");
    CHECK(entry.at("real_time").get<double>() > 0);
    CHECK(entry.at("operations") == small_stream("hold_exponential").outcome.operations());
  }
  CHECK(iterations == 4);
  CHECK(medians == 2);
  CHECK(results.latency.size() == 2);
  CHECK(results.work.size() == 1);  // The floor's work is none.
}

TEST_CASE("a row that would take too long is skipped with the reason") {
  OneGroup one("scan_list", workload_of(honest));
  one.plan.groups[0].row_budget_seconds = 1e-9;
  const Results results = one.run();
  CHECK(results.benchmarks.empty());
  REQUIRE(results.skipped.size() == 1);
  CHECK(results.skipped[0].at("reason").get<std::string>().find("one replay takes more than") == 0);
}

TEST_CASE("an interrupted run begins nothing and leaves what it has") {
  OneGroup one("scan_list", workload_of(honest));
  Results results;
  const std::atomic<bool> interrupted{true};
  Measurement(one.plan, results, interrupted).run([](std::size_t) {});
  CHECK(results.benchmarks.empty());
  CHECK(results.failed_rows == 0);
}

TEST_CASE("a difference in any part of the outcome is another work") {
  const Outcome expected{.schedules = 1, .reschedules = 2, .cancel_hits = 3, .fired = 4};
  CHECK(same_work(expected, expected, true));
  const auto differs = [&](auto change) {
    Outcome got = expected;
    change(got);
    return !same_work(expected, got, true) && !difference(expected, got).empty();
  };
  CHECK(differs([](Outcome& got) { ++got.schedules; }));
  CHECK(differs([](Outcome& got) { ++got.reschedules; }));
  CHECK(differs([](Outcome& got) { ++got.cancel_hits; }));
  CHECK(differs([](Outcome& got) { ++got.fired; }));
  CHECK(differs([](Outcome& got) { ++got.fired_checksum; }));
  CHECK(differs([](Outcome& got) { ++got.next_checksum; }));

  Outcome bound = expected;
  ++bound.next_checksum;
  CHECK(same_work(expected, bound, false));  // A lower bound need not be the truth.
}

TEST_CASE("the checksum notices another order and another time") {
  Outcome one;
  one.add_fired(1, 10);
  one.add_fired(2, 10);
  Outcome swapped;
  swapped.add_fired(2, 10);
  swapped.add_fired(1, 10);
  Outcome later;
  later.add_fired(1, 10);
  later.add_fired(2, 11);
  CHECK(one != swapped);
  CHECK(one != later);
}

TEST_CASE("the deterministic counters are the same in every replay") {
  const OpStream stream = small_stream("cache_ttl");
  for (const SchedulerSpec& spec : parse_specs("all")) {
    INFO(spec.name());
    const Request request{stream, Level::kHandle, spec.parameter};
    const Subject& subject = subject_of(spec.family->info.name);
    const WorkReplay first = subject.work(request);
    const WorkReplay second = subject.work(request);
    CHECK(first.work.slots_visited == second.work.slots_visited);
    CHECK(first.work.jobs_moved == second.work.jobs_moved);
    CHECK(first.work.jobs_visited == second.work.jobs_visited);
    CHECK(first.work.comparisons == second.work.comparisons);
    CHECK(first.batches.sorted == second.batches.sorted);
  }
}

namespace {
/// A wheel that stops for two milliseconds at every 500th advance.
class StallingLevel : public HandleLevel<HierarchicalWheel<>> {
 public:
  using HandleLevel::HandleLevel;

  template <class OnFired>
  void advance(Time now, OnFired on_fired) {
    if (++advances_ % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    HandleLevel::advance(now, on_fired);
  }

 private:
  int advances_ = 0;
};
}  // namespace

TEST_CASE(
    "an injected stall shows in p99.9 and the maximum of the latency pass, not in the median") {
  const OpStream stream = workloads::parse_workload("hold_exponential").make(1000, 1, 20'000);
  REQUIRE(stream.outcome.advances > 2000);
  const auto latency = latency_pass<StallingLevel>({stream, Level::kHandle, 256}, 60);
  REQUIRE(latency.has_value());
  CHECK(latency->advance_ns.percentile(50) < 1'000'000);
  CHECK(latency->advance_ns.percentile(99.9) >= 2'000'000);
  CHECK(latency->advance_ns.max() >= 2'000'000);
}

TEST_CASE("memory: what is loaded is weighed, what cancelling leaves is told") {
  const OpStream stream = workloads::parse_workload("cold_start").make(20'000, 1, 1);
  REQUIRE(stream.pending_after == 20'000);
  for (const SchedulerSpec& spec : parse_specs("all")) {
    INFO(spec.name());
    const MemoryReplay memory =
        subject_of(spec.family->info.name).memory({stream, Level::kHandle, spec.parameter});
    const auto per_job = static_cast<double>(memory.loaded_bytes - memory.empty_bytes) / 20'000;
    CHECK(per_job >= 24);  // A node's deadline, sequence, state and hook.
    CHECK(per_job <= 200);
    CHECK(memory.residue_bytes <= memory.loaded_bytes + 1024);
    CHECK(memory.residue_bytes >= 0);
  }
}

TEST_CASE("allocations are counted") {
  const AllocationCounts before = allocation_counts();
  void* block =
      ::operator new(10'000);  // A call, which a compiler may not leave out as it may a new.
  const AllocationCounts during = allocation_counts();
  ::operator delete(block);
  CHECK(during.allocations == before.allocations + 1);
  CHECK(during.bytes_held >= before.bytes_held + 10'000);
  CHECK(allocation_counts().bytes_held == before.bytes_held);
}

TEST_CASE("replaying once visits each row once, times nothing and still tells wrong work") {
  const auto once = [](OneGroup one) {
    Results results;
    const std::atomic<bool> interrupted{false};
    std::vector<std::string> rows;
    Measurement(one.plan, results, interrupted)
        .replay_once([&](const Json& keys, std::uint64_t operations) {
          CHECK(operations == honest({}).outcome.operations());
          rows.push_back(keys.at("scheduler"));
        });
    return std::pair(rows, results.failed_rows);
  };
  const std::vector<std::string> both{"indexed_heap/4", "scan_list"};
  CHECK(once({"indexed_heap,scan_list", workload_of(honest)}) == std::pair(both, 0));
  CHECK(once({"indexed_heap,scan_list", workload_of(doctored)}) ==
        std::pair(std::vector<std::string>(), 2));
}
