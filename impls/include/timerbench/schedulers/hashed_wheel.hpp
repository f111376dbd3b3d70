// One wheel for all deadlines: the hashed timing wheel with rounds.
//
// Choose it when most deadlines lie within one turn of the wheel and the clock ticks regularly:
// nothing ever cascades. A job further ahead waits in its slot for some rounds, and is looked at
// once a turn; with N jobs spread over W slots each tick looks at N / W of them. It is scheme 6 of
// Varghese and Lauck (SOSP 1987), known from Netty's HashedWheelTimer.
//
// Where the paper counts a job's rounds down at each visit, a visit here compares the job's
// deadline with the clock. That is the same decision without a write to every job passed over, and
// one visit stays enough when the clock jumps over several turns.
//
// Example, W = 4, at tick 0 with jobs at ticks 3, 5 and 9: slot 3 holds 3, slot 1 holds 5 (one
// round left) and 9 (two). advance(5) enters slots 1, 2, 3, 0 once each, the last turn's worth: it
// takes 3 and 5, leaves 9.
//
// Invariants: G1 every waiting job is later than the clock; G2 its slot is expiry mod W.
// Costs:      schedule and cancel O(1); advance O(min(ticks, W) / 64 + jobs in the slots entered);
//             next_expiry O(W / 64 + jobs up to the answer), at worst all of them.
// Memory:     a 12-byte hook in the node; 8 bytes and a bit for each slot. Horizon: none.
// Parameter:  wheel_size W >= 2; about the usual delay in ticks is best.
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

template <class Work = NoWork>
class HashedWheel {
 public:
  using Hook = SlotHook;
  using Pool = JobPool<Hook>;

  static constexpr std::uint32_t kLargestWheel = std::uint32_t{1} << 24;

  /// Errors: std::invalid_argument unless 2 <= wheel size <= 2^24.
  HashedWheel(Pool& pool, QueueConfig config)
      : pool_(pool),
        wheel_size_(checked(config.parameter)),
        current_(config.start),
        slots_(wheel_size_) {}

  void insert(JobIndex job, Tick expiry) { slots_.append(pool_, slot_of(expiry), job); }

  void erase(JobIndex job) { slots_.erase(pool_, job); }

  template <class Sink>
  void advance(Tick tick, Sink sink) {
    const auto distance = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(ticks_between(current_, tick), wheel_size_));
    const Time now = pool_.scale().time(tick);
    const std::uint32_t begin = slot_of(current_);
    current_ = tick;
    for_each_slot_in_use(begin, distance, [&](std::uint32_t slot) {
      take_due(slot, now, sink);
      return true;
    });
  }

  std::optional<Tick> next_expiry() const {
    std::optional<Tick> next;
    for_each_slot_in_use(slot_of(current_), wheel_size_, [&](std::uint32_t slot) {
      for (JobIndex job = slots_.first(slot); job != kNoJob; job = pool_.hook(job).next) {
        work_.job_visited();
        const Tick expiry = pool_.expiry(job);
        if (!next || expiry < *next) next = expiry;
      }
      // A job that is due in this very round comes before all jobs of the slots behind.
      return ticks_between(current_, *next) > distance_to(slot);
    });
    return next;
  }

  void check_invariants() const {
    slots_.check_invariants(pool_, [this](std::uint32_t slot, JobIndex job) {
      const Tick expiry = pool_.expiry(job);
      if (expiry <= current_) throw std::logic_error("G1: a waiting job is after the clock");
      if (slot_of(expiry) != slot) throw std::logic_error("G2: slot = expiry mod W");
    });
  }

  const Work& work() const { return work_; }

 private:
  static std::uint32_t checked(std::uint32_t wheel_size) {
    if (wheel_size < 2 || wheel_size > kLargestWheel) {
      throw_invalid("wheel_size", wheel_size, "2 to " + std::to_string(kLargestWheel));
    }
    return wheel_size;
  }

  std::uint32_t slot_of(Tick tick) const {
    if (std::has_single_bit(wheel_size_)) {
      return static_cast<std::uint32_t>(tick.number) & (wheel_size_ - 1);
    }
    return static_cast<std::uint32_t>(floor_mod(tick.number, wheel_size_));
  }

  /// In how many ticks the clock enters this slot: 1 ... W.
  std::uint32_t distance_to(std::uint32_t slot) const {
    const std::uint32_t here = slot_of(current_);
    return slot > here ? slot - here : slot + (wheel_size_ - here);
  }

  /// Calls visit(slot) for the slots in use among the `distance` ones after `begin`, in the order
  /// in which the clock enters them, while visit returns true. `begin` itself comes last, after a
  /// turn.
  template <class Visit>
  void for_each_slot_in_use(std::uint32_t begin, std::uint32_t distance, Visit visit) const {
    const Occupancy& occupied = slots_.occupied();
    std::uint32_t left = std::min(distance, wheel_size_ - 1);
    std::uint32_t slot = begin;
    while (left > 0) {
      const std::uint32_t step = occupied.distance_to_next(slot, left, work_);
      if (step == Occupancy::kNone) break;
      left -= step;
      slot = slot + step < wheel_size_ ? slot + step : slot + step - wheel_size_;
      work_.slot_visited();
      if (!visit(slot)) return;
    }
    if (distance == wheel_size_ && occupied.test(begin)) {
      work_.slot_visited();
      visit(begin);
    }
  }

  template <class Sink>
  void take_due(std::uint32_t slot, Time now, Sink& sink) {
    JobIndex job = slots_.first(slot);
    while (job != kNoJob) {
      const JobIndex next = pool_.hook(job).next;
      if (pool_.deadline(job) <= now) {
        slots_.erase(pool_, slot, job);
        sink(job);
      } else {
        work_.job_visited();
      }
      job = next;
    }
  }

  Pool& pool_;
  std::uint32_t wheel_size_;
  Tick current_;
  SlotLists<Pool> slots_;
  [[no_unique_address]] mutable Work work_;
};

inline constexpr std::array<std::uint32_t, 3> kHashedWheelSweep{64, 512, 4096};

struct HashedWheelFamily {
  static constexpr FamilyInfo kInfo{
      .name = "hashed_wheel",
      .summary = "one wheel, far jobs wait for rounds; regular ticks and delays of about a turn",
      .source = "Varghese and Lauck 1987, scheme 6; Netty",
      .origin = Origin::kTextbook,
      .parameter = {.name = kWheelSize,
                    .default_value = 512,
                    .minimum = 2,
                    .maximum = HashedWheel<>::kLargestWheel,
                    .sweep = kHashedWheelSweep},
      .costs = {"O(1)", "O(1)", "O(fired + jobs in the slots entered)", "O(N + W/64)"},
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t /*wheel_size*/, Visitor&& visitor) {
    visitor.template operator()<HashedWheel<Work>>();
  }
};

}  // namespace timerbench
