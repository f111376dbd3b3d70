// Random numbers whose every bit is fixed.
//
// The engine is std::mt19937_64, which the standard defines to the bit; std's distributions it
// leaves to each library, so the draws are our own. All of them invert a distribution's quantile
// function at one uniform number: one draw of the engine each, and easy to check.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace timerbench::workloads {

/// Quantile functions: the value below which a share `u` of the distribution lies, 0 < u < 1.
double exponential_quantile(double u, double mean);
double log_normal_quantile(double u, double median, double sigma);
/// Values of at least `scale`; the share above x is (scale / x)^shape.
double pareto_quantile(double u, double scale, double shape);
/// Equally likely in every decade between `low` and `high`.
double log_uniform_quantile(double u, double low, double high);

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }

  /// A multiple of 2^-53 in [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  /// Strictly between 0 and 1, as quantile functions need it.
  double uniform_open() { return (static_cast<double>(bits() >> 12) + 0.5) * 0x1p-52; }

  /// An integer in [0, bound), all equally likely. Requires: bound >= 1.
  std::uint64_t below(std::uint64_t bound) {
    // 2^64 is no multiple of most bounds: the draws below 2^64 mod bound would be one too many.
    const std::uint64_t excess = (0 - bound) % bound;
    std::uint64_t draw = bits();
    while (draw < excess) draw = bits();
    return draw % bound;
  }

  bool chance(double probability) { return uniform() < probability; }

  double exponential(double mean) { return exponential_quantile(uniform_open(), mean); }
  double log_normal(double median, double sigma) {
    return log_normal_quantile(uniform_open(), median, sigma);
  }
  double pareto(double scale, double shape) {
    return pareto_quantile(uniform_open(), scale, shape);
  }
  double log_uniform(double low, double high) {
    return log_uniform_quantile(uniform_open(), low, high);
  }

  template <class Value>
  const Value& pick(std::span<const Value> values) {
    return values[below(values.size())];
  }

  template <class Value>
  void shuffle(std::vector<Value>& values) {
    for (std::size_t left = values.size(); left > 1; --left) {
      std::swap(values[left - 1], values[below(left)]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

/// Draws an index with a probability in proportion to its weight.
class WeightedChoice {
 public:
  /// Requires: at least one weight, none negative, not all 0.
  explicit WeightedChoice(std::span<const double> weights);

  std::size_t draw(Random& random) const { return at(random.uniform()); }

  /// The index that covers the share `u` in [0, 1) of the total weight.
  std::size_t at(double u) const;

  double total() const { return sums_.back(); }

 private:
  std::vector<double> sums_;  ///< Of the weights up to and with each index.
};

/// The weights 1 / k^exponent of Zipf's law for ranks k = 1 ... count.
std::vector<double> zipf_weights(std::size_t count, double exponent);

}  // namespace timerbench::workloads
