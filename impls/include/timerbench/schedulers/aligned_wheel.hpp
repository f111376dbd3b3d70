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
// Costs:      schedule and cancel O(1); advance O(fired + moved); each job moves at most L - 1
//             times, where L = 64 / log2 W is all wheels there can be;
//             next_expiry O(the jobs of one slot).
// Memory:     a hook in the node (12 bytes linked, 4 chunked); 8 bytes and a bit for each of the
//             L W slots, made at once.
// Horizon:    none.
// Parameter:  wheel_size W, a power of two.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "timerbench/aligned_digits.hpp"
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

  /// Errors: std::invalid_argument unless the wheel size is a power of two from 2 to 2^16.
  AlignedWheel(Pool& pool, QueueConfig config)
      : pool_(pool),
        digits_(config.parameter, key_of(config.start)),
        slots_(digits_.slots()) {}

  void insert(JobIndex job, Tick expiry) {
    slots_.append(pool_, digits_.slot_for(key_of(expiry)), job);
  }

  void erase(JobIndex job) { slots_.erase(pool_, job); }

  template <class Sink>
  void advance(Tick tick, Sink sink) {
    const TickKey target = key_of(tick);
    while (true) {
      const std::uint32_t slot = slots_.occupied().first();
      if (slot == Occupancy::kNone) break;
      const TickKey begin = digits_.begin_of(slot);
      if (begin > target) break;
      work_.slot_visited();
      digits_.set_clock(begin);
      if (digits_.is_finest(slot)) {
        slots_.take(pool_, slot, sink);
      } else {
        cascade(slot, target, sink);
      }
    }
    digits_.set_clock(target);
  }

  std::optional<Tick> next_expiry() const {
    const std::uint32_t slot = slots_.occupied().first();
    if (slot == Occupancy::kNone) return std::nullopt;
    if (digits_.is_finest(slot)) return tick_of(digits_.begin_of(slot));
    std::optional<Tick> next;
    slots_.for_each(pool_, slot, [&](JobIndex job) {
      work_.job_visited();
      const Tick expiry = pool_.expiry(job);
      if (!next || expiry < *next) next = expiry;
    });
    return next;
  }

  void check_invariants() const {
    slots_.check_invariants(pool_, [this](std::uint32_t slot, JobIndex job) {
      const TickKey expiry = key_of(pool_.expiry(job));
      if (expiry <= digits_.clock()) throw std::logic_error("A1: a waiting job is after the clock");
      if (slot != digits_.slot_for(expiry))
        throw std::logic_error("A2: a job is where its highest new digit says");
    });
  }

  /// How many wheels there are: all that 64 bits can need, from the start.
  std::size_t levels() const { return digits_.wheels(); }

  const Work& work() const { return work_; }

 private:
  /// Empties a slot that the clock has just entered: its jobs are due or move down.
  template <class Sink>
  void cascade(std::uint32_t slot, TickKey target, Sink& sink) {
    // A job alone in the first slot is the first of all. If it is due on the way, the clock goes
    // straight to it.
    const JobIndex lone = slots_.lone(slot);
    if (lone != kNoJob) {
      const TickKey expiry = key_of(pool_.expiry(lone));
      if (expiry <= target) digits_.set_clock(expiry);
    }
    slots_.take(pool_, slot, [&](JobIndex job) {
      const TickKey expiry = key_of(pool_.expiry(job));
      if (expiry == digits_.clock()) {
        sink(job);
      } else {
        work_.job_moved();
        slots_.append(pool_, digits_.slot_for(expiry), job);
      }
    });
  }

  Pool& pool_;
  AlignedDigits digits_;
  typename Store::template Lists<Pool> slots_;
  [[no_unique_address]] mutable Work work_;
};

/// Of both families over this wheel.
inline constexpr std::array<std::uint32_t, 4> kAlignedWheelSweep{16, 64, 256, 4096};
inline constexpr Parameter kAlignedWheelSize{
    .name = kWheelSize,
    .default_value = 256,
    .minimum = 2,
    .maximum = AlignedDigits::kLargestWheel,
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
      .costs = {"O(1)", "O(1)", "O(fired + moved)",
                "O(jobs of a slot)"},
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t /*wheel_size*/, Visitor&& visitor) {
    visitor.template operator()<AlignedWheel<Work>>();
  }
};

}  // namespace timerbench
