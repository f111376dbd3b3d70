// Delays of every magnitude, from a millisecond to a year.
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

OpStream make_far_horizon(const WorkloadRequest& request) {
  const CancelsAnyTime cancels(parameter(request, "cancel"));
  OpenWorkload open(request, 1);
  const auto wait = [&](const CancelsAnyTime::Job& job) {
    // Rounded up, so that no job fires early and none is cancelled too late.
    open.add(whole(job.since + job.delay) + 1, job.cancel());
  };
  // Log-uniform delays x have the density 1 / x, so those one meets, x times as often, are uniform.
  const auto delay_when_met = [&] {
    return kShortest + open.random().uniform() * (kLongest - kShortest);
  };
  for (const auto& job : cancels.meet(request.population, open.random(), delay_when_met)) wait(job);

  const double mean_delay = (kLongest - kShortest) / det_log(kLongest / kShortest);
  const double gap = cancels.mean_wait(mean_delay) / static_cast<double>(request.population);
  return std::move(open).run(gap, [&](double time) {
    const double delay = open.random().log_uniform(kShortest, kLongest);
    wait({time, delay, cancels.draw_wait(open.random(), delay)});
  });
}

}  // namespace

constinit const Workload kFarHorizon{
    .name = "far_horizon",
    .summary = "delays of every magnitude from 1 ms to a year, half of them cancelled",
    .kind = WorkloadKind::kSynthetic,
    .parameters = kParameters,
    .make = make_far_horizon,
};

}  // namespace timerbench::workloads
