#include "generator.hpp"

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

}  // namespace timerbench::workloads
