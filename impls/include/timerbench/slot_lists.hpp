// What the wheels are made of: slots, each a doubly linked list of jobs, and a bitmap of those in
// use.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "timerbench/job_pool.hpp"

namespace timerbench {

/// A wheel's part of a node.
struct SlotHook {
  JobIndex next;       ///< Later in the slot, or kNoJob.
  JobIndex previous;   ///< Earlier in the slot, or kNoJob.
  std::uint32_t slot;  ///< Which slot; the wheel decides what the number means.
};

/// Which slots of one wheel hold jobs, so that empty ones are crossed 64 at a time.
class Occupancy {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  explicit Occupancy(std::uint32_t slots) : slots_(slots), words_((slots + 63) / 64) {}

  void set(std::uint32_t slot) { words_[slot / 64] |= bit(slot); }
  void reset(std::uint32_t slot) { words_[slot / 64] &= ~bit(slot); }
  bool test(std::uint32_t slot) const { return (words_[slot / 64] & bit(slot)) != 0; }

  /// How many slots after `slot`, going round, the next one in use lies: 1 ... limit, or kNone if
  /// it lies further. `limit < slots`, so `slot` itself does not count. Looks into at most limit /
  /// 64 + 3 words, and tells `work`.
  template <class Work>
  std::uint32_t distance_to_next(std::uint32_t slot, std::uint32_t limit, Work& work) const {
    const std::uint32_t to_first = slots_ - slot;  // The distance of slot 0, one turn on.
    const std::uint32_t ahead = find(slot + 1, std::min(slots_, slot + 1 + limit), work);
    if (ahead != kNone) return ahead - slot;
    if (limit < to_first) return kNone;
    const std::uint32_t around = find(0, limit - to_first + 1, work);
    return around == kNone ? kNone : around + to_first;
  }

 private:
  static std::uint64_t bit(std::uint32_t slot) { return std::uint64_t{1} << (slot % 64); }

  /// The first slot in use in [begin, end), or kNone.
  template <class Work>
  std::uint32_t find(std::uint32_t begin, std::uint32_t end, Work& work) const {
    if (begin >= end) return kNone;
    std::uint32_t word = begin / 64;
    std::uint64_t bits = words_[word] & (~std::uint64_t{0} << (begin % 64));
    while (true) {
      work.slot_visited();
      if (bits != 0) {
        const std::uint32_t slot = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
        return slot < end ? slot : kNone;
      }
      if (++word * 64 >= end) return kNone;
      bits = words_[word];
    }
  }

  std::uint32_t slots_;
  std::vector<std::uint64_t> words_;
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
  /// to a slot again, even of these lists.
  template <class Visit>
  void take(Pool& pool, std::uint32_t slot, Visit visit) {
    JobIndex job = slots_[slot].first;
    if (job == kNoJob) return;
    slots_[slot] = Slot{};
    occupied_.reset(slot);
    while (job != kNoJob) {
      const JobIndex next = pool.hook(job).next;
      visit(job);
      job = next;
    }
  }

  JobIndex first(std::uint32_t slot) const { return slots_[slot].first; }
  const Occupancy& occupied() const { return occupied_; }

  /// Throws std::logic_error unless links, ends, labels and bitmap agree. `label_of(slot)` is what
  /// the hooks in a slot must hold; check(job) judges each job.
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

}  // namespace timerbench
