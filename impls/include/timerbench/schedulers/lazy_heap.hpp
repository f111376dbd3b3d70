// A binary heap that cancels lazily: what most programs have, built on std::push_heap.
//
// The standard library's heap cannot remove an element from its middle. So a cancelled or re-armed
// job leaves its element behind as a tombstone, which is dropped when it comes on top. Left alone,
// a workload that cancels nearly everything fills the heap with tombstones; so once they outnumber
// the waiting jobs by more than 64, they are all thrown out and the heap is built anew.
//
// Choose it for jobs that mostly fire, where nothing but the standard library shall be used. It is
// here because it is the one that others are usually compared with.
//
// Example: schedule 5, 3, 8, then move the 3 to 9. The old 3 stays on top until somebody looks:
//
//          3 (dead)            5
//         / \       next      / \        An element is alive while its job waits with the
//        5   8     ------>   9   8       sequence that the element has: sequences are never
//       /                                used twice, so no later job is mistaken for it.
//      9
//
// Invariants: L1 no element is before its parent;
//             L2 every waiting job has one element alive; all others are tombstones;
//             L3 tombstones <= waiting jobs + 64.
// Costs:      schedule O(log N), on average O(1) for random deadlines; cancel O(1) amortised,
//             O(N) when it cleans up; advance O(log N) per fired job and tombstone met, and what a cancel
//             may cost to clean up;
//             next_expiry O(1), plus O(log N) for each tombstone on top.
// Memory:     24 bytes an element, tombstones too.
// Horizon:    none. Batches always come in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "timerbench/family.hpp"
#include "timerbench/scheduler.hpp"

namespace timerbench {

template <class Work = NoWork>
class LazyHeap {
 public:
  struct Hook {};
  using Pool = JobPool<Hook>;

  static constexpr std::size_t kResidueAllowed = 64;

  LazyHeap(Pool& pool, QueueConfig) : pool_(pool) {}

  void insert(JobIndex job, Tick) {
    elements_.push_back({pool_.deadline(job), pool_.sequence(job), job});
    std::push_heap(elements_.begin(), elements_.end(), later());
    ++waiting_;
  }

  void erase(JobIndex) {
    --waiting_;
    bound_residue();
  }

  template <class Sink>
  void advance(Tick tick, Sink sink) {
    const Time now = pool_.scale().time(tick);  // expiry <= tick is the same as deadline <= now.
    while (!elements_.empty() && elements_.front().deadline <= now) {
      const Element first = elements_.front();
      pop();
      if (!is_alive(first)) continue;
      --waiting_;
      sink(first.job);
    }
    bound_residue();  // Jobs that fire count as waiting no more.
  }

  std::optional<Tick> next_expiry() {
    while (!elements_.empty() && !is_alive(elements_.front())) pop();
    if (elements_.empty()) return std::nullopt;
    return pool_.scale().expiry(elements_.front().deadline);
  }

  void check_invariants() const {
    if (!std::is_heap(elements_.begin(), elements_.end(), later()))
      throw std::logic_error("L1: no element is before its parent");
    std::size_t alive = 0;
    for (const Element& element : elements_) {
      if (!is_alive(element)) continue;
      ++alive;
      if (element.deadline != pool_.deadline(element.job))
        throw std::logic_error("L2: an element alive has its job's deadline");
    }
    if (alive != waiting_) throw std::logic_error("L2: every waiting job has one element alive");
    if (residue() > waiting_ + kResidueAllowed)
      throw std::logic_error("L3: tombstones <= waiting jobs + 64");
  }

  /// Tombstones.
  std::size_t residue() const { return elements_.size() - waiting_; }

  const Work& work() const { return work_; }

 private:
  struct Element {
    Time deadline;
    Sequence sequence;
    JobIndex job;
  };

  bool is_alive(const Element& element) const {
    return pool_.is_waiting(element.job) && pool_.sequence(element.job) == element.sequence;
  }

  /// The standard library keeps the greatest on top, so the earliest job has to be the greatest.
  auto later() const {
    return [this](const Element& a, const Element& b) {
      work_.compared();
      return a.deadline != b.deadline ? a.deadline > b.deadline : a.sequence > b.sequence;
    };
  }

  void pop() {
    std::pop_heap(elements_.begin(), elements_.end(), later());
    elements_.pop_back();
  }

  void bound_residue() {
    if (residue() > waiting_ + kResidueAllowed) clean_up();
  }

  [[gnu::noinline]] void clean_up() {
    std::erase_if(elements_, [this](const Element& element) { return !is_alive(element); });
    std::make_heap(elements_.begin(), elements_.end(), later());
  }

  Pool& pool_;
  std::vector<Element> elements_;
  std::size_t waiting_ = 0;
  [[no_unique_address]] mutable Work work_;
};

struct LazyHeapFamily {
  static constexpr FamilyInfo kInfo{
      .name = "lazy_heap",
      .summary = "the standard library's heap with tombstones; what most programs have",
      .source = "std::push_heap; Williams 1964",
      .origin = Origin::kTextbook,
      .parameter = {},
      .costs = {"O(log N)", "O(1) amortised", "O(log N) per fired", "O(1) amortised"},
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t /*none*/, Visitor&& visitor) {
    visitor.template operator()<LazyHeap<Work>>();
  }
};

}  // namespace timerbench
