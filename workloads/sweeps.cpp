// Workloads made to vary one parameter with everything else unchanged.
#include <array>
#include <cmath>

#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

// ---------------------------------------------------------------------------- cancel_share

constexpr WorkloadParameter kCancelShareParameters[] = {
    {"cancel", 0.5, 0, 1, "share of jobs that are cancelled, at any time of their delay"},
    {"step", 1, 1, 1e6, "the clock's step, in ms", ParameterUnit::kMilliseconds},
};

constexpr std::array<double, 4> kDelays{1'000, 5'000, 10'000,
                                        30'000};  // ms, each for a quarter of the jobs

class CancelShare {
 public:
  explicit CancelShare(const WorkloadRequest& request)
      : request_(request),
        cancelled_(parameter(request, "cancel")),
        random_(request.seed),
        stream_(request.name, settings(request, 1)),
        clock_(stream_, whole(parameter(request, "step"))) {}

  OpStream make() {
    preload();
    stream_.begin_timed();
    double next_arrival = random_.exponential(arrival_gap_);
    while (true) {
      const bool cancel_next = !cancels_.empty() && cancels_.next_time() <= next_arrival;
      const double time = cancel_next ? cancels_.next_time() : next_arrival;
      const bool moved =
          clock_.advance_to(time, [&](JobNumber job, Time) { stream_.release(job); });
      if (moved && stream_.timed_operations() >= request_.min_ops) break;
      if (cancel_next) {
        const JobNumber job = cancels_.take();
        stream_.cancel(job);
        stream_.release(job);
      } else {
        const double delay = random_.pick(std::span<const double>(kDelays));
        const bool cancel = random_.chance(cancelled_);
        wait(time, delay, cancel ? random_.uniform() * delay : delay);
        next_arrival += random_.exponential(arrival_gap_);
      }
    }
    return std::move(stream_).finish();
  }

 private:
  void preload() {
    const WeightedChoice delay_when_met(kDelays);
    const double mean_delay = delay_when_met.total() / static_cast<double>(kDelays.size());
    arrival_gap_ = mean_delay * (1 - cancelled_ / 2) / static_cast<double>(request_.population);
    struct Job {
      double since;
      double delay;
      double wait;
    };
    std::vector<Job> jobs(request_.population);
    for (Job& job : jobs) {
      job.delay = kDelays[delay_when_met.draw(random_)];
      // Cancelled jobs wait for half as long, and the longer of them are met more often.
      const bool cancel = random_.uniform() * (1 - cancelled_ / 2) < cancelled_ / 2;
      job.wait = cancel ? std::sqrt(random_.uniform()) * job.delay : job.delay;
      job.since = -random_.uniform() * job.wait;
    }
    std::sort(jobs.begin(), jobs.end(),
              [](const Job& a, const Job& b) { return a.since < b.since; });
    for (const Job& job : jobs) wait(job.since, job.delay, job.wait);
  }

  void wait(double since, double delay, double until_cancel) {
    const JobNumber job = stream_.acquire();
    const Time deadline = std::max(whole(since) + whole(delay), stream_.now() + 1);
    stream_.schedule(job, deadline);
    if (until_cancel < delay && whole(since + until_cancel) < deadline) {
      cancels_.add(since + until_cancel, job);
    }
  }

  const WorkloadRequest& request_;
  double cancelled_;
  double arrival_gap_ = 0;
  Random random_;
  StreamBuilder stream_;
  StepClock clock_;
  EventQueue<JobNumber> cancels_;
};

OpStream make_cancel_share(const WorkloadRequest& request) { return CancelShare(request).make(); }

// ---------------------------------------------------------------------------- horizon

constexpr WorkloadParameter kHorizonParameters[] = {
    {"horizon", 1e6, 1, 1e15, "the longest delay, in ticks; all up to it are as likely",
     ParameterUnit::kCount},
};

/// The hold model with uniform delays; the clock goes from expiry to expiry, so that empty ticks,
/// of which there are more with a longer horizon, are crossed by jumps.
OpStream make_horizon(const WorkloadRequest& request) {
  const auto horizon = static_cast<std::uint64_t>(parameter(request, "horizon"));
  Random random(request.seed);
  StreamBuilder stream(request.name, settings(request, 1));
  for (std::uint64_t i = 0; i < request.population; ++i) {
    // A delay of d ticks is met d times as often as one of a tick, with 1 to d ticks still to go.
    std::uint64_t delay = 1 + random.below(horizon);
    while (random.below(horizon) >= delay) delay = 1 + random.below(horizon);
    stream.schedule(stream.acquire(), 1 + static_cast<Time>(random.below(delay)));
  }
  stream.begin_timed();
  while (stream.timed_operations() < request.min_ops) {
    const Time now = *stream.next_expiry();
    for (const JobNumber job : stream.advance(now)) {
      stream.schedule(job, now + 1 + static_cast<Time>(random.below(horizon)));
    }
  }
  return std::move(stream).finish();
}

// ---------------------------------------------------------------------------- empty_ticks

constexpr WorkloadParameter kEmptyTicksParameters[] = {
    {"gap", 1000, 1, 1e9, "ticks from one job that fires to the next", ParameterUnit::kCount},
};

/// Jobs exactly `gap` ticks apart; each advance goes from one to the next, which goes to the end of
/// the line.
OpStream make_empty_ticks(const WorkloadRequest& request) {
  const Time gap = whole(parameter(request, "gap"));
  const Time round = gap * static_cast<Time>(request.population);
  StreamBuilder stream(request.name, settings(request, 1));
  for (Time deadline = gap; deadline <= round; deadline += gap) {
    stream.schedule(stream.acquire(), deadline);
  }
  stream.begin_timed();
  for (Time now = gap; stream.timed_operations() < request.min_ops; now += gap) {
    for (const JobNumber job : stream.advance(now)) stream.schedule(job, now + round);
  }
  return std::move(stream).finish();
}

}  // namespace

constinit const Workload kCancelShare{
    .name = "cancel_share",
    .summary = "timeouts of 1 to 30 s, of which a share is cancelled: from all fire to none",
    .kind = WorkloadKind::kSweep,
    .parameters = kCancelShareParameters,
    .make = make_cancel_share,
};

constinit const Workload kHorizonSweep{
    .name = "horizon",
    .summary = "every fired job is scheduled again, uniformly up to a horizon",
    .kind = WorkloadKind::kSweep,
    .parameters = kHorizonParameters,
    .make = make_horizon,
};

constinit const Workload kEmptyTicks{
    .name = "empty_ticks",
    .summary = "jobs a fixed number of empty ticks apart, one for each advance",
    .kind = WorkloadKind::kSweep,
    .parameters = kEmptyTicksParameters,
    .make = make_empty_ticks,
};

}  // namespace timerbench::workloads
