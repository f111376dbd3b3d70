// Few jobs and long sleeps: what crossing empty ticks costs.
#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

constexpr double kDay = 24.0 * 60 * 60 * 1000;  // ms
constexpr double kLongestDelay = 366 * kDay;

constexpr WorkloadParameter kParameters[] = {
    {"shortest", 1'000, 1, kLongestDelay, "the shortest delay, in ms",
     ParameterUnit::kMilliseconds},
    {"longest", 30 * kDay, 1, kLongestDelay, "the longest delay, in ms",
     ParameterUnit::kMilliseconds},
    {"oversleep", 30 * kDay, 0, kLongestDelay,
     "by how much the loop oversleeps once, in ms; 0: it never does", ParameterUnit::kMilliseconds},
};

std::string contradiction(const ParameterValues& values) {
  const bool is_range = values.find("shortest")->second <= values.find("longest")->second;
  return is_range ? "" : "shortest must not be longer than longest";
}

/// An event loop that asks for the next expiry, sleeps until then and re-arms what fires. Once,
/// half-way, it oversleeps, as a suspended laptop does.
OpStream make_sparse(const WorkloadRequest& request) {
  const double shortest = parameter(request, "shortest");
  const double longest = parameter(request, "longest");
  const Time oversleep = whole(parameter(request, "oversleep"));
  Random random(request.seed);
  StreamBuilder stream(request.name, settings(request, 1));
  for (std::uint64_t i = 0; i < request.population; ++i) {
    // Log-uniform delays, as one meets them: uniform, see far_horizon; and at any point of them.
    const double delay = shortest + random.uniform() * (longest - shortest);
    stream.schedule(stream.acquire(), 1 + whole(random.uniform() * delay));
  }
  stream.begin_timed();
  bool jumped = oversleep == 0;
  while (stream.timed_operations() < request.min_ops || !jumped) {
    Time now = *stream.next();
    if (!jumped && stream.timed_operations() >= request.min_ops / 2) {
      now += oversleep;
      jumped = true;
    }
    for (const JobNumber job : stream.advance(now)) {
      stream.schedule(job, now + whole(random.log_uniform(shortest, longest)));
    }
  }
  return std::move(stream).finish();
}

}  // namespace

constinit const Workload kSparse{
    .name = "sparse",
    .summary = "an event loop that sleeps until the next of a few jobs, 1 s to 30 days apart",
    .kind = WorkloadKind::kSynthetic,
    .parameters = kParameters,
    .make = make_sparse,
    .contradiction = contradiction,
};

}  // namespace timerbench::workloads
