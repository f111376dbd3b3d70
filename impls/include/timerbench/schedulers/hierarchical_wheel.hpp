// The hierarchical timing wheel, to the contract's own placement and cascade rules.
//
// Choose it when most jobs are cancelled or re-armed before they are due, when there are many of
// them, or when deadlines lie from milliseconds to months ahead: schedule and cancel do not depend
// on how many jobs there are. It is scheme 7 of Varghese and Lauck (SOSP 1987), with overflow
// wheels made on demand as Kafka's purgatory does. Choose a heap for a few jobs whose next expiry
// is asked for all the time.
//
// Wheel k has W slots of W^k ticks. A job goes into the finest wheel whose window of W slots, the
// current one included, reaches its expiry. When the clock enters a slot of an overflow wheel (k >
// 0), the slot's jobs are placed again, each into a finer wheel: the cascade.
//
// Example, W = 4, one digit per slot, at tick 0 with jobs at ticks 3, 4 and 17:
//
//              wheel 2               wheel 1              wheel 0
//              (16 ticks a slot)     (4 ticks a slot)     (1 tick a slot)
//     tick  0  .  17 .  .            .  4  .  .           .  .  .  3
//     tick  4  .  17 .  .            .  .  .  .           .  .  .  .       3 and 4 have fired
//     tick 16  .  .  .  .            .  .  .  .           .  17 .  .       17 has cascaded
//
// The clock does not walk over empty ticks: bitmaps of the slots in use tell where something
// happens next. HierarchicalWheelStepping (hierarchical_wheel_stepping.hpp) is this wheel with a
// clock that walks.
//
// Wheel 0's window slides with the clock, so two jobs of one deadline can wait in different wheels,
// and a slot's list is in schedule order only if its jobs came by one way. The batch is sorted
// where needed.
//
// Invariants: W1 every waiting job is later than the clock and inside its wheel's window;
//             W2 its slot is floor(expiry / W^k) mod W;
//             W3 no overflow wheel's slot that holds a job begins before the next-cascade bound.
// Costs:      schedule O(L), cancel O(1), advance O(fired + moved + L a slot entered), where L is
//             the wheels in use, at most log_W of the longest delay; each job moves at most L - 1
//             times; next_expiry O(L W / 64 + the jobs of L - 1 slots).
// Memory:     a 12-byte hook in the node; 8 bytes and a bit for each slot of the wheels in use.
// Horizon:    none.
// Parameter:  wheel_size W >= 2; powers of two replace divisions by shifts.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "timerbench/family.hpp"
#include "timerbench/scheduler.hpp"
#include "timerbench/slot_lists.hpp"

namespace timerbench {

/// The slot span W^k of wheel k, as a divisor of ticks.
class SlotSpan {
 public:
  /// Wheel 0's: one tick.
  SlotSpan() = default;

  /// The next coarser wheel's: W times as long. A span beyond 64 bits still divides right: every
  /// tick is then in slot 0 or -1, which a shift by 63 computes.
  SlotSpan times(std::uint32_t wheel_size) const {
    SlotSpan span;
    if (shift_ == kFarthestShift ||
        ticks_ > std::numeric_limits<std::int64_t>::max() / std::int64_t{wheel_size}) {
      span.shift_ = kFarthestShift;
      span.ticks_ = 0;  // Slot 0 begins at tick 0; the other one never begins.
      return span;
    }
    span.ticks_ = ticks_ * wheel_size;
    const auto unsigned_ticks = static_cast<std::uint64_t>(span.ticks_);
    span.shift_ = std::has_single_bit(unsigned_ticks) ? std::countr_zero(unsigned_ticks) : kNoShift;
    return span;
  }

  /// Which slot a tick is in, counted from tick 0: floor(tick / W^k).
  std::int64_t number(Tick tick) const {
    return shift_ >= 0 ? tick.number >> shift_ : floor_div(tick.number, ticks_);
  }

  /// The first tick of a slot that begins within 64 bits; every slot after the clock's does.
  Tick begin(std::int64_t number) const { return Tick{number * ticks_}; }

  /// Whether a slot begins at this tick. begin() could not tell: where W is no power of two, the
  /// slot of a tick near -2^63 begins before all ticks.
  bool begins_at(Tick tick) const {
    if (shift_ < 0) return tick.number % ticks_ == 0;
    const std::uint64_t below_span = (std::uint64_t{1} << shift_) - 1;
    return (static_cast<std::uint64_t>(tick.number) & below_span) == 0;
  }

 private:
  static constexpr int kNoShift = -1;
  static constexpr int kFarthestShift = 63;

  std::int64_t ticks_ = 1;
  int shift_ = 0;  ///< log2(ticks_) where that is whole, otherwise kNoShift.
};

/// How the clock gets across empty ticks.
enum class Clock { kJumps, kSteps };

template <class Work = NoWork, Clock kClock = Clock::kJumps>
class HierarchicalWheel {
 public:
  using Hook = SlotHook;
  using Pool = JobPool<Hook>;

  /// A location packs into a hook's 32 bits, wheel above slot: at most 64 wheels of 2^26 slots.
  static constexpr std::uint32_t kLargestWheel = std::uint32_t{1} << 20;

  /// Errors: std::invalid_argument unless 2 <= wheel size <= 2^20.
  HierarchicalWheel(Pool& pool, QueueConfig config)
      : pool_(pool), wheel_size_(config.parameter), current_(config.start) {
    if (wheel_size_ < 2 || wheel_size_ > kLargestWheel) {
      throw_invalid("wheel_size", wheel_size_, "2 to " + std::to_string(kLargestWheel));
    }
    wheels_.emplace_back(SlotSpan(), wheel_size_);
  }

  void insert(JobIndex job, Tick expiry) {
    const Location place = place_for(expiry);
    wheels_[place.wheel].slots.append(pool_, place.slot, job, label(place));
    if (place.wheel > 0) {
      const SlotSpan& span = wheels_[place.wheel].span;
      const Tick slot_begin = span.begin(span.number(expiry));
      if (slot_begin < next_cascade_) next_cascade_ = slot_begin;
    }
  }

  void erase(JobIndex job) {
    const Location place = location(job);
    wheels_[place.wheel].slots.erase(pool_, place.slot, job);
  }

  template <class Sink>
  void advance(Tick tick, Sink sink) {
    if constexpr (kClock == Clock::kSteps) {
      while (current_ < tick) {
        current_ = tick_after(current_, 1);
        enter_tick(sink);
      }
    } else {
      while (current_ < tick) {
        const Tick next = next_eventful_tick(tick);
        if (next > tick) {
          current_ = tick;
          break;
        }
        current_ = next;
        const bool cascades = next == next_cascade_;
        enter_tick(sink);
        if (cascades) next_cascade_ = earliest_cascade();
      }
    }
  }

  std::optional<Tick> next_expiry() const {
    std::optional<Tick> next;
    for (std::size_t k = 0; k < wheels_.size(); ++k) {
      const std::optional<std::int64_t> number = next_slot_in_use(k, wheel_size_ - 1);
      if (!number) continue;
      const Tick slot_begin = wheels_[k].span.begin(*number);
      if (next && *next <= slot_begin) continue;  // Nothing in this slot can be earlier.
      if (k == 0) {
        next = slot_begin;  // One tick a slot.
        continue;
      }
      for (JobIndex job = wheels_[k].slots.first(slot_of(*number)); job != kNoJob;
           job = pool_.hook(job).next) {
        work_.job_visited();
        const Tick expiry = pool_.expiry(job);
        if (!next || expiry < *next) next = expiry;
      }
    }
    return next;
  }

  /// Where a waiting job is.
  Location location(JobIndex job) const {
    const std::uint32_t packed = pool_.hook(job).slot;
    return {.wheel = packed >> kSlotBits, .slot = packed & kSlotMask};
  }

  /// How many wheels there are: wheel 0 and the overflow wheels made so far.
  std::size_t levels() const { return wheels_.size(); }

  void check_invariants() const {
    for (std::uint32_t k = 0; k < wheels_.size(); ++k) {
      const Wheel& wheel = wheels_[k];
      const auto label_of = [k](std::uint32_t slot) { return label({.wheel = k, .slot = slot}); };
      wheel.slots.check_invariants(pool_, label_of, [&](std::uint32_t slot, JobIndex job) {
        const Tick expiry = pool_.expiry(job);
        const std::int64_t number = wheel.span.number(expiry);
        if (expiry <= current_ || !in_window(wheel.span, expiry)) {
          throw std::logic_error("W1: a waiting job is after the clock, inside its wheel's window");
        }
        if (slot_of(number) != slot) throw std::logic_error("W2: slot = floor(expiry / W^k) mod W");
        if (kClock == Clock::kJumps && k > 0 && wheel.span.begin(number) < next_cascade_) {
          throw std::logic_error("W3: no cascade is before the bound");
        }
      });
    }
  }

  const Work& work() const { return work_; }

 private:
  static constexpr std::uint32_t kSlotBits = 26;
  static constexpr std::uint32_t kSlotMask = (std::uint32_t{1} << kSlotBits) - 1;
  /// No cascade is due. It is a tick like any other and may be entered; that finds nothing to do.
  static constexpr Tick kNever{std::numeric_limits<std::int64_t>::max()};

  struct Wheel {
    Wheel(SlotSpan slot_span, std::uint32_t size) : span(slot_span), slots(size) {}

    SlotSpan span;
    SlotLists<Pool> slots;
  };

  static std::uint32_t label(Location place) { return (place.wheel << kSlotBits) | place.slot; }

  std::uint32_t slot_of(std::int64_t number) const {
    if (std::has_single_bit(wheel_size_)) {
      return static_cast<std::uint32_t>(number) & (wheel_size_ - 1);
    }
    return static_cast<std::uint32_t>(floor_mod(number, wheel_size_));
  }

  /// Whether a tick that is not before the clock is in the window of the wheel with this span.
  bool in_window(const SlotSpan& span, Tick tick) const {
    return ticks_between(Tick{span.number(current_)}, Tick{span.number(tick)}) < wheel_size_;
  }

  /// The placement rule: the finest wheel whose window has the expiry. Makes the wheels it needs.
  Location place_for(Tick expiry) {
    std::uint32_t k = 0;
    while (!in_window(wheels_[k].span, expiry)) {
      if (++k == wheels_.size())
        wheels_.emplace_back(wheels_.back().span.times(wheel_size_), wheel_size_);
    }
    return {.wheel = k, .slot = slot_of(wheels_[k].span.number(expiry))};
  }

  /// The clock has come to `current_`: empties the overflow wheels' slots that begin now, from the
  /// coarsest down, then wheel 0's slot, whose jobs are due.
  template <class Sink>
  void enter_tick(Sink& sink) {
    for (std::size_t k = coarsest_slot_that_begins(); k > 0; --k) cascade(wheels_[k], sink);
    work_.slot_visited();
    wheels_[0].slots.take(pool_, slot_of(current_.number), sink);
  }

  /// The coarsest wheel one of whose slots begins at the current tick (0 if none but wheel 0's).
  /// Slots nest, so the slots of all finer wheels begin with it.
  std::size_t coarsest_slot_that_begins() const {
    std::size_t k = 0;
    while (k + 1 < wheels_.size()) {
      if (!wheels_[k + 1].span.begins_at(current_)) break;
      ++k;
    }
    return k;
  }

  template <class Sink>
  void cascade(Wheel& wheel, Sink& sink) {
    work_.slot_visited();
    wheel.slots.take(pool_, slot_of(wheel.span.number(current_)), [&](JobIndex job) {
      const Tick expiry = pool_.expiry(job);
      if (expiry <= current_) {
        sink(job);
      } else {
        work_.job_moved();
        insert(job, expiry);
      }
    });
  }

  /// The first tick after the clock at which a slot must be emptied, or one after `limit`.
  Tick next_eventful_tick(Tick limit) const {
    const std::uint64_t distance = ticks_between(current_, limit);
    const std::uint32_t reach = wheel_size_ - 1;
    const std::optional<std::int64_t> due =
        next_slot_in_use(0, distance < reach ? static_cast<std::uint32_t>(distance) : reach);
    return due && Tick{*due} < next_cascade_ ? Tick{*due} : next_cascade_;
  }

  /// The number of the first slot of wheel k after the current one that holds a job, at most
  /// `reach` slots ahead.
  std::optional<std::int64_t> next_slot_in_use(std::size_t k, std::uint32_t reach) const {
    const std::int64_t number = wheels_[k].span.number(current_);
    const std::uint32_t distance =
        wheels_[k].slots.occupied().distance_to_next(slot_of(number), reach, work_);
    if (distance == Occupancy::kNone) return std::nullopt;
    return number + distance;
  }

  Tick earliest_cascade() const {
    Tick earliest = kNever;
    for (std::size_t k = 1; k < wheels_.size(); ++k) {
      const std::optional<std::int64_t> number = next_slot_in_use(k, wheel_size_ - 1);
      if (number && wheels_[k].span.begin(*number) < earliest)
        earliest = wheels_[k].span.begin(*number);
    }
    return earliest;
  }

  Pool& pool_;
  std::uint32_t wheel_size_;
  Tick current_;
  /// No cascade moves a job before this tick. Cancelling may leave it early, never late.
  Tick next_cascade_ = kNever;
  std::vector<Wheel> wheels_;
  [[no_unique_address]] mutable Work work_;
};

/// What the jumping and the stepping wheel have in common to say.
inline constexpr std::array<std::uint32_t, 4> kWheelSizeSweep{16, 64, 256, 4096};
inline constexpr Parameter kHierarchicalWheelSize{
    .name = kWheelSize,
    .default_value = 256,
    .minimum = 2,
    .maximum = HierarchicalWheel<>::kLargestWheel,
    .sweep = kWheelSizeSweep,
};

struct HierarchicalWheelFamily {
  static constexpr FamilyInfo kInfo{
      .name = "hierarchical_wheel",
      .summary =
          "wheels of wheels with a cascade, crosses empty ticks in jumps; many jobs, many cancels",
      .source = "Varghese and Lauck 1987, scheme 7; overflow wheels as in Kafka",
      .parameter = kHierarchicalWheelSize,
      .costs = {"O(L)", "O(1)", "O(fired + moved + L a slot entered)",
                "O(L W/64 + jobs of L slots)"},
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t /*wheel_size*/, Visitor&& visitor) {
    visitor.template operator()<HierarchicalWheel<Work>>();
  }
};

}  // namespace timerbench
