// A log-linear histogram of nanoseconds, in the manner of HdrHistogram: fixed memory, recording is
// a few instructions, and every value is kept to better than 1 %.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace timerbench::bench {

class Histogram {
 public:
  Histogram() : counts_((64 - kSubBits) * kSubCount + kSubCount) {}

  void record(std::uint64_t value) {
    ++counts_[index_of(value)];
    ++total_;
    sum_ += value;
    max_ = std::max(max_, value);
  }

  std::uint64_t total() const { return total_; }
  std::uint64_t max() const { return max_; }
  double mean() const {
    return total_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(total_);
  }

  /// The least recorded value (to better than 1 %, rounded up) that `percentile` percent of all
  /// values do not exceed; 0 when nothing was recorded.
  std::uint64_t percentile(double percentile) const {
    const double share = percentile / 100 * static_cast<double>(total_);
    const std::uint64_t rank =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(share)));
    std::uint64_t seen = 0;
    for (std::size_t index = 0; index < counts_.size(); ++index) {
      seen += counts_[index];
      if (seen >= rank) return std::min(highest_at(index), max_);
    }
    return max_;
  }

 private:
  /// Values below 2^kSubBits are exact; above, each power of two is cut into 2^(kSubBits - 1)
  /// steps.
  static constexpr unsigned kSubBits = 8;
  static constexpr std::size_t kSubCount = std::size_t{1} << kSubBits;

  static std::size_t index_of(std::uint64_t value) {
    if (value < kSubCount) return value;
    const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - kSubBits;
    return shift * (kSubCount / 2) + (value >> shift);
  }

  static std::uint64_t highest_at(std::size_t index) {
    if (index < kSubCount) return index;
    const std::size_t shift = index / (kSubCount / 2) - 1;
    const std::uint64_t mantissa = index - shift * (kSubCount / 2);
    return ((mantissa + 1) << shift) - 1;
  }

  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace timerbench::bench
