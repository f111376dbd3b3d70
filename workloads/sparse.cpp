// Few jobs and long sleeps: what crossing empty ticks costs.
#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

constexpr Time kJump = Time{30} * 24 * 60 * 60 * 1000;  // ms: 30 days
constexpr double kShortest = 1'000;                     // ms
constexpr auto kLongest = static_cast<double>(kJump);

/// An event loop that asks for the next expiry, sleeps until then and re-arms what fires. Once,
/// half-way, it oversleeps by 30 days, as a suspended laptop does.
OpStream make_sparse(const WorkloadRequest& request) {
  Random random(request.seed);
  StreamBuilder stream(request.name, settings(request, 1));
  for (std::uint64_t i = 0; i < request.population; ++i) {
    // Log-uniform delays, as one meets them: uniform, see far_horizon; and at any point of them.
    const double delay = kShortest + random.uniform() * (kLongest - kShortest);
    stream.schedule(stream.acquire(), 1 + whole(random.uniform() * delay));
  }
  stream.begin_timed();
  bool jumped = false;
  while (stream.timed_operations() < request.min_ops || !jumped) {
    Time now = *stream.next();
    if (!jumped && stream.timed_operations() >= request.min_ops / 2) {
      now += kJump;
      jumped = true;
    }
    for (const JobNumber job : stream.advance(now)) {
      stream.schedule(job, now + whole(random.log_uniform(kShortest, kLongest)));
    }
  }
  return std::move(stream).finish();
}

}  // namespace

constinit const Workload kSparse{
    .name = "sparse",
    .summary = "an event loop that sleeps until the next of a few jobs, 1 s to 30 days apart",
    .kind = WorkloadKind::kSynthetic,
    .parameters = {},
    .make = make_sparse,
};

}  // namespace timerbench::workloads
