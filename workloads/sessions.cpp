// Idle timeouts of sessions: armed anew by every sign of life.
#include <array>

#include "deterministic_math.hpp"
#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

constexpr WorkloadParameter kParameters[] = {
    {"close", 0.2, 0, 0.9, "share of sessions that are closed; the others time out"},
    {"step", 100, 1, 1e6, "the clock's step, in ms", ParameterUnit::kMilliseconds},
};

constexpr Time kTick = 100;  // ms, as Netty's wheel has it by default.

// Idle timeouts that servers ship with; each for a fifth of the sessions (assumption).
constexpr std::array<double, 5> kTimeouts{60'000, 75'000, 300'000, 1'200'000, 3'600'000};  // ms

// Gaps between two signs of life: half are below 5 s, three quarters below 18 s. Log-normal up to
// there, a Pareto tail beyond (its shape is an assumption).
constexpr double kGapMedian = 5'000;          // ms
constexpr double kGapThirdQuartile = 18'000;  // ms
constexpr double kThirdQuartileOfNormal = 0.67448975019608171;
constexpr double kTailShape = 1.2;

double gap(double u) {
  static const double sigma = det_log(kGapThirdQuartile / kGapMedian) / kThirdQuartileOfNormal;
  if (u < 0.75) return log_normal_quantile(u, kGapMedian, sigma);
  return pareto_quantile((u - 0.75) / 0.25, kGapThirdQuartile, kTailShape);
}

/// The share of gaps longer than `timeout`, which lies in the tail.
double share_of_gaps_beyond(double timeout) {
  return 0.25 * det_pow(kGapThirdQuartile / timeout, kTailShape);
}

/// N sessions; one that ends is followed at once by a new one with the same timeout.
class IdleSessions {
 public:
  explicit IdleSessions(const WorkloadRequest& request)
      : request_(request),
        random_(request.seed),
        stream_(request.name, settings(request, kTick)),
        clock_(stream_, whole(parameter(request, "step"))) {
    const double closed = parameter(request, "close");
    for (std::size_t i = 0; i < kTimeouts.size(); ++i) {
      // A gap ends in a timeout with probability p. For `closed` of all sessions to end otherwise,
      // closes must be closed / (1 - closed) times as frequent, among the gaps that do not end in a
      // timeout.
      const double p = share_of_gaps_beyond(kTimeouts[i]);
      close_chance_[i] = std::min(p * closed / (1 - closed) / (1 - p), 1.0);
    }
  }

  OpStream make() {
    preload();
    stream_.begin_timed();
    const auto start_anew = [this](JobNumber session, Time now) {
      touch(session, static_cast<double>(now));
    };
    while (true) {
      if (events_.empty()) {  // All sessions, of very few, are about to time out.
        clock_.fire_next(start_anew);
        continue;
      }
      const double time = events_.next_time();
      const bool moved = clock_.advance_to(time, start_anew);
      if (moved && stream_.timed_operations() >= request_.min_ops) break;
      const JobNumber session = events_.take();
      if (random_.chance(close_chance_[kind_[session]])) stream_.cancel(session);
      touch(session, time);
    }
    return std::move(stream_).finish();
  }

 private:
  void preload() {
    struct Session {
      double last_touch;
      double next_touch;
      std::size_t kind;
    };
    std::vector<LifeTable> waits;
    for (const double timeout : kTimeouts) {
      waits.emplace_back([timeout](double u) { return std::min(gap(u), timeout); });
    }
    std::vector<Session> sessions(request_.population);
    for (Session& session : sessions) {
      const std::size_t kind = random_.below(kTimeouts.size());
      const LifeTable::Found found = waits[kind].draw(random_);
      session = {-found.age, found.lifetime - found.age, kind};
    }
    std::sort(sessions.begin(), sessions.end(),
              [](const Session& a, const Session& b) { return a.last_touch < b.last_touch; });
    for (const Session& session : sessions) {
      kind_.push_back(session.kind);
      wait(stream_.acquire(), session.last_touch, session.next_touch);
    }
  }

  /// A sign of life, or a session's first.
  void touch(JobNumber session, double time) {
    wait(session, time, time + gap(random_.uniform_open()));
  }

  void wait(JobNumber session, double touched, double next_touch) {
    const Time timeout = whole(kTimeouts[kind_[session]]);
    const Time deadline = deadline_after(touched, timeout, stream_);
    stream_.schedule(session, deadline);
    if (whole(next_touch) < deadline) events_.add(next_touch, session);
  }

  const WorkloadRequest& request_;
  Random random_;
  StreamBuilder stream_;
  StepClock clock_;
  std::array<double, kTimeouts.size()>
      close_chance_{};             ///< That a sign of life is the last, a close.
  std::vector<std::size_t> kind_;  ///< By session: the index of its timeout.
  EventQueue<JobNumber> events_;   ///< Signs of life to come.
};

OpStream make_idle_sessions(const WorkloadRequest& request) { return IdleSessions(request).make(); }

}  // namespace

constinit const Workload kIdleSessions{
    .name = "idle_sessions",
    .summary = "idle timeouts of N sessions: every sign of life re-arms, few expire",
    .kind = WorkloadKind::kSynthetic,
    .parameters = kParameters,
    .make = make_idle_sessions,
};

}  // namespace timerbench::workloads
