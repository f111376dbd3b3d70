#include "generator.hpp"

#include <cmath>

namespace timerbench::workloads {

namespace {

/// Enough that a stratum's middle stands for it to well below a percent of the mean, tails
/// included.
constexpr std::size_t kStrata = 1 << 14;

std::vector<double> lifetimes_of_strata(const std::function<double(double u)>& lifetime_of) {
  std::vector<double> lifetimes(kStrata);
  for (std::size_t i = 0; i < kStrata; ++i) {
    lifetimes[i] = lifetime_of((static_cast<double>(i) + 0.5) / static_cast<double>(kStrata));
  }
  return lifetimes;
}

}  // namespace

double parameter(const WorkloadRequest& request, std::string_view name) {
  const auto found = request.parameters.find(name);
  if (found == request.parameters.end()) {
    throw std::logic_error(request.name + ": no value for parameter " + std::string(name));
  }
  return found->second;
}

StreamSettings settings(const WorkloadRequest& request, Time tick) {
  return {.tick = tick, .start = 0, .seed = request.seed, .population = request.population};
}

Time whole(double time) {
  const auto truncated = static_cast<Time>(time);
  return truncated - static_cast<Time>(time < static_cast<double>(truncated));
}

Time deadline_after(double since, Time delay, const StreamBuilder& stream) {
  return std::max(whole(since) + delay, stream.now() + 1);
}

LifeTable::LifeTable(const std::function<double(double u)>& lifetime_of)
    : lifetime_of_(lifetime_of),
      strata_(lifetimes_of_strata(lifetime_of)),
      mean_(strata_.total() / static_cast<double>(kStrata)) {}

LifeTable::Found LifeTable::draw(Random& random) const {
  const std::size_t stratum = strata_.draw(random);
  const double u =
      (static_cast<double>(stratum) + random.uniform_open()) / static_cast<double>(kStrata);
  const double lifetime = lifetime_of_(u);
  return {u, lifetime, random.uniform() * lifetime};
}

double CancelsAnyTime::draw_wait_when_met(Random& random, double delay) const {
  // Waits that are cancelled are half as long, so one meets them half as often; and of those, the
  // long ones more often: the square root makes it so.
  const bool cancel = random.uniform() * (1 - share_ / 2) < share_ / 2;
  return cancel ? std::sqrt(random.uniform()) * delay : delay;
}

OpenWorkload::OpenWorkload(const WorkloadRequest& request, Time tick)
    : min_ops_(request.min_ops),
      random_(request.seed),
      stream_(request.name, settings(request, tick)),
      clock_(stream_, whole(parameter(request, "step"))) {}

void OpenWorkload::add(Time deadline, std::optional<double> cancel) {
  const JobNumber job = stream_.acquire();
  stream_.schedule(job, deadline);
  if (cancel && whole(*cancel) < deadline) cancels_.add(*cancel, job);
}

}  // namespace timerbench::workloads
