// Logarithm, exponential and normal quantile, equal to the bit on every compiler and platform.
//
// The standard library's versions differ between platforms in the last digits, and one digit is
// enough to move a deadline by a millisecond and change every op stream after it. These use nothing
// but the operations that IEEE 754 rounds correctly (+ - * / and square root) and the bits of a
// double, and are compiled in one source with contraction to fused multiply-add switched off. (An
// x87 unit, which keeps intermediate results in 80 bits, is not a target.)
//
// Accurate to about 1e-15 relative, far better than any duration here is known; tests compare with
// libm.
#pragma once

namespace timerbench::workloads {

/// Natural logarithm. Requires: x > 0 and finite.
double det_log(double x);

/// e^x; 0 below about -708 (no subnormal results), infinity above about 709.
double det_exp(double x);

/// base^exponent. Requires: base > 0 and finite.
double det_pow(double base, double exponent);

/// The z for which a standard normal variable is below z with probability p. Requires: 0 < p < 1.
double normal_quantile(double p);

}  // namespace timerbench::workloads
