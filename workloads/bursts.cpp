// Many jobs at one deadline.
#include <array>
#include <cmath>

#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

constexpr WorkloadParameter kParameters[] = {
    {"bursts", 4, 1, 1000, "deadlines that the N jobs share", ParameterUnit::kCount},
    {"cancel", 0, 0, 1, "share of each burst that is cancelled, shuffled, a tick before it fires"},
};

constexpr std::array<double, 5> kDelays{1'000, 5'000, 10'000, 30'000, 60'000};  // ms

/// The jobs of a burst have one deadline; when it has come, all of them are scheduled for another.
class Ties {
 public:
  explicit Ties(const WorkloadRequest& request)
      : request_(request),
        cancelled_(parameter(request, "cancel")),
        random_(request.seed),
        stream_(request.name, settings(request, 1)),
        clock_(stream_, 1) {}

  OpStream make() {
    preload();
    stream_.begin_timed();
    while (stream_.timed_operations() < request_.min_ops) {
      const double time = events_.next_time();
      const Event event = events_.take();
      // The burst's jobs stay its own, so nothing is to be done when they fire.
      clock_.advance_to(time, [](JobNumber, Time) {});
      std::vector<JobNumber>& jobs = bursts_[event.burst];
      if (event.kind == Event::kCancel) {
        cancel_some(jobs);
      } else {
        schedule(event.burst, clock_.now() + whole(random_.pick(std::span<const double>(kDelays))));
      }
    }
    // A burst may be half cancelled at this point: the others have been scheduled again.
    return std::move(stream_).finish();
  }

 private:
  struct Event {
    enum Kind { kCancel, kFired } kind;
    std::size_t burst;
  };

  void preload() {
    const auto count = std::min<std::uint64_t>(
        request_.population, static_cast<std::uint64_t>(parameter(request_, "bursts")));
    bursts_.resize(count);
    for (std::uint64_t i = 0; i < request_.population; ++i)
      bursts_[i % count].push_back(stream_.acquire());
    // A burst with a long delay is met more often, at any point of it.
    const WeightedChoice delay_when_met(kDelays);
    for (std::size_t burst = 0; burst < count; ++burst) {
      const double delay = kDelays[delay_when_met.draw(random_)];
      schedule(burst, 2 + whole(random_.uniform() * (delay - 1)));
    }
  }

  void schedule(std::size_t burst, Time deadline) {
    for (const JobNumber job : bursts_[burst]) stream_.schedule(job, deadline);
    if (cancelled_ > 0) events_.add(static_cast<double>(deadline - 1), {Event::kCancel, burst});
    events_.add(static_cast<double>(deadline), {Event::kFired, burst});
  }

  void cancel_some(std::vector<JobNumber>& jobs) {
    std::vector<JobNumber> order = jobs;
    random_.shuffle(order);
    order.resize(static_cast<std::size_t>(cancelled_ * static_cast<double>(order.size())));
    for (const JobNumber job : order) stream_.cancel(job);
  }

  const WorkloadRequest& request_;
  double cancelled_;
  Random random_;
  StreamBuilder stream_;
  StepClock clock_;
  std::vector<std::vector<JobNumber>> bursts_;
  EventQueue<Event> events_;
};

OpStream make_ties(const WorkloadRequest& request) { return Ties(request).make(); }

}  // namespace

constinit const Workload kTies{
    .name = "ties",
    .summary = "bursts: all jobs at a few deadlines, to be fired in the order they were scheduled",
    .kind = WorkloadKind::kSynthetic,
    .parameters = kParameters,
    .make = make_ties,
};

}  // namespace timerbench::workloads
