// Where a job waits in wheels that do not slide: the digits of its expiry decide.
//
// Write ticks in base W. Wheel k is indexed by digit k. A job goes into the wheel of the highest
// digit in which its expiry differs from the clock, into the slot of that digit. So the jobs of
// wheel k agree with the clock in all higher digits, and are later than every job of the wheels
// below it. Slots are numbered through, lowest wheel first; so the first slot in use, by its number,
// is the one that the clock enters first.
//
// This is the geometry of the wheels in schedulers/ that are aligned; what a slot is and who is
// moved when belongs to them.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "timerbench/errors.hpp"
#include "timerbench/time.hpp"

namespace timerbench {

/// A tick as a number with digits: the sign bit is flipped, so negative ticks have digits too and
/// keys order as ticks do.
using TickKey = std::uint64_t;

inline constexpr TickKey kLastKey = ~TickKey{0};

constexpr TickKey key_of(Tick tick) {
  return static_cast<TickKey>(tick.number) ^ (TickKey{1} << 63);
}
constexpr Tick tick_of(TickKey key) {
  return Tick{static_cast<std::int64_t>(key ^ (TickKey{1} << 63))};
}

/// All operations are O(1).
class AlignedDigits {
 public:
  static constexpr std::uint32_t kLargestWheel = std::uint32_t{1} << 16;

  /// Errors: std::invalid_argument unless the wheel size is a power of two from 2 to 2^16.
  AlignedDigits(std::uint32_t wheel_size, TickKey clock)
      : digit_bits_(checked_bits(wheel_size)),
        reciprocal_((kOne + digit_bits_ - 1) / digit_bits_),
        wheels_((64 + digit_bits_ - 1) / digit_bits_),
        clock_(clock) {}

  /// As many wheels as 64 bits can need.
  std::uint32_t wheels() const { return wheels_; }
  /// All wheels' slots are numbered through: wheel above digit.
  std::uint32_t slots() const { return wheels_ << digit_bits_; }

  TickKey clock() const { return clock_; }
  void set_clock(TickKey key) { clock_ = key; }

  /// The placement rule, for a key after the clock.
  std::uint32_t slot_for(TickKey key) const {
    const auto highest_bit = static_cast<std::uint32_t>(63 - std::countl_zero(key ^ clock_));
    const std::uint32_t wheel = highest_bit * reciprocal_ / kOne;  // highest_bit / digit_bits_
    return (wheel << digit_bits_) + digit(key, wheel);
  }

  /// When the clock enters a slot that is ahead of it: the least key that belongs there.
  TickKey begin_of(std::uint32_t slot) const {
    const std::uint32_t wheel = slot >> digit_bits_;
    const std::uint32_t shift = wheel * digit_bits_;
    const std::uint32_t above = shift + digit_bits_;
    const TickKey higher_digits = above < 64 ? clock_ >> above << above : 0;
    return higher_digits | (TickKey{slot & digit_mask()} << shift);
  }

  /// Whether the key belongs into the slot, which is ahead of the clock.
  bool belongs(TickKey key, std::uint32_t slot) const {
    const std::uint32_t shift = (slot >> digit_bits_) * digit_bits_;
    return key >> shift == begin_of(slot) >> shift;
  }

  /// Whether the slot is one of wheel 0, whose slots are one tick each.
  bool is_finest(std::uint32_t slot) const { return slot >> digit_bits_ == 0; }

 private:
  /// Of a fixed-point number; fine enough to divide what is below 64 by what is at most 16.
  static constexpr std::uint32_t kOne = 1024;

  static std::uint32_t checked_bits(std::uint32_t slots) {
    if (slots < 2 || slots > kLargestWheel || !std::has_single_bit(slots)) {
      throw_invalid("wheel_size", slots,
                    "a power of two from 2 to " + std::to_string(kLargestWheel));
    }
    return static_cast<std::uint32_t>(std::countr_zero(slots));
  }

  std::uint32_t digit_mask() const { return (std::uint32_t{1} << digit_bits_) - 1; }
  std::uint32_t digit(TickKey key, std::uint32_t wheel) const {
    return static_cast<std::uint32_t>(key >> (wheel * digit_bits_)) & digit_mask();
  }

  std::uint32_t digit_bits_;
  std::uint32_t reciprocal_;  ///< 1 / digit_bits_, rounded up: a division would be the dearest step.
  std::uint32_t wheels_;
  TickKey clock_;
};

}  // namespace timerbench
