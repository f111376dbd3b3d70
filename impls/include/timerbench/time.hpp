// Times, ticks and the rounding between them.
//
// A Time is whatever unit the caller counts in (milliseconds by convention). A Tick is the number
// of a tick: tick `t` is the instant `t * T`, where `T >= 1` is the tick's length in the caller's
// unit. The two are different types, so that an instant cannot be passed where a tick number is
// meant.
//
// All divisions are floor divisions and all remainders are in [0, divisor), for negative times too.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

#include "timerbench/errors.hpp"

namespace timerbench {

/// An instant or a length in the caller's unit; signed, so that times before the epoch work.
using Time = std::int64_t;

/// The number of a tick. Distances between ticks are plain unsigned integers, because the distance
/// between two 64-bit ticks needs all 64 bits.
struct Tick {
  std::int64_t number = 0;

  friend constexpr auto operator<=>(Tick, Tick) = default;
};

/// floor(a / b) for b > 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient - static_cast<std::int64_t>(a % b < 0);
}

/// a - floor(a / b) * b, which is in [0, b), for b > 0.
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  const std::int64_t remainder = a % b;
  return remainder < 0 ? remainder + b : remainder;
}

/// ceil(a / b) for b > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient + static_cast<std::int64_t>(a % b > 0);
}

/// How many ticks lie from `from` to `to`, where `from <= to`. Never overflows.
constexpr std::uint64_t ticks_between(Tick from, Tick to) {
  return static_cast<std::uint64_t>(to.number) - static_cast<std::uint64_t>(from.number);
}

/// `from` moved on by `distance` ticks; the caller knows that the result is representable.
constexpr Tick tick_after(Tick from, std::uint64_t distance) {
  return Tick{static_cast<std::int64_t>(static_cast<std::uint64_t>(from.number) + distance)};
}

/// Converts between times and ticks for one tick length.
class TickScale {
 public:
  /// Errors: std::invalid_argument if `tick_length < 1`.
  explicit TickScale(Time tick_length) : length_(tick_length) {
    if (tick_length < 1) throw_invalid("tick", tick_length, "at least 1");
    last_ = std::numeric_limits<Time>::max() / tick_length;
  }

  Time tick_length() const { return length_; }

  /// The first tick at which a job with this deadline is due: ceil(deadline / T), so that a job
  /// never fires early and fires less than one tick late.
  /// Errors: std::invalid_argument if the instant of that tick is not representable in 64 bits.
  Tick expiry(Time deadline) const {
    if (length_ == 1) return Tick{deadline};  // The common case, and it saves a division.
    const std::int64_t expiry = ceil_div(deadline, length_);
    if (expiry > last_) throw_unrepresentable(deadline);
    return Tick{expiry};
  }

  /// The last tick that has begun at `now`: floor(now / T).
  Tick floor(Time now) const { return Tick{length_ == 1 ? now : floor_div(now, length_)}; }

  /// The instant of a tick. The caller knows it to be representable: it is for every expiry that
  /// expiry() returned, and for every tick between two such.
  Time time(Tick tick) const { return tick.number * length_; }

 private:
  [[noreturn, gnu::cold]] void throw_unrepresentable(Time deadline) const {
    throw_invalid("deadline", deadline,
                  "at most " + std::to_string(last_ * length_) +
                      ", so that its expiry, rounded up to a tick of " + std::to_string(length_) +
                      ", fits into 64 bits");
  }

  Time length_;
  std::int64_t last_ = 0;  ///< The greatest tick number whose instant is representable.
};

}  // namespace timerbench
