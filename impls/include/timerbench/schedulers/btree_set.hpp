// An ordered set of all jobs, in a B-tree: Abseil's btree_set.
//
// Choose it where jobs are also walked in their order, or few enough that nobody minds a logarithm
// for everything. Unlike a heap it finds any element by its key, so a cancelled job goes at once and
// needs no handle; unlike a red-black tree a node holds some ten elements side by side, so that a
// search meets few cache lines.
//
// Example: deadlines 5, 3, 8 are kept as 3 5 8 in one node; the first element is the next job.
//
// Invariants: S1 the set holds (deadline, sequence) of exactly the waiting jobs.
// Costs:      schedule and cancel O(log N); advance O(log N) per fired job; next_expiry O(1).
// Memory:     24 bytes an element; nodes of 256 bytes are between half and completely full, or full
//             where deadlines come in order. The set's own pool keeps what is freed.
// Horizon:    none. Batches always come in order.
#pragma once

#include <absl/container/btree_set.h>

#include <cstddef>
#include <memory_resource>
#include <optional>
#include <stdexcept>

#include "timerbench/family.hpp"
#include "timerbench/scheduler.hpp"

namespace timerbench {

template <class Work = NoWork>
class BtreeSet {
 public:
  struct Hook {};
  using Pool = JobPool<Hook>;

  BtreeSet(Pool& pool, QueueConfig) : pool_(pool), jobs_(Before{&work_}, &memory_) {}

  void insert(JobIndex job, Tick) { jobs_.insert(key_of(job)); }

  void erase(JobIndex job) { jobs_.erase(key_of(job)); }

  template <class Sink>
  void advance(Tick tick, Sink sink) {
    const Time now = pool_.scale().time(tick);  // expiry <= tick is the same as deadline <= now.
    while (!jobs_.empty() && jobs_.begin()->deadline <= now) {
      const JobIndex job = jobs_.begin()->job;
      jobs_.erase(jobs_.begin());
      sink(job);
    }
  }

  std::optional<Tick> next_expiry() const {
    if (jobs_.empty()) return std::nullopt;
    return pool_.scale().expiry(jobs_.begin()->deadline);
  }

  void check_invariants() const {
    std::size_t waiting = 0;
    for (JobIndex job = 0; job < pool_.size(); ++job) {
      if (!pool_.is_waiting(job)) continue;
      ++waiting;
      if (!jobs_.contains(key_of(job))) throw std::logic_error("S1: every waiting job is in the set");
    }
    if (waiting != jobs_.size()) throw std::logic_error("S1: the set holds waiting jobs only");
  }

  const Work& work() const { return work_; }

 private:
  struct Key {
    Time deadline;
    Sequence sequence;
    JobIndex job;
  };

  struct Before {
    Work* work;

    bool operator()(const Key& a, const Key& b) const {
      work->compared();
      return a.deadline != b.deadline ? a.deadline < b.deadline : a.sequence < b.sequence;
    }
  };

  Key key_of(JobIndex job) const { return {pool_.deadline(job), pool_.sequence(job), job}; }

  Pool& pool_;
  [[no_unique_address]] mutable Work work_;
  /// Keeps freed nodes for later ones, so that in steady state nothing is allocated.
  std::pmr::unsynchronized_pool_resource memory_;
  absl::btree_set<Key, Before, std::pmr::polymorphic_allocator<Key>> jobs_;
};

struct BtreeSetFamily {
  static constexpr FamilyInfo kInfo{
      .name = "btree_set",
      .summary = "Abseil's B-tree set of (deadline, sequence); ordered, with exact removal by key",
      .source = "Bayer and McCreight 1972; Abseil btree_set",
      .origin = Origin::kLibrary,
      .parameter = {},
      .costs = {"O(log N)", "O(log N)", "O(log N) per fired", "O(1)"},
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t /*none*/, Visitor&& visitor) {
    visitor.template operator()<BtreeSet<Work>>();
  }
};

}  // namespace timerbench
