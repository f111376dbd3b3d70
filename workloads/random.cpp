#include "random.hpp"

#include <algorithm>

#include "deterministic_math.hpp"

namespace timerbench::workloads {

double exponential_quantile(double u, double mean) { return -mean * det_log(1 - u); }

double log_normal_quantile(double u, double median, double sigma) {
  return median * det_exp(sigma * normal_quantile(u));
}

double pareto_quantile(double u, double scale, double shape) {
  return scale * det_exp(-det_log(1 - u) / shape);
}

double log_uniform_quantile(double u, double low, double high) {
  return low * det_exp(u * det_log(high / low));
}

WeightedChoice::WeightedChoice(std::span<const double> weights) {
  sums_.reserve(weights.size());
  double sum = 0;
  for (const double weight : weights) sums_.push_back(sum += weight);
}

std::size_t WeightedChoice::at(double u) const {
  const auto found = std::upper_bound(sums_.begin(), sums_.end(), u * total());
  // Rounding may carry u * total up to the total itself: the last index then.
  const auto index = static_cast<std::size_t>(found - sums_.begin());
  return std::min(index, sums_.size() - 1);
}

std::vector<double> zipf_weights(std::size_t count, double exponent) {
  std::vector<double> weights(count);
  for (std::size_t i = 0; i < count; ++i) {
    weights[i] = det_pow(static_cast<double>(i + 1), -exponent);
  }
  return weights;
}

}  // namespace timerbench::workloads
