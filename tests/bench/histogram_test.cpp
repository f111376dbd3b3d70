// The histogram that the latency pass records into.
#include "histogram.hpp"

#include <algorithm>
#include <random>

#include "catch.hpp"

using timerbench::bench::Histogram;

TEST_CASE("small values are kept exactly") {
  Histogram histogram;
  for (std::uint64_t value = 1; value <= 100; ++value) histogram.record(value);
  CHECK(histogram.percentile(1) == 1);
  CHECK(histogram.percentile(50) == 50);
  CHECK(histogram.percentile(99) == 99);
  CHECK(histogram.percentile(100) == 100);
  CHECK(histogram.max() == 100);
  CHECK(histogram.mean() == Approx(50.5));
}

TEST_CASE("an empty histogram answers 0") {
  const Histogram histogram;
  CHECK(histogram.percentile(50) == 0);
  CHECK(histogram.mean() == 0);
}

TEST_CASE("every value is kept to better than one percent, up to the largest") {
  for (unsigned shift = 0; shift < 64; ++shift) {
    for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      const std::uint64_t value = (std::uint64_t{1} << shift) + offset;
      Histogram histogram;
      histogram.record(value);
      histogram.record(~std::uint64_t{0});  // So that the maximum does not hide the rounding.
      const std::uint64_t kept = histogram.percentile(50);
      INFO("value " << value << " kept as " << kept);
      CHECK(kept >= value);
      CHECK(static_cast<double>(kept - value) <= 0.01 * static_cast<double>(value));
    }
  }
}

TEST_CASE("percentiles agree with a sorted list") {
  std::mt19937_64 random(20261201);
  Histogram histogram;
  std::vector<std::uint64_t> values;
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(random() >> (random() % 50 + 10));
    histogram.record(values.back());
  }
  std::sort(values.begin(), values.end());
  for (const double percentile : {0.1, 10.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(percentile / 100 * 20'000));
    const std::uint64_t exact = values[std::max<std::size_t>(rank, 1) - 1];
    INFO("percentile " << percentile);
    CHECK(histogram.percentile(percentile) >= exact);
    CHECK(static_cast<double>(histogram.percentile(percentile)) <=
          1.01 * static_cast<double>(exact) + 1);
  }
}

TEST_CASE("an injected stall shows in p99.9 and the maximum and not in the median") {
  Histogram histogram;
  for (int i = 0; i < 100'000; ++i) {
    histogram.record(i % 500 == 0 ? 5'000'000 : 100);  // 0.2 % of all.
  }
  CHECK(histogram.percentile(50) == 100);
  CHECK(histogram.percentile(99) == 100);
  CHECK(histogram.percentile(99.9) >= 5'000'000);
  CHECK(histogram.max() == 5'000'000);
}
