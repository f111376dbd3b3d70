// Retries after a fixed delay: most timers fire, many at the same tick after an outage.
#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

constexpr WorkloadParameter kParameters[] = {
    {"cancel", 0.1, 0, 1, "share of retries that are cancelled before they are tried"},
    {"again", 0.3, 0, 1, "share of tried retries that fail and are scheduled again"},
    {"outage", 0.2, 0, 0.9, "share of N that fails at one tick, every 5 s"},
    {"step", 1000, 1, 1e6, "the clock's step, in ms", ParameterUnit::kMilliseconds},
};

constexpr Time kTick = 1'000;   // ms, and
constexpr Time kDelay = 5'000;  // ms: both as Dubbo's failback has them.
constexpr int kMaxTries = 3;

/// Failures come one by one (Poisson), and every 5 s, which is also the delay, many at once: when
/// the herd of the last outage has been retried, the next outage makes up for those of it that
/// succeeded.
class FixedRetries {
 public:
  explicit FixedRetries(const WorkloadRequest& request)
      : request_(request),
        cancelled_(parameter(request, "cancel")),
        cancels_any_time_(cancelled_),
        again_(parameter(request, "again")),
        random_(request.seed),
        stream_(request.name, settings(request, kTick)),
        clock_(stream_, whole(parameter(request, "step"))) {
    double share = 1;  // Of failures that come to their first, second, ... retry.
    for (int tries = 1; tries <= kMaxTries; ++tries) {
      shares_of_tries_.push_back(share);
      tries_per_failure_ += share;
      share *= (1 - cancelled_) * again_;
    }
  }

  OpStream make() {
    preload();
    stream_.begin_timed();
    double next_failure = random_.exponential(failure_gap_);
    while (true) {
      const bool cancel_next = !cancels_.empty() && cancels_.next_time() <= next_failure;
      const double next = cancel_next ? cancels_.next_time() : next_failure;
      const double time = std::min(next, static_cast<double>(next_outage_));
      const bool moved = clock_.advance_to(
          time, [&](JobNumber job, Time now) { retry(job, static_cast<double>(now)); });
      if (moved) {
        if (clock_.now() >= next_outage_) outage();
        // Just after an advance, as at the start: retries wait for the tick after their deadline,
        // so that there are more of them between two advances.
        if (stream_.timed_operations() >= request_.min_ops) break;
      }
      if (time < next) continue;  // It was the outage's time.
      if (cancel_next) {
        const JobNumber job = cancels_.take();
        stream_.cancel(job);
        stream_.release(job);
      } else {
        fail(time);
        next_failure += random_.exponential(failure_gap_);
      }
    }
    return std::move(stream_).finish();
  }

 private:
  void preload() {
    const auto population = static_cast<double>(request_.population);
    // The first step after the start is that of an outage; its herd fired last one period before.
    next_outage_ = clock_.step();
    outage_period_ = ceil_div(kDelay, clock_.step()) * clock_.step();
    const auto herd_age = static_cast<double>(outage_period_ - next_outage_);
    const double waited = herd_age / static_cast<double>(kDelay);
    const double herd = population * parameter(request_, "outage");
    outage_failures_ = herd / tries_per_failure_;
    const auto in_herd = static_cast<std::uint64_t>(herd * (1 - cancelled_ * waited));
    const double others = population - static_cast<double>(in_herd);
    // Little's law: each try waits for the delay, or for half of it on average if it is cancelled.
    const double mean_wait = cancels_any_time_.mean_wait(static_cast<double>(kDelay));
    failure_gap_ = mean_wait * tries_per_failure_ / others;

    struct Waiting {
      double since;
      double cancel;  // No earlier than the deadline if it is not cancelled.
      std::size_t tries;
    };
    constexpr auto kWhole = static_cast<double>(kDelay);
    const WeightedChoice tries_so_far(shares_of_tries_);
    std::vector<Waiting> waiting;
    for (std::uint64_t i = 0; i < request_.population; ++i) {
      const std::size_t tries = tries_so_far.draw(random_) + 1;
      if (i < in_herd) {
        // Its cancels are spread over the delay; those of its past have left it.
        const bool cancel =
            random_.uniform() * (1 - cancelled_ * waited) < cancelled_ * (1 - waited);
        const double after = cancel ? herd_age + random_.uniform() * (kWhole - herd_age) : kWhole;
        waiting.push_back({-herd_age, after - herd_age, tries});
        continue;
      }
      const double wait = cancels_any_time_.draw_wait_when_met(random_, kWhole);
      double age = random_.uniform() * wait;
      if (tries > 1) {  // Scheduled by an advance, so at a step.
        const auto step = static_cast<double>(clock_.step());
        age = static_cast<double>(whole(age / step)) * step;
      }
      waiting.push_back({-age, wait - age, tries});
    }
    std::stable_sort(waiting.begin(), waiting.end(),
                     [](const Waiting& a, const Waiting& b) { return a.since < b.since; });
    for (const Waiting& one : waiting) wait(stream_.acquire(), one.since, one.cancel, one.tries);
  }

  void fail(double time) { schedule(stream_.acquire(), time, 1); }

  void outage() {
    next_outage_ += outage_period_;
    const auto failures = static_cast<std::uint64_t>(outage_failures_);
    for (std::uint64_t i = 0; i < failures; ++i) fail(static_cast<double>(clock_.now()));
  }

  /// The retry is due: it succeeds, fails for good, or waits once more.
  void retry(JobNumber job, double now) {
    if (tries_[job] < kMaxTries && random_.chance(again_)) {
      schedule(job, now, tries_[job] + 1);
    } else {
      stream_.release(job);
    }
  }

  void schedule(JobNumber job, double time, std::size_t tries) {
    const double wait_for = cancels_any_time_.draw_wait(random_, static_cast<double>(kDelay));
    wait(job, time, time + wait_for, tries);
  }

  void wait(JobNumber job, double since, double cancel, std::size_t tries) {
    if (job >= tries_.size()) tries_.resize(job + std::size_t{1});
    tries_[job] = tries;
    const Time deadline = deadline_after(since, kDelay, stream_);
    stream_.schedule(job, deadline);
    if (whole(cancel) < deadline) cancels_.add(cancel, job);
  }

  const WorkloadRequest& request_;
  double cancelled_;
  CancelsAnyTime cancels_any_time_;
  double again_;
  double failure_gap_ = 0;  ///< Mean time from one failure to the next, outages aside.
  double outage_failures_ = 0;
  Time next_outage_ = 0;    ///< A multiple of the step,
  Time outage_period_ = 0;  ///< and the delay, rounded up to one: the herd's next retry.
  std::vector<double> shares_of_tries_;
  double tries_per_failure_ = 0;
  Random random_;
  StreamBuilder stream_;
  StepClock clock_;
  std::vector<std::size_t> tries_;  ///< By job: how many times it has been scheduled.
  EventQueue<JobNumber> cancels_;
};

OpStream make_retry_fixed(const WorkloadRequest& request) { return FixedRetries(request).make(); }

}  // namespace

constinit const Workload kRetryFixed{
    .name = "retry_fixed",
    .summary = "retries 5 s after a failure: most fire, a fifth of them in the herd of an outage",
    .kind = WorkloadKind::kSynthetic,
    .parameters = kParameters,
    .make = make_retry_fixed,
};

}  // namespace timerbench::workloads
