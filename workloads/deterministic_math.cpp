#include "deterministic_math.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace timerbench::workloads {

namespace {

constexpr int kMantissaBits = 52;
constexpr int kExponentBias = 1023;
constexpr std::uint64_t kMantissaMask = (std::uint64_t{1} << kMantissaBits) - 1;

// ln 2 in two parts: the first has 21 trailing zero bits, so that its product with any exponent of
// a double is exact.
constexpr double kLn2High = 0x1.62e42fee00000p-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kSqrt2 = 0x1.6a09e667f3bcdp+0;

/// 2^exponent for exponents of normal doubles.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kExponentBias)
                               << kMantissaBits);
}

/// c[0] + c[1] x + c[2] x^2 + ...
template <int kTerms>
double polynomial(const double (&c)[kTerms], double x) {
  double sum = c[kTerms - 1];
  for (int i = kTerms - 2; i >= 0; --i) sum = sum * x + c[i];
  return sum;
}

}  // namespace

double det_log(double x) {
  int exponent = 0;
  if (x < std::numeric_limits<double>::min()) {  // A subnormal: scale it into the normal range.
    x *= 0x1p54;
    exponent = -54;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  exponent += static_cast<int>(bits >> kMantissaBits) - kExponentBias;
  double mantissa = std::bit_cast<double>((bits & kMantissaMask) |
                                          (std::uint64_t{kExponentBias} << kMantissaBits));
  if (mantissa > kSqrt2) {  // Into [1/sqrt 2, sqrt 2], where the series below converges fastest.
    mantissa *= 0.5;
    ++exponent;
  }
  // ln m = 2 artanh(s) = 2 (s + s^3/3 + s^5/5 + ...) with s = (m - 1) / (m + 1), |s| < 0.172.
  const double s = (mantissa - 1) / (mantissa + 1);
  const double s2 = s * s;
  double series = 0;
  for (int k = 23; k >= 3; k -= 2) series = (series + 1.0 / k) * s2;
  return exponent * kLn2High + (exponent * kLn2Low + (2 * s + 2 * s * series));
}

double det_exp(double x) {
  if (x > 709.0) return std::numeric_limits<double>::infinity();
  if (x < -708.0) return 0;
  // x = k ln 2 + r with |r| <= ln 2 / 2, so that e^x = 2^k e^r, and e^r by its series.
  const double scaled = x * (1 / 0.6931471805599453);
  const int k = static_cast<int>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double series = 1;
  for (int term = 14; term >= 1; --term) series = 1 + series * r / term;
  return series * power_of_two(k);
}

double det_pow(double base, double exponent) { return det_exp(exponent * det_log(base)); }

// Algorithm AS 241 (M. J. Wichura, Applied Statistics 37, 1988), the variant for 16 digits: a ratio
// of two polynomials in the middle, two others in sqrt(-ln p) for the tails. The coefficients are
// the paper's.
double normal_quantile(double p) {
  static constexpr double kMiddleAbove[] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                            1.9715909503065514427e3, 1.3731693765509461125e4,
                                            4.5921953931549871457e4, 6.7265770927008700853e4,
                                            3.3430575583588128105e4, 2.5090809287301226727e3};
  static constexpr double kMiddleBelow[] = {1.0,
                                            4.2313330701600911252e1,
                                            6.8718700749205790830e2,
                                            5.3941960214247511077e3,
                                            2.1213794301586595867e4,
                                            3.9307895800092710610e4,
                                            2.8729085735721942674e4,
                                            5.2264952788528545610e3};
  static constexpr double kTailAbove[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                                          5.76949722146069140550e0,  3.64784832476320460504e0,
                                          1.27045825245236838258e0,  2.41780725177450611770e-1,
                                          2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr double kTailBelow[] = {1.0,
                                          2.05319162663775882187e0,
                                          1.67638483018380384940e0,
                                          6.89767334985100004550e-1,
                                          1.48103976427480074590e-1,
                                          1.51986665636164571966e-2,
                                          5.47593808499534494600e-4,
                                          1.05075007164441684324e-9};
  static constexpr double kFarTailAbove[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                                             1.78482653991729133580e0,  2.96560571828504891230e-1,
                                             2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                             2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr double kFarTailBelow[] = {1.0,
                                             5.99832206555887937690e-1,
                                             1.36929880922735805310e-1,
                                             1.48753612908506148525e-2,
                                             7.86869131145613259100e-4,
                                             1.84631831751005468180e-5,
                                             1.42151175831644588870e-7,
                                             2.04426310338993978564e-15};

  const double q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kMiddleAbove, r) / polynomial(kMiddleBelow, r);
  }
  const double r = std::sqrt(-det_log(q < 0 ? p : 1 - p));
  const double z = r <= 5 ? polynomial(kTailAbove, r - 1.6) / polynomial(kTailBelow, r - 1.6)
                          : polynomial(kFarTailAbove, r - 5) / polynomial(kFarTailBelow, r - 5);
  return q < 0 ? -z : z;
}

}  // namespace timerbench::workloads
