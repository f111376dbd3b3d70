#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "catch.hpp"
#include "deterministic_math.hpp"

namespace timerbench::workloads {
namespace {

double relative_error(double value, double expected) {
  return expected == 0 ? std::fabs(value) : std::fabs(value / expected - 1);
}

/// Numbers of every magnitude, from 2^-1020 to 2^1020.
double any_magnitude(std::mt19937_64& engine) {
  const int exponent = static_cast<int>(engine() % 2041) - 1020;
  return std::ldexp(1 + static_cast<double>(engine() >> 12) * 0x1p-52, exponent);
}

TEST_CASE("det_log agrees with libm at every magnitude and near 1") {
  std::mt19937_64 engine(1);
  double worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = any_magnitude(engine);
    worst = std::max(worst, relative_error(det_log(x), std::log(x)));
    const double near_one = 1 + (static_cast<double>(engine() >> 11) * 0x1p-53 - 0.5) * 0x1p-5;
    worst = std::max(worst, relative_error(det_log(near_one), std::log(near_one)));
  }
  CHECK(worst < 1e-14);
  CHECK(det_log(1) == 0);
  CHECK(relative_error(det_log(5e-324), std::log(5e-324)) < 1e-14);
  CHECK(relative_error(det_log(std::numeric_limits<double>::max()),
                       std::log(std::numeric_limits<double>::max())) < 1e-14);
}

TEST_CASE("det_exp agrees with libm and saturates at both ends") {
  std::mt19937_64 engine(2);
  double worst = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double x = (static_cast<double>(engine() >> 11) * 0x1p-53 - 0.5) * 1416;
    worst = std::max(worst, relative_error(det_exp(x), std::exp(x)));
    worst = std::max(worst, relative_error(det_exp(x / 1000), std::exp(x / 1000)));
  }
  CHECK(worst < 1e-12);
  CHECK(det_exp(0) == 1);
  CHECK(det_exp(-1000) == 0);
  CHECK(det_exp(1000) == std::numeric_limits<double>::infinity());
}

TEST_CASE("det_pow agrees with libm") {
  CHECK(relative_error(det_pow(10, -1.0245), std::pow(10, -1.0245)) < 1e-13);
  CHECK(relative_error(det_pow(2, 100), std::pow(2, 100)) < 1e-12);
  CHECK(det_pow(1, 5) == 1);
}

TEST_CASE("normal_quantile inverts the normal distribution in its middle and in both tails") {
  CHECK(normal_quantile(0.5) == 0);
  CHECK(relative_error(normal_quantile(0.75), 0.67448975019608171) < 1e-14);
  double worst = 0;
  for (double p = 0.001; p < 1; p += 0.001) {
    worst =
        std::max(worst, relative_error(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)), p));
  }
  // Tails down to 1e-300: the smallest p that a draw of 52 bits has is about 1e-16.
  for (double p = 1e-3; p > 1e-300; p /= 7) {
    worst =
        std::max(worst, relative_error(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)), p) /
                            std::max(1.0, normal_quantile(p) * normal_quantile(p)));
  }
  CHECK(worst < 1e-13);
  CHECK(normal_quantile(0.25) == -normal_quantile(0.75));
}

}  // namespace
}  // namespace timerbench::workloads
