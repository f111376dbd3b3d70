#include "measure.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <map>

namespace timerbench::bench {

using workloads::OpStream;
using workloads::Outcome;

bool same_work(const Outcome& expected, const Outcome& got, bool exact_next_expiry) {
  Outcome comparable = got;
  if (!exact_next_expiry) comparable.next_checksum = expected.next_checksum;
  return comparable == expected;
}

std::string difference(const Outcome& expected, const Outcome& got) {
  const auto differs = [](std::string_view what, std::uint64_t should, std::uint64_t is) {
    return std::string(what) + ": " + std::to_string(is) + ", expected " + std::to_string(should);
  };
  if (got.fired != expected.fired) return differs("fired jobs", expected.fired, got.fired);
  if (got.schedules != expected.schedules)
    return differs("added jobs", expected.schedules, got.schedules);
  if (got.reschedules != expected.reschedules) {
    return differs("re-armed jobs", expected.reschedules, got.reschedules);
  }
  if (got.cancel_hits != expected.cancel_hits) {
    return differs("cancelled jobs", expected.cancel_hits, got.cancel_hits);
  }
  if (got.fired_checksum != expected.fired_checksum) {
    return differs("checksum of the fired jobs", expected.fired_checksum, got.fired_checksum);
  }
  return differs("checksum of next_expiry's answers", expected.next_checksum, got.next_checksum);
}

/// A row on its stream, and how it will be timed.
struct Measurement::Row {
  const RowSpec* spec = nullptr;
  const OpStream* stream = nullptr;
  std::string name;
  int replays = 1;  ///< Replays a repetition.

  const Subject& subject() const { return subject_of(spec->scheduler.family->info.name); }
  Request request(bool cold) const {
    return {*stream, spec->level, spec->scheduler.parameter, cold};
  }
  bool is_floor() const { return spec->scheduler.family->info.role == Role::kFloor; }
  bool did_the_work(const Outcome& outcome) const {
    return is_floor() || same_work(stream->outcome, outcome,
                                   spec->scheduler.family->capabilities.exact_next_expiry);
  }
};

namespace {

/// Google Benchmark before 1.8 says error_occurred, later versions say skipped.
template <class Run>
auto error_of(const Run& run, int) -> decltype(run.error_occurred) {
  return run.error_occurred;
}
template <class Run>
bool error_of(const Run& run, long) {
  return static_cast<bool>(run.skipped);
}

template <class Run>
auto message_of(const Run& run, int) -> decltype(run.error_message) {
  return run.error_message;
}
template <class Run>
auto message_of(const Run& run, long) -> decltype(run.skip_message) {
  return run.skip_message;
}

constexpr const char* kInterrupted = "interrupted";

/// Takes Google Benchmark's runs as they come, in its own JSON's keys.
class Collector : public benchmark::BenchmarkReporter {
 public:
  struct Target {
    Json keys;   ///< What goes before Google Benchmark's own keys,
    Json after;  ///< and what goes behind them.
  };

  Collector(const std::map<std::string, Target>& targets, Results& results)
      : targets_(targets), results_(results) {}

  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) add(run);
  }

 private:
  void add(const Run& run) {
    const std::string name = run.run_name.function_name;
    const Target& target = targets_.at(name);
    const bool is_aggregate = run.run_type == Run::RT_Aggregate;
    Json entry{{"name", is_aggregate ? name + "_" + run.aggregate_name : name},
               {"run_name", name},
               {"run_type", is_aggregate ? "aggregate" : "iteration"},
               {"family_index", run.family_index},
               {"per_family_instance_index", run.per_family_instance_index},
               {"repetitions", run.repetitions}};
    if (is_aggregate) {
      entry["aggregate_name"] = run.aggregate_name;
      entry["aggregate_unit"] =
          run.aggregate_unit == benchmark::kPercentage ? "percentage" : "time";
    } else {
      entry["repetition_index"] = run.repetition_index;
    }
    entry["threads"] = run.threads;
    if (error_of(run, 0)) {
      if (message_of(run, 0) == kInterrupted) return;
      entry["error_occurred"] = true;
      entry["error_message"] = message_of(run, 0);
    } else {
      entry["iterations"] = run.iterations;
      const bool is_ratio = is_aggregate && run.aggregate_unit == benchmark::kPercentage;
      entry["real_time"] = is_ratio ? run.real_accumulated_time : run.GetAdjustedRealTime();
      entry["cpu_time"] = is_ratio ? run.cpu_accumulated_time : run.GetAdjustedCPUTime();
      entry["time_unit"] = "ns";
    }
    for (const auto& [key, value] : target.keys.items()) entry[key] = value;
    for (const auto& [key, value] : target.after.items()) entry[key] = value;
    results_.benchmarks.push_back(std::move(entry));
  }

  const std::map<std::string, Target>& targets_;
  Results& results_;
};

Json outcome_keys(const Outcome& outcome) {
  return {{"operations", outcome.operations()},
          {"fired", outcome.fired},
          {"cancelled", outcome.cancel_hits},
          {"rescheduled", outcome.reschedules}};
}

/// The points of the percentile curve: every "nine" in ten steps.
std::vector<double> curve_percentiles() {
  std::vector<double> points;
  double remaining = 100;
  while (remaining > 0.0005) {
    for (int step = 0; step < 9; ++step) points.push_back(100 - remaining + remaining * step / 10);
    remaining /= 10;
  }
  points.push_back(100);
  return points;
}

/// What reading the clock costs: the least of many readings back to back.
std::uint64_t clock_cost_ns() {
  static const std::uint64_t cost = [] {
    std::int64_t least = 1'000'000;
    for (int i = 0; i < 1000; ++i) {
      const auto before = std::chrono::steady_clock::now();
      const auto after = std::chrono::steady_clock::now();
      least = std::min<std::int64_t>(
          least, std::chrono::duration_cast<std::chrono::nanoseconds>(after - before).count());
    }
    return static_cast<std::uint64_t>(std::max<std::int64_t>(least, 0));
  }();
  return cost;
}

Json latency_entry(const Histogram& histogram) {
  Json curve = Json::array();
  // No percentile beyond what the number of advances can tell apart.
  const double finest =
      100.0 - 100.0 / static_cast<double>(std::max<std::uint64_t>(histogram.total(), 1));
  for (const double percentile : curve_percentiles()) {
    if (percentile > finest && percentile < 100) continue;
    curve.push_back({percentile, histogram.percentile(percentile)});
  }
  return {{"advances", histogram.total()},      {"mean_ns", histogram.mean()},
          {"p50_ns", histogram.percentile(50)}, {"p90_ns", histogram.percentile(90)},
          {"p99_ns", histogram.percentile(99)}, {"p99_9_ns", histogram.percentile(99.9)},
          {"max_ns", histogram.max()},          {"clock_ns", clock_cost_ns()},
          {"percentiles", std::move(curve)}};
}

Json joined(Json first, const Json& second) {
  first.update(second);
  return first;
}

}  // namespace

void Measurement::run(const std::function<void(std::size_t)>& after_group) {
  for (std::size_t index = 0; index < plan_.groups.size(); ++index) {
    if (interrupted_) return;
    run_group(plan_.groups[index]);
    after_group(index);
  }
}

void Measurement::run_group(const Group& group) {
  const OpStream stream = group.workload.make(group.population, plan_.seed, group.min_ops);
  if (group.memory) weigh(group, stream);
  if (!group.times) return;

  std::vector<Row> rows;
  for (const RowSpec& spec : group.rows) {
    if (interrupted_) return;
    Row row{.spec = &spec, .stream = &stream, .name = row_name(group, spec, stream.population)};
    if (verify(group, row)) rows.push_back(row);
  }
  time_rows(group, rows);
  if (group.work) {
    for (const Row& row : rows) {
      if (interrupted_) return;
      // The counters are the queue's: the id level would count the same.
      if (row.spec->level == Level::kHandle && row.spec->role() == "scheduler")
        count_work(group, row);
    }
  }
}

void Measurement::replay_once(const std::function<void(const Json&, std::uint64_t)>& after_row) {
  for (const Group& group : plan_.groups) {
    if (!group.times) continue;
    const OpStream stream = group.workload.make(group.population, plan_.seed, group.min_ops);
    for (const RowSpec& spec : group.rows) {
      if (interrupted_) return;
      const Row row{
          .spec = &spec, .stream = &stream, .name = row_name(group, spec, stream.population)};
      if (walks_too_far(group, row)) continue;
      const Outcome outcome = row.subject().timed(row.request(group.cold())).outcome;
      if (row.did_the_work(outcome)) {
        after_row(row_keys(group, spec, stream.population), stream.outcome.operations());
      } else {
        fail(group, row, difference(stream.outcome, outcome));
      }
    }
  }
}

/// The budget is looked at between operations; a walk over 10^12 ticks would be one of them.
bool Measurement::walks_too_far(const Group& group, const Row& row) {
  constexpr double kTicksPerSecond = 2e9;  // More than any walk does.
  const double budget = group.row_budget_seconds / plan_.repetitions;
  const std::uint64_t ticks = workloads::ticks_crossed(*row.stream);
  if (!row.spec->scheduler.family->info.steps_every_tick ||
      static_cast<double>(ticks) <= budget * kTicksPerSecond) {
    return false;
  }
  results_.skipped.push_back(joined(
      row_keys(group, *row.spec, row.stream->population),
      {{"reason", "it walks over every tick, and the stream crosses " + std::to_string(ticks)}}));
  return true;
}

/// The latency pass, which also proves that the row did the reference's work and tells how long a
/// replay takes. Only what passes is timed.
bool Measurement::verify(const Group& group, Row& row) {
  if (walks_too_far(group, row)) return false;
  const double budget = group.row_budget_seconds / plan_.repetitions;
  const Json keys = row_keys(group, *row.spec, row.stream->population);
  const auto replay = row.subject().latency(row.request(group.cold()), budget);
  if (!replay) {
    const auto milliseconds = static_cast<int>(budget * 1000);
    results_.skipped.push_back(joined(
        keys, {{"reason", "one replay takes more than " + std::to_string(milliseconds) +
                              " ms, which is what the " + std::string(name_of(plan_.profile)) +
                              " profile spends on one"}}));
    return false;
  }
  if (!row.did_the_work(replay->outcome)) {
    fail(group, row, difference(row.stream->outcome, replay->outcome));
    return false;
  }
  if (group.latency && !row.spec->repeat && row.spec->level == Level::kHandle) {
    results_.latency.push_back(joined(keys, latency_entry(replay->advance_ns)));
  }
  // Clock readings make the pass slower than a timed replay; the number of replays need not be
  // exact.
  row.replays = std::max(1, static_cast<int>(std::ceil(plan_.min_repetition_seconds /
                                                       std::max(replay->seconds, 1e-6))));
  return true;
}

void Measurement::fail(const Group& group, const Row& row, const std::string& message) {
  ++results_.failed_rows;
  results_.benchmarks.push_back(joined({{"name", row.name},
                                        {"run_name", row.name},
                                        {"run_type", "iteration"},
                                        {"repetitions", plan_.repetitions},
                                        {"repetition_index", 0},
                                        {"threads", 1},
                                        {"error_occurred", true},
                                        {"error_message", message}},
                                       row_keys(group, *row.spec, row.stream->population)));
}

void Measurement::count_work(const Group& group, const Row& row) {
  const WorkReplay replay = row.subject().work(row.request(group.cold()));
  results_.work.push_back(joined(row_keys(group, *row.spec, row.stream->population),
                                 {{"operations", replay.outcome.operations()},
                                  {"slots_visited", replay.work.slots_visited},
                                  {"jobs_moved", replay.work.jobs_moved},
                                  {"jobs_visited", replay.work.jobs_visited},
                                  {"comparisons", replay.work.comparisons},
                                  {"allocations", replay.allocations},
                                  {"batches", replay.batches.batches},
                                  {"batches_sorted", replay.batches.sorted},
                                  {"fired", replay.outcome.fired}}));
}

void Measurement::weigh(const Group& group, const OpStream& stream) {
  for (const RowSpec& spec : group.rows) {
    if (interrupted_) return;
    const Row row{.spec = &spec, .stream = &stream, .name = {}};
    const MemoryReplay memory = row.subject().memory(row.request(false));
    const auto jobs = static_cast<double>(stream.pending_after);
    const auto per_job = [&](std::int64_t bytes) {
      return static_cast<double>(bytes - memory.empty_bytes) / jobs;
    };
    Json entry = joined(row_keys(group, spec, stream.population),
                        {{"bytes_per_job", per_job(memory.loaded_bytes)},
                         {"empty_bytes", memory.empty_bytes},
                         {"residue_bytes_per_job", per_job(memory.residue_bytes)}});
    constexpr std::uint64_t kJobsWorthPages = 100'000;
    // Not above zero where the kernel took other pages of the process away meanwhile.
    if (stream.pending_after >= kJobsWorthPages && memory.resident_bytes > 0) {
      entry["resident_bytes_per_job"] = static_cast<double>(memory.resident_bytes) / jobs;
    }
    results_.memory.push_back(std::move(entry));
  }
}

/// Hands the rows to Google Benchmark, which shuffles their repetitions. A benchmark's iteration is
/// one operation that took effect; a batch of them is one replay of the whole stream.
void Measurement::time_rows(const Group& group, const std::vector<Row>& rows) {
  std::map<std::string, Collector::Target> targets;
  for (const Row& row : rows) {
    targets[row.name] = {row_keys(group, *row.spec, row.stream->population),
                         outcome_keys(row.stream->outcome)};
    const auto operations =
        static_cast<benchmark::IterationCount>(row.stream->outcome.operations());
    const auto body = [this, &row, &group, operations](benchmark::State& state) {
      while (state.KeepRunningBatch(operations)) {
        if (interrupted_) {
          state.SkipWithError(kInterrupted);
          break;
        }
        const TimedReplay replay = row.subject().timed(row.request(group.cold()));
        if (!row.did_the_work(replay.outcome)) {
          state.SkipWithError(difference(row.stream->outcome, replay.outcome).c_str());
          break;
        }
        state.SetIterationTime(replay.seconds);
      }
    };
    benchmark::RegisterBenchmark(row.name.c_str(), body)
        ->UseManualTime()
        ->Unit(benchmark::kNanosecond)
        ->Iterations(operations * row.replays)
        ->Repetitions(plan_.repetitions);
  }
  if (rows.empty()) return;
  const std::size_t first_new = results_.benchmarks.size();
  Collector collector(targets, results_);
  benchmark::RunSpecifiedBenchmarks(&collector);
  benchmark::ClearRegisteredBenchmarks();

  // A row whose checksum was right once and wrong later failed, all of it.
  for (std::size_t i = first_new; i < results_.benchmarks.size(); ++i) {
    if (results_.benchmarks[i].contains("error_occurred")) ++results_.failed_rows;
  }
}

}  // namespace timerbench::bench
