// Delays of every magnitude, from a millisecond to a year.
#include <cmath>

#include "deterministic_math.hpp"
#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

constexpr WorkloadParameter kParameters[] = {
    {"cancel", 0.5, 0, 1, "share of jobs that are cancelled, at any time of their delay"},
    {"step", 1, 1, 8.64e7, "the clock's step, in ms", ParameterUnit::kMilliseconds},
};

constexpr double kShortest = 1;                           // ms
constexpr double kLongest = 365.0 * 24 * 60 * 60 * 1000;  // ms: a year

class FarHorizon {
 public:
  explicit FarHorizon(const WorkloadRequest& request)
      : request_(request),
        cancelled_(parameter(request, "cancel")),
        random_(request.seed),
        stream_(request.name, settings(request, 1)),
        clock_(stream_, whole(parameter(request, "step"))) {}

  OpStream make() {
    preload();
    stream_.begin_timed();
    const double mean_delay = (kLongest - kShortest) / det_log(kLongest / kShortest);
    const double mean_wait = mean_delay * (1 - cancelled_ / 2);
    const double arrival_gap = mean_wait / static_cast<double>(request_.population);
    double next_arrival = random_.exponential(arrival_gap);
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
        const double delay = random_.log_uniform(kShortest, kLongest);
        const bool cancel = random_.chance(cancelled_);
        wait(time, delay, cancel ? random_.uniform() * delay : delay);
        next_arrival += random_.exponential(arrival_gap);
      }
    }
    return std::move(stream_).finish();
  }

 private:
  void preload() {
    struct Job {
      double since;
      double delay;
      double wait;
    };
    std::vector<Job> jobs(request_.population);
    for (Job& job : jobs) {
      // Log-uniform delays x have the density 1 / x, so those one meets, x times as often, are
      // uniform.
      job.delay = kShortest + random_.uniform() * (kLongest - kShortest);
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
    // Rounded up, so that no job fires early and none is cancelled too late.
    stream_.schedule(job, whole(since + delay) + 1);
    if (until_cancel < delay) cancels_.add(since + until_cancel, job);
  }

  const WorkloadRequest& request_;
  double cancelled_;
  Random random_;
  StreamBuilder stream_;
  StepClock clock_;
  EventQueue<JobNumber> cancels_;
};

OpStream make_far_horizon(const WorkloadRequest& request) { return FarHorizon(request).make(); }

}  // namespace

constinit const Workload kFarHorizon{
    .name = "far_horizon",
    .summary = "delays of every magnitude from 1 ms to a year, half of them cancelled",
    .kind = WorkloadKind::kSynthetic,
    .parameters = kParameters,
    .make = make_far_horizon,
};

}  // namespace timerbench::workloads
