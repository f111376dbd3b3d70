// The contract as C++20 concepts: what a timer queue must offer, and what it may offer besides.
//
// Two levels share the work:
//   - a TimerQueue is one algorithm. It knows jobs (nodes of a pool) and expiry ticks, no more;
//   - HandleScheduler<Queue> and, on top of it, KeyedScheduler<Queue> add what all schedulers have
//     in common: clock, rounding, due jobs, replacement, the order of a batch, job ids and errors.
// A new scheduler is a new TimerQueue; see schedulers/scan_list.hpp for the simplest.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "timerbench/job_pool.hpp"
#include "timerbench/time.hpp"
#include "timerbench/work.hpp"

namespace timerbench {

/// The clock of a scheduler.
struct SchedulerConfig {
  Time tick = 1;   ///< Length of a tick, at least 1.
  Time start = 0;  ///< Where the clock begins, a multiple of `tick`.
};

/// What a timer queue is made from; already checked.
struct QueueConfig {
  Tick start;
  std::uint32_t parameter =
      0;  ///< The algorithm's own: wheel size, arity, ...; 0 where it has none.
};

/// Where a job waits in a hierarchical wheel.
struct Location {
  std::uint32_t wheel = 0;
  std::uint32_t slot = 0;

  friend bool operator==(Location, Location) = default;
};

namespace detail {
struct AnySink {
  void operator()(JobIndex) const;
};
}  // namespace detail

/// One algorithm. `Queue::Hook` is its part of a job's node, `Queue::Pool` is JobPool<Hook>.
///
///   Queue(Pool& pool, QueueConfig config)
///       The pool outlives the queue. Errors: std::invalid_argument for a bad parameter.
///   insert(JobIndex job, Tick expiry)
///       Requires: the node's deadline and sequence are set, `expiry` is its expiry tick and later
///       than the tick last advanced to (or the start).
///   erase(JobIndex job)
///       Requires: the job waited in this queue; its state says already that it does not wait any
///       more. The job must leave no trace, unless the queue bounds and documents the residue and
///       recognises it: its node may be idle, free, due or waiting anew when the queue meets it.
///   advance(Tick tick, Sink sink)
///       Requires: `tick` is later than the tick last advanced to. Calls sink(job) once for every
///       job with expiry <= tick, in any order, after the queue has let go of it. Jobs should come
///       in (deadline, sequence) order where that is free: then nobody sorts.
///   next_expiry() -> std::optional<Tick>
///       The least expiry of the waiting jobs (a lower bound where the family says so), or nothing.
///       Not const: a queue that removes lazily may tidy up on the way.
///   work() -> the Work policy, with its counts.
template <class Queue>
concept TimerQueue = requires(Queue queue, const Queue& constant, JobIndex job, Tick tick,
                              typename Queue::Pool& pool, QueueConfig config) {
  typename Queue::Hook;
  requires std::same_as<typename Queue::Pool, JobPool<typename Queue::Hook>>;
  requires std::constructible_from<Queue, typename Queue::Pool&, QueueConfig>;
  { queue.insert(job, tick) } -> std::same_as<void>;
  { queue.erase(job) } -> std::same_as<void>;
  { queue.advance(tick, detail::AnySink{}) } -> std::same_as<void>;
  { queue.next_expiry() } -> std::same_as<std::optional<Tick>>;
  constant.work();
};

/// Capability: the queue is a hierarchical wheel whose `where` and `levels` follow the contract.
template <class Queue>
concept HasLocation = requires(const Queue& queue, JobIndex job) {
  { queue.location(job) } -> std::same_as<Location>;
  { queue.levels() } -> std::convertible_to<std::size_t>;
};

/// Capability: check_invariants() walks the whole structure and throws std::logic_error with the
/// invariant's label at the first one that does not hold. Complexity: O(everything).
template <class Queue>
concept HasInvariants = requires(const Queue& queue) {
  queue.check_invariants();
};

}  // namespace timerbench
