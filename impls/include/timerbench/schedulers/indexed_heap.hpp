// A d-ary heap of our own: keys and job indexes side by side, each job's position in its node.
//
// Choose it where a heap is right (few jobs, jobs that fire, sleeping until the next one) and jobs
// get cancelled or re-armed too: removal finds its place in O(1) and moves as little as it can.
// Against binary_heap (Boost.Heap) it shows what a heap costs when no comparison follows a pointer:
// the d children that a step compares lie side by side in 16 d bytes, and for d = 4 a group is one
// cache line.
//
// An element is 16 bytes: deadline, job index, and a 32-bit stamp that orders equal deadlines.
// Looking sequences up in the nodes instead costs two misses whenever deadlines tie, and whole
// sequences would break the cache line; so the stamp is the sequence less a base, and when 32 bits
// are used up, every 2^32 schedules, all elements get new stamps in their order.
//
// Example, arity 2: deadlines 5, 3, 8 are scheduled, then 4. Cancelling 3 puts the
// last element into the hole and sifts it whichever way it has to go:
//
//          3                 4        the hole at the top gets 5, the last element; 4 is before it
//         / \               / \       and rises, 5 stays below it
//        4   8     ->      5   8
//       /
//      5
//
// Invariants: I1 no element is before its parent;
//             I2 a job's node holds its element's position;
//             I3 an element has its job's deadline, and stamps order as sequences do.
// Costs:      schedule O(log_d N), on average O(1) for random deadlines; cancel and firing
//             O(d log_d N); next_expiry O(1).
// Memory:     16 bytes an element and a 4-byte hook in the node.
// Horizon:    none. Batches always come in order.
// Parameter:  arity d: 2, 4 or 8; 4 puts the children of a node into one cache line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "timerbench/family.hpp"
#include "timerbench/heap_arity.hpp"
#include "timerbench/line_allocator.hpp"
#include "timerbench/scheduler.hpp"

namespace timerbench {

/// `kStampLimit`: stamps are below it; tests make it small, to see what happens when they are used
/// up.
template <unsigned kArity, class Work = NoWork, std::uint64_t kStampLimit = std::uint64_t{1} << 32>
class IndexedHeap {
 public:
  struct Hook {
    std::uint32_t position;
  };
  using Pool = JobPool<Hook>;

  IndexedHeap(Pool& pool, QueueConfig) : pool_(pool), elements_(kRoot) {}

  void insert(JobIndex job, Tick) {
    const Element element{pool_.deadline(job), stamp_for(pool_.sequence(job)), job};
    elements_.push_back(element);
    sift_up(elements_.size() - 1, element);
  }

  void erase(JobIndex job) { remove_at(pool_.hook(job).position); }

  template <class Sink>
  void advance(Tick tick, Sink sink) {
    const Time now = pool_.scale().time(tick);  // expiry <= tick is the same as deadline <= now.
    while (elements_.size() > kRoot && elements_[kRoot].deadline <= now) {
      const JobIndex job = elements_[kRoot].job;
      remove_at(kRoot);
      sink(job);
    }
  }

  std::optional<Tick> next_expiry() const {
    if (elements_.size() == kRoot) return std::nullopt;
    return pool_.scale().expiry(elements_[kRoot].deadline);
  }

  void check_invariants() const {
    for (std::size_t position = kRoot; position < elements_.size(); ++position) {
      if (position > kRoot && is_before(elements_[position], elements_[parent_of(position)])) {
        throw std::logic_error("I1: no element is before its parent");
      }
      if (pool_.hook(elements_[position].job).position != position) {
        throw std::logic_error("I2: a job's node holds its position");
      }
      const Element& element = elements_[position];
      const Element& parent = elements_[position > kRoot ? parent_of(position) : position];
      if (element.deadline != pool_.deadline(element.job) ||
          (element.stamp < parent.stamp) !=
              (pool_.sequence(element.job) < pool_.sequence(parent.job))) {
        throw std::logic_error(
            "I3: an element has its job's deadline, and stamps order as sequences");
      }
    }
  }

  const Work& work() const { return work_; }

 private:
  struct Element {
    Time deadline;
    std::uint32_t stamp;  ///< Orders equal deadlines as their sequences do.
    JobIndex job;
  };

  /// The root stands at d - 1, so that every group of children begins at a multiple of d: with
  /// elements of 16 bytes in memory aligned to cache lines, four of them fill one.
  static constexpr std::size_t kRoot = kArity - 1;
  static std::size_t first_child_of(std::size_t position) {
    return kArity * (position - kRoot + 1);
  }
  static std::size_t parent_of(std::size_t position) { return position / kArity + kRoot - 1; }

  bool is_before(const Element& a, const Element& b) const {
    work_.compared();
    return a.deadline != b.deadline ? a.deadline < b.deadline : a.stamp < b.stamp;
  }

  std::uint32_t stamp_for(Sequence sequence) {
    if (sequence - base_ >= kStampLimit) restamp(sequence);
    return static_cast<std::uint32_t>(sequence - base_);
  }

  /// Stamps all elements anew, 0 and up, so that `sequence` gets the next one. Their order stays,
  /// and with it the heap.
  [[gnu::noinline]] void restamp(Sequence sequence) {
    std::vector<Element*> in_order;
    for (std::size_t position = kRoot; position < elements_.size(); ++position) {
      in_order.push_back(&elements_[position]);
    }
    std::sort(in_order.begin(), in_order.end(),
              [](const Element* a, const Element* b) { return a->stamp < b->stamp; });
    std::uint32_t stamp = 0;
    for (Element* element : in_order) element->stamp = stamp++;
    base_ = sequence - stamp;
  }

  void place(std::size_t position, const Element& element) {
    elements_[position] = element;
    pool_.hook(element.job).position = static_cast<std::uint32_t>(position);
  }

  /// Moves parents down into the hole at `position` until `element` may stand there.
  void sift_up(std::size_t position, const Element& element) {
    while (position > kRoot) {
      const std::size_t parent = parent_of(position);
      if (!is_before(element, elements_[parent])) break;
      place(position, elements_[parent]);
      position = parent;
    }
    place(position, element);
  }

  /// Moves least children up into the hole at `position` until `element` may stand there.
  void sift_down(std::size_t position, const Element& element) {
    const std::size_t end = elements_.size();
    while (true) {
      const std::size_t first = first_child_of(position);
      if (first >= end) break;
      std::size_t least = first;
      for (std::size_t child = first + 1; child < std::min(first + kArity, end); ++child) {
        if (is_before(elements_[child], elements_[least])) least = child;
      }
      if (!is_before(elements_[least], element)) break;
      place(position, elements_[least]);
      position = least;
    }
    place(position, element);
  }

  /// The last element fills the hole. It comes from another branch, so it may have to go up as well
  /// as down.
  void remove_at(std::size_t position) {
    const Element last = elements_.back();
    elements_.pop_back();
    if (position == elements_.size()) return;
    if (position > kRoot && is_before(last, elements_[parent_of(position)])) {
      sift_up(position, last);
    } else {
      sift_down(position, last);
    }
  }

  Pool& pool_;
  Sequence base_ = 0;
  std::vector<Element, LineAllocator<Element>> elements_;  ///< Those before kRoot are padding.
  [[no_unique_address]] mutable Work work_;
};

struct IndexedHeapFamily {
  static constexpr FamilyInfo kInfo{
      .name = "indexed_heap",
      .summary =
          "a d-ary heap with keys beside its indexes and positions in the nodes; the fast heap",
      .source = "Williams 1964; d-ary: Johnson 1975",
      .parameter = kHeapArity,
      .costs = {"O(log N)", "O(log N)", "O(log N) per fired", "O(1)"},
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t arity, Visitor&& visitor) {
    visit_heap<Stamped, Work>(arity, visitor);
  }

 private:
  /// With stamps of 32 bits; only tests choose others.
  template <unsigned kArity, class Work>
  using Stamped = IndexedHeap<kArity, Work>;
};

}  // namespace timerbench
