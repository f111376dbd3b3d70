// A heap of all jobs, the earliest on top: Boost.Heap's d-ary heap with mutable handles.
//
// Choose it for few jobs, for jobs that mostly fire, and where the next expiry is asked for all the
// time: it is always on top, exact, for any deadline. Every schedule and cancel pays a logarithm,
// and out of cache every step of it is a miss. This is the heap that people get from a well-kept
// library, not the fastest one possible: Boost makes a heap mutable by keeping each element in a
// list node and heaping pointers to them, so each comparison follows two pointers. Cancelling
// removes the job for good; no tombstones stay.
//
// Example, arity 2, keys (deadline, sequence): schedule 5, 3, 8 gives
//
//          3                                           5
//         / \      cancel the 3: the 8 takes its      /
//        5   8     place and sinks below the 5       8
//
// Invariants: B1 no job is before its parent, which makes Boost's ordered walk ascend.
// Costs:      schedule O(log_d N), cancel O(d log_d N), advance O(d log_d N) per fired job,
//             next_expiry O(1).
// Memory:     a list node of 48 bytes (56 with malloc's own), a pointer to it and its handle: 64
//             to 72 bytes a job, and what the two growing arrays have set aside. Freed list nodes
//             are kept for later jobs of the same thread.
// Horizon:    none.
// Parameter:  arity d: 2, 4 or 8. A wider heap is flatter: fewer misses, more comparisons a level.
#pragma once

#include <boost/heap/d_ary_heap.hpp>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "timerbench/family.hpp"
#include "timerbench/heap_arity.hpp"
#include "timerbench/recycling_allocator.hpp"
#include "timerbench/scheduler.hpp"

namespace timerbench {

template <unsigned kArity, class Work = NoWork>
class BinaryHeap {
 public:
  struct Hook {};  // Boost's handle is no plain data; it stands in handles_.
  using Pool = JobPool<Hook>;

  BinaryHeap(Pool& pool, QueueConfig) : pool_(pool), heap_(Later{&work_}) {}

  void insert(JobIndex job, Tick) {
    if (job >= handles_.size()) handles_.resize(pool_.size());
    handles_[job] = heap_.push({pool_.deadline(job), pool_.sequence(job), job});
  }

  void erase(JobIndex job) { heap_.erase(handles_[job]); }

  template <class Sink>
  void advance(Tick tick, Sink sink) {
    const Time now = pool_.scale().time(tick);  // expiry <= tick is the same as deadline <= now.
    while (!heap_.empty() && heap_.top().deadline <= now) {
      const JobIndex job = heap_.top().job;
      heap_.pop();
      sink(job);
    }
  }

  std::optional<Tick> next_expiry() const {
    if (heap_.empty()) return std::nullopt;
    return pool_.expiry(heap_.top().job);
  }

  void check_invariants() const {
    const Element* previous = nullptr;
    for (auto element = heap_.ordered_begin(); element != heap_.ordered_end(); ++element) {
      if (previous != nullptr && heap_.value_comp()(*previous, *element)) {
        throw std::logic_error("B1: no job is before its parent");
      }
      previous = &*element;
    }
  }

  const Work& work() const { return work_; }

 private:
  struct Element {
    Time deadline;
    Sequence sequence;
    JobIndex job;
  };

  /// Boost keeps the greatest on top, so the earliest job has to be the greatest.
  struct Later {
    Work* work;

    bool operator()(const Element& a, const Element& b) const {
      work->compared();
      return a.deadline != b.deadline ? a.deadline > b.deadline : a.sequence > b.sequence;
    }
  };

  using Heap = boost::heap::d_ary_heap<Element, boost::heap::arity<kArity>,
                                       boost::heap::mutable_<true>, boost::heap::compare<Later>,
                                       boost::heap::allocator<RecyclingAllocator<Element>>>;

  Pool& pool_;
  [[no_unique_address]] mutable Work work_;
  Heap heap_;
  std::vector<typename Heap::handle_type> handles_;  ///< By job.
};

struct BinaryHeapFamily {
  static constexpr FamilyInfo kInfo{
      .name = "binary_heap",
      .summary =
          "Boost.Heap's d-ary heap with handles; few jobs, jobs that fire, exact next expiry",
      .source = "Williams 1964; Boost.Heap d_ary_heap",
      .origin = Origin::kLibrary,
      .parameter = kHeapArity,
      .costs = {"O(log N)", "O(log N)", "O(log N) per fired", "O(1)"},
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t arity, Visitor&& visitor) {
    visit_heap<BinaryHeap, Work>(arity, visitor);
  }
};

}  // namespace timerbench
