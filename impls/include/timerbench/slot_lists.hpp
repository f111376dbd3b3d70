// A wheel's slots as doubly linked lists of jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "timerbench/job_pool.hpp"
#include "timerbench/occupancy.hpp"

namespace timerbench {

/// A wheel's part of a node.
struct SlotHook {
  JobIndex next = kNoJob;      ///< Later in the slot, or kNoJob.
  JobIndex previous = kNoJob;  ///< Earlier in the slot, or kNoJob.
  /// Which slot; the wheel decides what the number means. kNone in a new node.
  std::uint32_t slot = Occupancy::kNone;
};

/// The slots of one wheel. Jobs leave a slot in the order in which they came.
/// All operations are O(1) but check_invariants().
template <class Pool>
class SlotLists {
 public:
  explicit SlotLists(std::uint32_t slots) : slots_(slots), occupied_(slots) {}

  /// `label` is what the job's hook will hold as its slot.
  void append(Pool& pool, std::uint32_t slot, JobIndex job, std::uint32_t label) {
    Slot& list = slots_[slot];
    pool.hook(job) = {.next = kNoJob, .previous = list.last, .slot = label};
    if (list.last == kNoJob) {
      list.first = job;
      occupied_.set(slot);
    } else {
      pool.hook(list.last).next = job;
    }
    list.last = job;
  }

  /// The same for wheels whose hooks hold the plain slot.
  void append(Pool& pool, std::uint32_t slot, JobIndex job) { append(pool, slot, job, slot); }
  /// Returns whether a tombstone stays: never.
  bool erase(Pool& pool, JobIndex job) {
    erase(pool, slot_of(pool, job), job);
    return false;
  }
  std::uint32_t slot_of(const Pool& pool, JobIndex job) const { return pool.hook(job).slot; }

  void erase(Pool& pool, std::uint32_t slot, JobIndex job) {
    const SlotHook& hook = pool.hook(job);
    if (hook.previous == kNoJob) {
      slots_[slot].first = hook.next;
      if (hook.next == kNoJob) occupied_.reset(slot);
    } else {
      pool.hook(hook.previous).next = hook.next;
    }
    if (hook.next == kNoJob) {
      slots_[slot].last = hook.previous;
    } else {
      pool.hook(hook.next).previous = hook.previous;
    }
  }

  /// Empties the slot and calls visit(job) for each job it held, in order. visit may append the job
  /// to a slot again, even of these lists. Returns how many tombstones there were: none.
  template <class Visit>
  std::size_t take(Pool& pool, std::uint32_t slot, Visit visit) {
    JobIndex job = slots_[slot].first;
    if (job == kNoJob) return 0;
    slots_[slot] = Slot{};
    occupied_.reset(slot);
    while (job != kNoJob) {
      const JobIndex next = pool.hook(job).next;
      visit(job);
      job = next;
    }
    return 0;
  }

  /// Calls visit(job) for each job of the slot, in order.
  template <class Visit>
  void for_each(const Pool& pool, std::uint32_t slot, Visit visit) const {
    for (JobIndex job = slots_[slot].first; job != kNoJob; job = pool.hook(job).next) visit(job);
  }

  JobIndex first(std::uint32_t slot) const { return slots_[slot].first; }

  /// The job of a slot that holds just one, else kNoJob.
  JobIndex lone(std::uint32_t slot) const {
    return slots_[slot].first == slots_[slot].last ? slots_[slot].first : kNoJob;
  }
  const Occupancy& occupied() const { return occupied_; }
  std::size_t tombstones() const { return 0; }

  /// Throws std::logic_error unless links, ends, labels and bitmap agree. `label_of(slot)` is what
  /// the hooks in a slot must hold; check(job) judges each job.
  template <class Check>
  void check_invariants(const Pool& pool, Check check) const {
    check_invariants(
        pool, [](std::uint32_t slot) { return slot; }, check);
  }
  template <class LabelOf, class Check>
  void check_invariants(const Pool& pool, LabelOf label_of, Check check) const {
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
      JobIndex previous = kNoJob;
      for (JobIndex job = slots_[slot].first; job != kNoJob; job = pool.hook(job).next) {
        if (pool.hook(job).previous != previous)
          throw std::logic_error("L1: links agree both ways");
        if (pool.hook(job).slot != label_of(slot))
          throw std::logic_error("L2: a job knows its slot");
        check(slot, job);
        previous = job;
      }
      if (slots_[slot].last != previous)
        throw std::logic_error("L3: the last job is the list's end");
      if (occupied_.test(slot) != (previous != kNoJob)) {
        throw std::logic_error("L4: a slot's bit is set if and only if it holds a job");
      }
    }
  }

 private:
  struct Slot {
    JobIndex first = kNoJob;
    JobIndex last = kNoJob;
  };

  std::vector<Slot> slots_;
  Occupancy occupied_;
};

/// Names this way of keeping slots, for wheels that can use several.
struct LinkedSlots {
  using Hook = SlotHook;
  template <class Pool>
  using Lists = SlotLists<Pool>;
};

}  // namespace timerbench
