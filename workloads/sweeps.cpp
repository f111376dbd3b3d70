// Workloads made to vary one parameter with everything else unchanged.
#include <array>

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

OpStream make_cancel_share(const WorkloadRequest& request) {
  const CancelsAnyTime cancels(parameter(request, "cancel"));
  OpenWorkload open(request, 1);
  const auto wait = [&](const CancelsAnyTime::Job& job) {
    open.add(deadline_after(job.since, whole(job.delay), open.stream()), job.cancel());
  };
  const WeightedChoice when_met(kDelays);
  const auto delay_when_met = [&] { return kDelays[when_met.draw(open.random())]; };
  for (const auto& job : cancels.meet(request.population, open.random(), delay_when_met)) wait(job);

  const double mean_delay = when_met.total() / static_cast<double>(kDelays.size());
  const double gap = cancels.mean_wait(mean_delay) / static_cast<double>(request.population);
  return std::move(open).run(gap, [&](double time) {
    const double delay = open.random().pick(std::span<const double>(kDelays));
    wait({time, delay, cancels.draw_wait(open.random(), delay)});
  });
}

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
