// A hierarchical wheel whose wheels do not slide: placement by the highest digit that differs.
//
// Choose it for what hierarchical_wheel is good at. It places a job with one xor and a count of
// zeros, and at a tick of 1 what waited in it never needs a sort. Choose hierarchical_wheel where
// someone asks in which slot a job waits, where W is no power of two, or where wheels should be
// made only when a deadline needs them. The placement is that of tokio's timer wheel; as a
// structure it is Varghese and Lauck's scheme 7 (SOSP 1987) with windows that do not slide.
//
// Write ticks in base W. Wheel k is indexed by digit k. A job goes into the wheel of the highest
// digit in which its expiry differs from the clock, into the slot of that digit. So the jobs of
// wheel k agree with the clock in all higher digits, and are later than every job of the wheels
// below it.
//
// Two jobs of one deadline differ from the clock in the same digit, hence always share a slot;
// lists keep their order, also through cascades. That is what the contract's sliding windows cannot
// promise, and why this wheel does not claim `where`.
//
// Example, W = 4, at tick 3 (03 in base 4), jobs at ticks 5 (11) and 4 (10): both differ in digit
// 1, both wait in wheel 1's slot 1. (With sliding windows both would be in wheel 0.) When the clock
// enters 4 (10) the slot cascades: 4 is due, 5 goes to wheel 0's slot 1.
//
// Invariants: A1 every waiting job is later than the clock;
//             A2 it waits in the wheel of its highest digit that differs from the clock's, in that
//             digit's slot. So no wheel holds a job at or before the clock's digit.
// Costs:      schedule and cancel O(1); advance O(fired + moved + L a slot entered), where
//             L = 64 / log2 W is all wheels there can be; each job moves at most L - 1 times;
//             next_expiry O(L W / 64 + the jobs of one slot).
// Memory:     a hook in the node (12 bytes linked, 4 chunked); 8 bytes and a bit for each of the
//             L W slots, made at once.
// Horizon:    none.
// Parameter:  wheel_size W, a power of two.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "timerbench/family.hpp"
#include "timerbench/scheduler.hpp"
#include "timerbench/slot_lists.hpp"

namespace timerbench {

/// `Store` says how slots are kept: LinkedSlots (slot_lists.hpp) or ChunkedSlots (chunk_lists.hpp).
template <class Work = NoWork, class Store = LinkedSlots>
class AlignedWheel {
 public:
  using Hook = typename Store::Hook;
  using Pool = JobPool<Hook>;

  static constexpr std::uint32_t kLargestWheel = std::uint32_t{1} << 16;

  /// Errors: std::invalid_argument unless the wheel size is a power of two from 2 to 2^16.
  AlignedWheel(Pool& pool, QueueConfig config)
      : pool_(pool),
        digit_bits_(checked_bits(config.parameter)),
        wheels_((64 + digit_bits_ - 1) / digit_bits_),
        current_(key_of(config.start)),
        slots_(wheels_ << digit_bits_) {}

  void insert(JobIndex job, Tick expiry) { slots_.append(pool_, slot_for(key_of(expiry)), job); }

  void erase(JobIndex job) { slots_.erase(pool_, job); }

  template <class Sink>
  void advance(Tick tick, Sink sink) {
    const std::uint64_t target = key_of(tick);
    while (current_ < target) {
      const Event event = next_event(target);
      if (event.slot == Occupancy::kNone || event.key > target) break;
      current_ = event.key;
      work_.slot_visited();
      if (event.wheel == 0) {
        slots_.take(pool_, event.slot, sink);
      } else {
        cascade(event.slot, sink);
      }
    }
    current_ = target;
  }

  std::optional<Tick> next_expiry() const {
    const Event event = next_event(kLast);
    if (event.slot == Occupancy::kNone) return std::nullopt;
    if (event.wheel == 0) return tick_of(event.key);
    std::optional<Tick> next;
    slots_.for_each(pool_, event.slot, [&](JobIndex job) {
      work_.job_visited();
      const Tick expiry = pool_.expiry(job);
      if (!next || expiry < *next) next = expiry;
    });
    return next;
  }

  void check_invariants() const {
    slots_.check_invariants(pool_, [this](std::uint32_t slot, JobIndex job) {
      const std::uint64_t expiry = key_of(pool_.expiry(job));
      if (expiry <= current_) throw std::logic_error("A1: a waiting job is after the clock");
      if (slot != slot_for(expiry))
        throw std::logic_error("A2: a job is where its highest new digit says");
    });
  }

  /// How many wheels there are: all that 64 bits can need, from the start.
  std::size_t levels() const { return wheels_; }

  const Work& work() const { return work_; }

 private:
  /// Ticks with the sign bit flipped order as unsigned numbers and have digits, negative ones too.
  static constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kLast = ~std::uint64_t{0};
  static std::uint64_t key_of(Tick tick) { return static_cast<std::uint64_t>(tick.number) ^ kSign; }
  static Tick tick_of(std::uint64_t key) { return Tick{static_cast<std::int64_t>(key ^ kSign)}; }

  static std::uint32_t checked_bits(std::uint32_t slots) {
    if (slots < 2 || slots > kLargestWheel || !std::has_single_bit(slots)) {
      throw_invalid("wheel_size", slots,
                    "a power of two from 2 to " + std::to_string(kLargestWheel));
    }
    return static_cast<std::uint32_t>(std::countr_zero(slots));
  }

  /// A slot that has to be emptied when the clock comes to `key`; `slot` is kNone if there is none.
  struct Event {
    std::uint64_t key = kLast;
    std::uint32_t wheel = 0;
    std::uint32_t slot = Occupancy::kNone;
  };

  std::uint32_t digit(std::uint64_t key, std::uint32_t wheel) const {
    return static_cast<std::uint32_t>(key >> (wheel * digit_bits_)) & ((1u << digit_bits_) - 1);
  }

  /// All wheels' slots are numbered through: wheel above digit.
  std::uint32_t slot_number(std::uint32_t wheel, std::uint32_t digit) const {
    return (wheel << digit_bits_) + digit;
  }

  /// The placement rule, for a key after the clock's.
  std::uint32_t slot_for(std::uint64_t key) const {
    const auto highest_bit = static_cast<std::uint32_t>(63 - std::countl_zero(key ^ current_));
    const std::uint32_t wheel = highest_bit / digit_bits_;
    return slot_number(wheel, digit(key, wheel));
  }

  /// The first slot in use after the clock, or one after `limit`. The lowest wheel that holds a job
  /// holds the first.
  Event next_event(std::uint64_t limit) const {
    for (std::uint32_t wheel = 0; wheel < wheels_; ++wheel) {
      const std::uint32_t begin = slot_number(wheel, digit(current_, wheel)) + 1;
      const std::uint32_t slot = slots_.occupied().find(begin, slot_number(wheel + 1, 0), work_);
      const std::uint32_t shift = wheel * digit_bits_;
      if (slot != Occupancy::kNone) {
        const std::uint64_t above = shift + digit_bits_ < 64
                                        ? current_ >> (shift + digit_bits_) << (shift + digit_bits_)
                                        : 0;
        const std::uint64_t key = above | (std::uint64_t{slot - slot_number(wheel, 0)} << shift);
        return {key, wheel, slot};
      }
      // Nothing in this wheel: the next slot begins at the earliest where its digit runs over.
      const std::uint32_t next_shift = shift + digit_bits_;
      if (next_shift >= 64 || (limit >> next_shift) == (current_ >> next_shift)) break;
    }
    return {};
  }

  template <class Sink>
  void cascade(std::uint32_t slot, Sink& sink) {
    slots_.take(pool_, slot, [&](JobIndex job) {
      const std::uint64_t expiry = key_of(pool_.expiry(job));
      if (expiry == current_) {
        sink(job);
      } else {
        work_.job_moved();
        slots_.append(pool_, slot_for(expiry), job);
      }
    });
  }

  Pool& pool_;
  std::uint32_t digit_bits_;
  std::uint32_t wheels_;
  std::uint64_t current_;
  typename Store::template Lists<Pool> slots_;
  [[no_unique_address]] mutable Work work_;
};

/// Of both families over this wheel.
inline constexpr std::array<std::uint32_t, 4> kAlignedWheelSweep{16, 64, 256, 4096};
inline constexpr Parameter kAlignedWheelSize{
    .name = kWheelSize,
    .default_value = 256,
    .minimum = 2,
    .maximum = AlignedWheel<>::kLargestWheel,
    .sweep = kAlignedWheelSweep,
    .power_of_two = true,
};

struct AlignedWheelFamily {
  static constexpr FamilyInfo kInfo{
      .name = "aligned_wheel",
      .summary =
          "wheels of wheels placed by the highest differing digit; ties stay in order without a "
          "sort",
      .source = "Varghese and Lauck 1987, scheme 7; placement as in tokio",
      .parameter = kAlignedWheelSize,
      .costs = {"O(1)", "O(1)", "O(fired + moved + L a slot entered)",
                "O(L W/64 + jobs of a slot)"},
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t /*wheel_size*/, Visitor&& visitor) {
    visitor.template operator()<AlignedWheel<Work>>();
  }
};

}  // namespace timerbench
