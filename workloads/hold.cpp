// The hold model: the classic test of event queues of simulators. Nothing is ever cancelled; a job
// that fires is scheduled again at once, so the population never changes.
#include <limits>

#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

constexpr WorkloadParameter kParameters[] = {
    {"mean", 1000, 1, 1e9, "mean increment, in ticks"},
    {"step", 1, 1, 1e9, "ticks from one advance to the next", ParameterUnit::kCount},
};

/// Rounding up makes the exponential distribution the geometric one: increments of at least one
/// tick, and still no memory, so that a job met at any tick has the increment's own distribution
/// before it.
Time increment(Random& random, double mean) {
  const double drawn = random.exponential(mean);
  const Time ticks = whole(drawn);
  return ticks + static_cast<Time>(static_cast<double>(ticks) < drawn);
}

OpStream make_hold_exponential(const WorkloadRequest& request) {
  const double mean = parameter(request, "mean");
  const Time step = whole(parameter(request, "step"));
  Random random(request.seed);
  StreamBuilder stream(request.name, settings(request, 1));

  for (std::uint64_t i = 0; i < request.population; ++i) {
    stream.schedule(stream.acquire(), increment(random, mean));
  }
  stream.begin_timed();
  for (Time now = step; stream.timed_operations() < request.min_ops; now += step) {
    for (const JobNumber job : stream.advance(now)) {
      stream.schedule(job, now + increment(random, mean));
    }
  }
  return std::move(stream).finish();
}

}  // namespace

constinit const Workload kHoldExponential{
    .name = "hold_exponential",
    .summary =
        "simulator's event queue: every fired job is scheduled again, exponential increments",
    .kind = WorkloadKind::kSynthetic,
    .parameters = kParameters,
    .make = make_hold_exponential,
};

}  // namespace timerbench::workloads
