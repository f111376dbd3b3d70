// Timeouts of remote calls: almost all are cancelled, because the answer comes long before.
#include <array>

#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

constexpr WorkloadParameter kParameters[] = {
    {"cancel", 0.999, 0, 1, "share of calls that are answered; the others are lost"},
    {"timeout", 0, 0, 1e9, "one timeout for all methods, in ms; 0: 1, 5, 15 or 30 s by method",
     ParameterUnit::kMilliseconds},
    {"step", 1, 1, 1e6, "the clock's step, in ms", ParameterUnit::kMilliseconds},
};

// The time a call takes (assumption).
constexpr double kAnswerMedian = 10;  // ms
constexpr double kAnswerSigma = 1.3;

// A service has many methods, and a few of them are most of the calls: with this exponent the top
// ten are 58 %, as SOSP'23 reports of remote calls. A method's timeout is a constant in its
// configuration.
constexpr std::size_t kMethods = 100;
constexpr double kMethodExponent = 1.0245;
constexpr std::array<double, 4> kTimeouts{1'000, 5'000, 15'000, 30'000};  // ms

/// How long a timeout waits when the answer is the one at quantile u.
double wait_for_answer(double u, double timeout) {
  return std::min(log_normal_quantile(u, kAnswerMedian, kAnswerSigma), timeout);
}

class RpcTimeouts {
 public:
  explicit RpcTimeouts(const WorkloadRequest& request)
      : answered_(parameter(request, "cancel")),
        population_(request.population),
        methods_(zipf_weights(kMethods, kMethodExponent)),
        open_(request, 1) {
    const double one_timeout = parameter(request, "timeout");
    if (one_timeout > 0) timeouts_.fill(one_timeout);
  }

  OpStream make() {
    preload();
    return std::move(open_).run(
        call_gap_, [this](double time) { call(time, timeout_of(methods_.draw(open_.random()))); });
  }

 private:
  /// Methods take the timeouts in turn, so that each is that of rare and of frequent ones.
  double timeout_of(std::size_t method) const { return timeouts_[method % timeouts_.size()]; }

  /// The calls in flight at a random instant, oldest first, and from them the rate of calls.
  void preload() {
    const std::vector<double> frequency = zipf_weights(kMethods, kMethodExponent);
    std::array<double, kTimeouts.size()> share{};  // Of all calls, by timeout.
    for (std::size_t method = 0; method < kMethods; ++method) {
      share[method % share.size()] += frequency[method] / methods_.total();
    }
    // For one call a ms: how many are in flight of each timeout, to be answered (even) or lost
    // (odd).
    std::vector<LifeTable> answered_life;
    std::vector<double> in_flight_of_kind;
    for (std::size_t i = 0; i < timeouts_.size(); ++i) {
      const double timeout = timeouts_[i];
      answered_life.emplace_back([timeout](double u) { return wait_for_answer(u, timeout); });
      in_flight_of_kind.push_back(share[i] * answered_ * answered_life[i].mean());
      in_flight_of_kind.push_back(share[i] * (1 - answered_) * timeout);
    }
    const WeightedChoice kind_in_flight(in_flight_of_kind);
    call_gap_ = kind_in_flight.total() / static_cast<double>(population_);

    struct InFlight {
      double called;
      double answer;  // No earlier than the timeout if the call is lost.
      double timeout;
    };
    std::vector<InFlight> in_flight(population_);
    for (InFlight& one : in_flight) {
      const std::size_t kind = kind_in_flight.draw(open_.random());
      const double timeout = timeouts_[kind / 2];
      if (kind % 2 == 0) {
        const LifeTable::Found found = answered_life[kind / 2].draw(open_.random());
        one = {-found.age, found.lifetime - found.age, timeout};
      } else {
        const double age = open_.random().uniform() * timeout;
        one = {-age, timeout - age, timeout};
      }
    }
    std::sort(in_flight.begin(), in_flight.end(),
              [](const InFlight& a, const InFlight& b) { return a.called < b.called; });
    for (const InFlight& one : in_flight) wait(one.called, one.answer, one.timeout);
  }

  void call(double time, double timeout) {
    const bool lost = !open_.random().chance(answered_);
    const double answer =
        lost ? time + timeout : time + open_.random().log_normal(kAnswerMedian, kAnswerSigma);
    wait(time, answer, timeout);
  }

  /// Schedules the timeout and, if it comes before that, the answer.
  void wait(double called, double answer, double timeout) {
    open_.add(deadline_after(called, whole(timeout), open_.stream()), answer);
  }

  double answered_;
  std::uint64_t population_;
  double call_gap_ = 0;  ///< Mean time from one call to the next.
  WeightedChoice methods_;
  std::array<double, kTimeouts.size()> timeouts_ = kTimeouts;
  OpenWorkload open_;
};

OpStream make_rpc_timeouts(const WorkloadRequest& request) { return RpcTimeouts(request).make(); }

}  // namespace

constinit const Workload kRpcTimeouts{
    .name = "rpc_timeouts",
    .summary =
        "timeouts of remote calls: 99.9 % are cancelled by the answer, long before they expire",
    .kind = WorkloadKind::kSynthetic,
    .parameters = kParameters,
    .make = make_rpc_timeouts,
};

}  // namespace timerbench::workloads
