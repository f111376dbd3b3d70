// The storage of all jobs of one scheduler: one array of nodes, addressed by 32-bit index.
//
// A scheduler's nodes live here and nowhere else, so every timer queue pays the same for storage,
// nothing is allocated per job in steady state, and links are 4 bytes instead of 8. Each queue
// keeps what it needs to find a job again (two links and a slot, a position, ...) in the node's
// Hook.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "timerbench/errors.hpp"
#include "timerbench/line_allocator.hpp"
#include "timerbench/time.hpp"

namespace timerbench {

/// Position of a node in its pool.
using JobIndex = std::uint32_t;
inline constexpr JobIndex kNoJob = std::numeric_limits<JobIndex>::max();

/// The order in which jobs were scheduled: a replaced job gets a new number. It breaks ties among
/// equal deadlines. 64 bits do not wrap: at 10^9 schedules a second they last 584 years.
using Sequence = std::uint64_t;

/// Names a node for as long as its owner keeps it: the index finds it, the generation tells it from
/// an earlier owner's. A stale handle is recognised until the node has had 2^30 further owners.
struct JobHandle {
  JobIndex index = kNoJob;
  std::uint32_t generation = 0;

  friend bool operator==(JobHandle, JobHandle) = default;
};

enum class JobState : std::uint32_t {
  kFree,     ///< On the free list.
  kIdle,     ///< Owned, not scheduled: created, fired or cancelled.
  kWaiting,  ///< Scheduled and held by the timer queue.
  kDue,      ///< Scheduled and due already: held by HandleScheduler until the next advance.
};

/// A node's handles tell 2^30 owners apart.
inline constexpr std::uint32_t kGenerationBits = 30;
inline constexpr std::uint32_t kGenerationMask = (std::uint32_t{1} << kGenerationBits) - 1;

/// One node. `Hook` is the timer queue's own part. A new node's is Hook{}; nobody else writes to it,
/// not even when the job is cancelled or its node changes hands, so that a queue that removes
/// lazily can tell from it what it still holds.
template <class Hook>
struct JobNode {
  static_assert(std::is_trivially_copyable_v<Hook>,
                "a hook is plain data, it moves as the pool grows");

  Time deadline = 0;
  union {
    Sequence sequence;           ///< kWaiting
    std::uint32_t due_position;  ///< kDue: where it is among the due jobs, which know its sequence
    JobIndex next_free;          ///< kFree
  };
  [[no_unique_address]] Hook hook{};
  std::uint32_t generation : kGenerationBits;
  JobState state : 2;

  JobNode() : next_free(kNoJob), generation(0), state(JobState::kFree) {}
};

/// All nodes of one scheduler.
///
/// Invalidation: create() may move the nodes, so keep indexes, never references, across it.
template <class Hook>
class JobPool {
 public:
  using Node = JobNode<Hook>;

  explicit JobPool(TickScale scale) : scale_(scale) {}

  Node& operator[](JobIndex job) { return nodes_[job]; }
  const Node& operator[](JobIndex job) const { return nodes_[job]; }
  Hook& hook(JobIndex job) { return nodes_[job].hook; }
  const Hook& hook(JobIndex job) const { return nodes_[job].hook; }
  bool is_waiting(JobIndex job) const { return nodes_[job].state == JobState::kWaiting; }
  Time deadline(JobIndex job) const { return nodes_[job].deadline; }
  Sequence sequence(JobIndex job) const { return nodes_[job].sequence; }

  /// Has the node brought into the cache; does nothing for kNoJob.
  void prefetch(JobIndex job) const {
    if (job != kNoJob) __builtin_prefetch(nodes_.data() + job, 1);
  }

  /// The expiry tick of a scheduled job. Derived, not stored: it is needed only when a job moves,
  /// and 8 bytes more would put two nodes no longer into one cache line.
  Tick expiry(JobIndex job) const { return scale_.expiry(nodes_[job].deadline); }

  const TickScale& scale() const { return scale_; }

  /// Takes a free node. Complexity: O(1) amortised; allocates only when more nodes are owned than
  /// ever before. Errors: std::length_error beyond 2^32 - 1 nodes.
  JobIndex create() {
    if (first_free_ == kNoJob) return append();
    const JobIndex job = first_free_;
    first_free_ = nodes_[job].next_free;
    nodes_[job].state = JobState::kIdle;
    return job;
  }

  /// Gives an idle node back; its handles become stale.
  void destroy(JobIndex job) {
    Node& node = nodes_[job];
    node.generation = (node.generation + 1) & kGenerationMask;
    node.state = JobState::kFree;
    node.next_free = first_free_;
    first_free_ = job;
  }

  JobHandle handle(JobIndex job) const { return {job, nodes_[job].generation}; }

  bool is_live(JobHandle handle) const {
    return handle.index < nodes_.size() && nodes_[handle.index].generation == handle.generation &&
           nodes_[handle.index].state != JobState::kFree;
  }

  /// Puts free nodes in stock until there are `jobs` nodes in all, their memory touched, so that
  /// creating them later allocates nothing and meets no page fault. They are handed out in
  /// ascending order.
  void reserve(std::size_t jobs) {
    const std::size_t first_new = nodes_.size();
    if (jobs <= first_new) return;
    if (jobs > kNoJob) throw_limit("job pool", kNoJob);
    nodes_.resize(jobs);
    for (std::size_t job = jobs; job-- > first_new;) {
      nodes_[job].next_free = first_free_;
      first_free_ = static_cast<JobIndex>(job);
    }
  }
  std::size_t size() const { return nodes_.size(); }  ///< Nodes, owned and free.

 private:
  [[gnu::noinline]] JobIndex append() {
    if (nodes_.size() >= kNoJob) throw_limit("job pool", kNoJob);
    nodes_.emplace_back().state = JobState::kIdle;
    return static_cast<JobIndex>(nodes_.size() - 1);
  }

  TickScale scale_;
  std::vector<Node, LineAllocator<Node>> nodes_;
  JobIndex first_free_ = kNoJob;
};

}  // namespace timerbench
