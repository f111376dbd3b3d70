// Filling and draining: N jobs come in, then the clock walks over them until none is left.
#include <numeric>

#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

constexpr WorkloadParameter kParameters[] = {
    // Each tick of it is an advance, so that a longer one would not fit into memory.
    {"horizon", 0, 0, 1e8, "ticks over which the deadlines are uniform; 0: as many as jobs",
     ParameterUnit::kCount},
};

/// Round after round, each with its own deadlines and its own order, so that neither the order of
/// memory nor that of the round before leads to the next job.
OpStream make_fill_and_drain(const WorkloadRequest& request) {
  const auto given = static_cast<std::uint64_t>(parameter(request, "horizon"));
  const std::uint64_t horizon = given > 0 ? given : request.population;
  Random random(request.seed);
  StreamBuilder stream(request.name, settings(request, 1));
  std::vector<JobNumber> jobs(request.population);
  std::iota(jobs.begin(), jobs.end(), JobNumber{0});

  stream.begin_timed();
  while (stream.timed_operations() < request.min_ops) {
    random.shuffle(jobs);
    for (const JobNumber job : jobs) {
      stream.schedule(job, stream.now() + 1 + static_cast<Time>(random.below(horizon)));
    }
    for (Time now = stream.now(); stream.pending() > 0;) stream.advance(++now);
  }
  return std::move(stream).finish();
}

}  // namespace

constinit const Workload kFillAndDrain{
    .name = "fill_and_drain",
    .summary = "N jobs scheduled in random order, then fired tick by tick until none is left",
    .kind = WorkloadKind::kSynthetic,
    .parameters = kParameters,
    .make = make_fill_and_drain,
};

}  // namespace timerbench::workloads
