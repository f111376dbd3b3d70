// The aligned, chunked wheel that cancels and re-arms lazily: the default choice.
//
// Most timeouts never fire: they are cancelled or pushed back long before. So this wheel does
// nothing then. A cancelled job stays in its slot, marked only by its node's state; a job re-armed
// to a later time stays where it is too. When the clock enters the slot, each job in it is looked
// at: fired, moved to where it belongs now, or let go. A visit costs what a cascade costs, once,
// however often the job was cancelled and armed anew in between. A cancelled job that is scheduled
// again finds its old place and takes it back.
//
// Choose it unless one of these matters: an exact slot for each job (hierarchical_wheel), a cancel
// that never has to clean up (aligned_wheel, chunked_wheel), or the least memory for a population
// that shrinks for good.
//
// Example, W = 4, at tick 0: a job is armed for tick 2 (wheel 0, slot 2) and re-armed for tick 5.
// It stays in slot 2. When the clock enters tick 2 it is moved to wheel 1's slot 1, and from there
// as in aligned_wheel.
//
// The residue is bounded: once more jobs are held than 2 x the waiting ones + 64, all slots are
// swept, by a cancel or at the end of an advance that fired many. A sweep costs O(held + slots) and
// gives back at least half of what is held, so a cancel costs O(1) amortised, which pays for an
// advance's sweep too, and O(held + slots) at worst; handles that are scheduled again take their
// places back and delay the sweep.
//
// Invariants: Z1 a held job's slot begins after the clock, and not after the job's expiry;
//             Z2 the residue is tombstones and held jobs that do not wait; waiting jobs are held;
//             Z3 held <= 2 waiting + 64.
// Costs:      schedule, re-arm and cancel O(1) amortised; advance O(fired + visited); next_expiry O(the jobs of one slot), amortised.
// Memory:     as chunked_wheel, plus the residue.
// Horizon:    none.
// Order:      a job that moved late may stand behind a later one of the same deadline; the batch is
//             then sorted.
// Parameter:  wheel_size W, a power of two.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "timerbench/aligned_digits.hpp"
#include "timerbench/chunk_lists.hpp"
#include "timerbench/schedulers/aligned_wheel.hpp"

namespace timerbench {

/// `Store` as in AlignedWheel, or BuryingSlots (chunk_lists.hpp). Its hook must say `slot`.
template <class Work = NoWork, class Store = BuryingSlots>
class LazyWheel {
 public:
  using Hook = typename Store::Hook;  ///< Its slot is kNotHeld where the job is not held.
  using Pool = JobPool<Hook>;

  static constexpr std::size_t kResidueAllowed = 64;

  /// Errors: std::invalid_argument unless the wheel size is a power of two from 2 to 2^16.
  LazyWheel(Pool& pool, QueueConfig config)
      : pool_(pool),
        digits_(config.parameter, key_of(config.start)),
        slots_(digits_.slots()) {}

  void insert(JobIndex job, Tick expiry) {
    const TickKey key = key_of(expiry);
    const std::uint32_t held_in = pool_.hook(job).slot;
    if (held_in != kNotHeld) {
      if (digits_.begin_of(held_in) <= key) {  // It will be seen in time.
        --residue_;
        ++waiting_;
        return;
      }
      // A tombstone is residue as much as the job was.
      if (!slots_.erase(pool_, job)) --residue_;
      pool_.hook(job).slot = kNotHeld;
    }
    slots_.append(pool_, digits_.slot_for(key), job);
    ++waiting_;
  }

  void erase(JobIndex) {
    --waiting_;
    ++residue_;
    bound_residue();
  }

  template <class Sink>
  void advance(Tick tick, Sink sink) {
    const TickKey target = key_of(tick);
    while (true) {
      const std::uint32_t slot = slots_.occupied().first();
      if (slot == Occupancy::kNone) break;
      const TickKey begin = digits_.begin_of(slot);
      if (begin > target) break;
      work_.slot_visited();
      // A job alone in the first slot, if it belongs there, is the first of all: the clock goes
      // straight to it.
      const JobIndex lone = slots_.lone(slot);
      if (lone != kNoJob && pool_.is_waiting(lone)) {
        const TickKey expiry = key_of(pool_.expiry(lone));
        if (expiry <= target && digits_.belongs(expiry, slot)) {
          digits_.set_clock(expiry);
          slots_.erase(pool_, lone);
          let_go(lone);
          sink(lone);
          continue;
        }
      }
      digits_.set_clock(begin);
      residue_ -= slots_.take(pool_, slot, [&](JobIndex job) {
        if (!keep(job)) return;
        const TickKey expiry = key_of(pool_.expiry(job));
        if (expiry == begin) {
          let_go(job);
          sink(job);
        } else {
          work_.job_moved();
          slots_.append(pool_, digits_.slot_for(expiry), job);
        }
      });
    }
    digits_.set_clock(target);
    bound_residue();  // Jobs that fire count as waiting no more.
  }

  /// Settles the first slot until it holds a waiting job that belongs there.
  std::optional<Tick> next_expiry() {
    while (true) {
      const std::uint32_t slot = slots_.occupied().first();
      if (slot == Occupancy::kNone) return std::nullopt;
      TickKey next = kLastKey;
      bool found = false;
      bool misplaced = false;
      slots_.for_each(pool_, slot, [&](JobIndex job) {
        work_.job_visited();
        const TickKey expiry = key_of(pool_.expiry(job));
        if (pool_.is_waiting(job) && digits_.belongs(expiry, slot)) {
          next = std::min(next, expiry);
          found = true;
        } else {
          misplaced = true;
        }
      });
      if (misplaced || !found) settle(slot);
      if (found) return tick_of(next);
    }
  }

  void check_invariants() const {
    std::size_t held = 0;
    std::size_t held_waiting = 0;
    const std::size_t tombstones = slots_.tombstones();
    slots_.check_invariants(pool_, [&](std::uint32_t slot, JobIndex job) {
      ++held;
      if (digits_.begin_of(slot) <= digits_.clock())
        throw std::logic_error("Z1: a held job's slot begins after the clock");
      if (!pool_.is_waiting(job)) return;
      ++held_waiting;
      if (digits_.begin_of(slot) > key_of(pool_.expiry(job)))
        throw std::logic_error("Z1: a held job's slot does not begin after its expiry");
    });
    std::size_t hooks = 0;
    for (JobIndex job = 0; job < pool_.size(); ++job) {
      hooks += static_cast<std::size_t>(pool_.hook(job).slot != kNotHeld);
    }
    if (hooks != held) throw std::logic_error("Z2: a job's hook says whether it is held");
    if (held_waiting != waiting_ || held + tombstones != waiting_ + residue_)
      throw std::logic_error("Z2: the residue is tombstones and held jobs that do not wait");
    if (residue_ > waiting_ + kResidueAllowed) throw std::logic_error("Z3: held <= 2 waiting + 64");
  }

  /// How many wheels there are: all that 64 bits can need, from the start.
  std::size_t levels() const { return digits_.wheels(); }
  /// Places in slots that no waiting job needs.
  std::size_t residue() const { return residue_; }

  const Work& work() const { return work_; }

 private:
  static constexpr std::uint32_t kNotHeld = Occupancy::kNone;

  /// Lets a job go that does not wait. Returns whether it waits.
  bool keep(JobIndex job) {
    if (pool_.is_waiting(job)) return true;
    pool_.hook(job).slot = kNotHeld;
    --residue_;
    return false;
  }

  /// Of a job that is about to fire.
  void let_go(JobIndex job) {
    pool_.hook(job).slot = kNotHeld;
    --waiting_;
  }

  /// Lets the residue of a slot ahead go and moves the jobs that were re-armed to later slots.
  void settle(std::uint32_t slot) {
    residue_ -= slots_.take(pool_, slot, [&](JobIndex job) {
      if (!keep(job)) return;
      const std::uint32_t now_for = digits_.slot_for(key_of(pool_.expiry(job)));
      if (now_for != slot) work_.job_moved();
      slots_.append(pool_, now_for, job);
    });
  }

  void bound_residue() {
    if (residue_ > waiting_ + kResidueAllowed) sweep();
  }

  [[gnu::noinline]] void sweep() {
    for (std::uint32_t slot = 0; slot < digits_.slots(); ++slot) {
      if (slots_.occupied().test(slot)) settle(slot);
    }
  }

  Pool& pool_;
  AlignedDigits digits_;
  typename Store::template Lists<Pool> slots_;
  std::size_t waiting_ = 0;
  std::size_t residue_ = 0;
  [[no_unique_address]] mutable Work work_;
};

/// Wider than its sisters': fewer cascades, and with them fewer visits of the same stale place. Still
/// wider wheels make the bitmap and the slots outgrow the caches where few jobs are pending.
inline constexpr std::array<std::uint32_t, 4> kLazyWheelSweep{64, 256, 1024, 4096};
inline constexpr Parameter kLazyWheelSize{
    .name = kWheelSize,
    .default_value = 1024,
    .minimum = 2,
    .maximum = AlignedDigits::kLargestWheel,
    .sweep = kLazyWheelSweep,
    .power_of_two = true,
};

struct LazyWheelFamily {
  static constexpr FamilyInfo kInfo{
      .name = "lazy_wheel",
      .summary =
          "the chunked wheel that leaves cancelled and re-armed jobs where they are until the clock "
          "meets them; the default choice",
      .source = "AlignedWheel; lazy re-arming as in Netty's idle handlers and Linux's mod_timer",
      .parameter = kLazyWheelSize,
      .costs = {"O(1) amortised", "O(1) amortised", "O(fired + visited)",
                "O(jobs of a slot)"},
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t /*wheel_size*/, Visitor&& visitor) {
    visitor.template operator()<LazyWheel<Work>>();
  }
};

}  // namespace timerbench
