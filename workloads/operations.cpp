// One kind of operation alone, to see what it costs at a population of N.
//
// What a row times must be nothing but its operation, so the population may not be refilled
// meanwhile: filling and draining rows therefore move it by N/4 to either side of N, and end. All
// deadlines are uniform over a minute of 1 ms ticks, unless the parameter says otherwise.
#include <algorithm>
#include <numeric>

#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

constexpr double kMinute = 60'000;  // ms

constexpr WorkloadParameter kHorizon{
    "horizon",
    kMinute,
    1,
    1e15,
    "the farthest deadline, in ms (ticks); all up to it are as likely",
    ParameterUnit::kMilliseconds};
constexpr WorkloadParameter kSequential{
    "sequential", 0, 0, 1, "1: jobs in the order of their numbers instead of shuffled"};

constexpr WorkloadParameter kHorizonOnly[] = {kHorizon};
constexpr WorkloadParameter kHorizonAndOrder[] = {kHorizon, kSequential};
constexpr WorkloadParameter kHorizonAndBatch[] = {
    kHorizon,
    {"batch", 10, 0.001, 1e6, "jobs that an advance fires, on average", ParameterUnit::kCount}};

/// Jobs 0 ... count - 1 for deadlines from 1 to the horizon.
class Filled {
 public:
  explicit Filled(const WorkloadRequest& request)
      : horizon_(static_cast<std::uint64_t>(parameter(request, "horizon"))),
        random_(request.seed),
        stream_(request.name, settings(request, 1)) {}

  Time deadline() { return stream_.now() + 1 + static_cast<Time>(random_.below(horizon_)); }

  void schedule(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) stream_.schedule(stream_.acquire(), deadline());
  }

  /// The first `count` jobs in the order in which they are to be touched.
  std::vector<JobNumber> order(std::uint64_t count, bool sequential) {
    std::vector<JobNumber> jobs(count);
    std::iota(jobs.begin(), jobs.end(), JobNumber{0});
    if (!sequential) random_.shuffle(jobs);
    return jobs;
  }

  Random& random() { return random_; }
  StreamBuilder& stream() { return stream_; }
  Time horizon() const { return static_cast<Time>(horizon_); }
  OpStream finish() { return std::move(stream_).finish(); }

 private:
  std::uint64_t horizon_;
  Random random_;
  StreamBuilder stream_;
};

/// The population goes from N - below to N + above, or back.
struct Range {
  explicit Range(std::uint64_t population)
      : low(population - population / 4), high(std::max(population + population / 4, low + 1)) {}
  std::uint64_t low;
  std::uint64_t high;
};

OpStream make_only_schedule(const WorkloadRequest& request) {
  const Range range(request.population);
  Filled filled(request);
  filled.schedule(range.low);
  filled.stream().begin_timed();
  filled.schedule(range.high - range.low);
  return filled.finish();
}

OpStream make_only_cancel(const WorkloadRequest& request) {
  const Range range(request.population);
  Filled filled(request);
  filled.schedule(range.high);
  std::vector<JobNumber> jobs = filled.order(range.high, parameter(request, "sequential") != 0);
  jobs.resize(range.high - range.low);
  filled.stream().begin_timed();
  for (const JobNumber job : jobs) filled.stream().cancel(job);
  return filled.finish();
}

OpStream make_only_reschedule(const WorkloadRequest& request) {
  Filled filled(request);
  filled.schedule(request.population);
  const std::vector<JobNumber> jobs =
      filled.order(request.population, parameter(request, "sequential") != 0);
  filled.stream().begin_timed();
  for (std::uint64_t i = 0; i < request.min_ops; ++i) {
    filled.stream().schedule(jobs[i % jobs.size()], filled.deadline());
  }
  return filled.finish();
}

OpStream make_only_advance(const WorkloadRequest& request) {
  Filled filled(request);
  filled.schedule(request.population);
  filled.stream().begin_timed();
  const double ticks_per_job =
      static_cast<double>(filled.horizon()) / static_cast<double>(request.population);
  const Time step = std::max<Time>(whole(parameter(request, "batch") * ticks_per_job), 1);
  for (Time now = 0; filled.stream().pending() > 0;) filled.stream().advance(now += step);
  return filled.finish();
}

/// A scheduler that remembers its answer would be asked for nothing if nothing changed in between.
/// So a job is re-armed before every question: by turns the one that is next, which makes the
/// answer stale, and any one, which rarely does.
OpStream make_only_next(const WorkloadRequest& request) {
  Filled filled(request);
  StreamBuilder& stream = filled.stream();
  filled.schedule(request.population);
  stream.begin_timed();
  bool is_next = true;
  while (stream.timed_operations() < request.min_ops) {
    const JobNumber job = is_next
                              ? *stream.earliest()
                              : static_cast<JobNumber>(filled.random().below(request.population));
    is_next = !is_next;
    stream.schedule(job, filled.deadline());
    stream.next();
  }
  return filled.finish();
}

OpStream make_cold_start(const WorkloadRequest& request) {
  Filled filled(request);
  filled.stream().begin_timed();
  filled.schedule(request.population);
  return filled.finish();
}

}  // namespace

constinit const Workload kOnlySchedule{
    .name = "only_schedule",
    .summary = "schedule alone, while the population grows from 3/4 N to 5/4 N",
    .kind = WorkloadKind::kOperation,
    .parameters = kHorizonOnly,
    .make = make_only_schedule,
};

constinit const Workload kOnlyCancel{
    .name = "only_cancel",
    .summary = "cancel alone, in shuffled order, while the population shrinks from 5/4 N to 3/4 N",
    .kind = WorkloadKind::kOperation,
    .parameters = kHorizonAndOrder,
    .make = make_only_cancel,
};

constinit const Workload kOnlyReschedule{
    .name = "only_reschedule",
    .summary = "re-arming alone, in shuffled order, of N pending jobs",
    .kind = WorkloadKind::kOperation,
    .parameters = kHorizonAndOrder,
    .make = make_only_reschedule,
};

constinit const Workload kOnlyAdvance{
    .name = "only_advance",
    .summary = "advance alone, in equal steps, until all N jobs have fired",
    .kind = WorkloadKind::kOperation,
    .parameters = kHorizonAndBatch,
    .make = make_only_advance,
};

constinit const Workload kOnlyNext{
    .name = "only_next",
    .summary = "next_expiry, each time after a job was re-armed: by turns the next one and any one",
    .kind = WorkloadKind::kOperation,
    .parameters = kHorizonOnly,
    .make = make_only_next,
};

constinit const Workload kColdStart{
    .name = "cold_start",
    .summary = "the first N schedules of a new scheduler: first touches and growth included",
    .kind = WorkloadKind::kOperation,
    .parameters = kHorizonOnly,
    .make = make_cold_start,
};

}  // namespace timerbench::workloads
