// The contract at the handle level: for callers who keep a handle to each of their jobs.
//
// A caller creates a job once, keeps its handle beside its own data (as one keeps a timer object in
// a connection), and schedules, re-arms and cancels it as often as it likes. No map is searched.
//
//   HandleScheduler<AlignedWheel<>> scheduler({.tick = 1}, 256);
//   const JobHandle idle = scheduler.create();       // once for each connection
//   scheduler.schedule(idle, now + 60'000);          // at every sign of life: re-armed in place
//   for (const FiredJob& fired : scheduler.advance(now)) { ... }   // fired.job == idle.index
//   scheduler.destroy(idle);
//
// Everything that schedulers share and that needs no ids is written here, once: the clock that
// never goes back, rounding up to ticks, jobs that are due at once, the loss of a place among ties
// when a job is scheduled anew, the order of a batch, and the checks of arguments.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "timerbench/scheduler.hpp"

namespace timerbench {

/// A job that advance() returned.
struct FiredJob {
  Time deadline;      ///< The one it was scheduled with.
  Sequence sequence;  ///< Its place among equal deadlines.
  JobIndex job;

  friend bool operator<(const FiredJob& a, const FiredJob& b) {
    return a.deadline != b.deadline ? a.deadline < b.deadline : a.sequence < b.sequence;
  }
};

/// How often a queue's batches were already in order, and how often they had to be sorted.
struct BatchCounts {
  std::uint64_t batches = 0;  ///< Batches of two jobs or more.
  std::uint64_t sorted = 0;   ///< Those of them that had to be sorted.
};

template <TimerQueue Queue>
class HandleScheduler {
 public:
  using Pool = typename Queue::Pool;

  /// `parameter` is the queue's own (wheel size, arity, ...); queues without one ignore it.
  /// Errors: std::invalid_argument if `tick < 1`, if `start` is not a multiple of `tick`, or if the
  /// queue rejects its parameter.
  HandleScheduler(const SchedulerConfig& config, std::uint32_t parameter = 0)
      : pool_(TickScale(config.tick)),
        current_(checked_start(config)),
        queue_(pool_, QueueConfig{current_, parameter}) {}

  // The queue refers to the pool beside it.
  HandleScheduler(const HandleScheduler&) = delete;
  HandleScheduler& operator=(const HandleScheduler&) = delete;

  /// Makes a job, not yet scheduled. Complexity: O(1) amortised. Errors: std::length_error beyond
  /// 2^32 - 1 jobs.
  JobHandle create() { return pool_.handle(pool_.create()); }

  /// Ends a job; a pending one is cancelled first. Its handle becomes stale.
  /// Errors: std::invalid_argument for a stale handle.
  void destroy(JobHandle job) {
    check_live(job);
    cancel(job);
    pool_.destroy(job.index);
  }

  /// The expiry tick of a deadline. Errors: std::invalid_argument if its instant does not fit into
  /// 64 bits.
  Tick expiry(Time deadline) const { return pool_.scale().expiry(deadline); }

  /// Schedules the job for `deadline`, anew if it is pending: then it loses its place among ties.
  /// Returns whether it was pending.
  /// Errors: std::invalid_argument for a stale handle or an unrepresentable expiry; nothing
  /// changes. std::bad_alloc where a queue has to grow; the job is then cancelled.
  bool schedule(JobHandle job, Time deadline) {
    check_live(job);
    return schedule(job.index, deadline, expiry(deadline));
  }

  /// The same for callers who own the index and have computed `expiry == expiry(deadline)`.
  bool schedule(JobIndex job, Time deadline, Tick expiry) {
    const bool replaced = cancel(job);
    auto& node = pool_[job];
    node.deadline = deadline;
    node.sequence = next_sequence_;
    // Whatever throws for want of memory does so before the job counts as pending.
    if (expiry <= current_) {
      due_.push_back({deadline, next_sequence_, job});
      node.due_position = static_cast<std::uint32_t>(due_.size() - 1);
      node.state = JobState::kDue;
    } else {
      queue_.insert(job, expiry);
      node.state = JobState::kWaiting;
    }
    ++next_sequence_;
    ++pending_;
    return replaced;
  }

  /// Removes a pending job. Returns whether it was pending; a stale handle's job is not.
  bool cancel(JobHandle job) { return pool_.is_live(job) && cancel(job.index); }

  /// The same for callers who own the index.
  bool cancel(JobIndex job) {
    auto& node = pool_[job];
    const JobState state = node.state;
    if (state != JobState::kWaiting && state != JobState::kDue) return false;
    node.state = JobState::kIdle;
    if (state == JobState::kWaiting) {
      queue_.erase(job);
    } else {
      erase_due(node.due_position);
    }
    --pending_;
    return true;
  }

  /// Moves the clock to the last tick that has begun at `now`, never back, and returns every job
  /// that is due, each once, ordered by deadline, ties in the order in which they were scheduled.
  /// The jobs are idle afterwards. The span is valid until the next advance().
  std::span<const FiredJob> advance(Time now) {
    batch_.clear();
    in_order_ = true;
    take_due();
    const Tick target = pool_.scale().floor(now);
    if (target > current_) {
      current_ = target;
      queue_.advance(target, [this](JobIndex job) {
        auto& node = pool_[job];
        node.state = JobState::kIdle;
        add_to_batch({node.deadline, node.sequence, job});
      });
    }
    if (batch_.size() > 1) {
      ++batch_counts_.batches;
      if (!in_order_) {
        ++batch_counts_.sorted;
        std::sort(batch_.begin(), batch_.end());
      }
    }
    pending_ -= batch_.size();
    return batch_;
  }

  /// Jobs scheduled and not yet returned by advance(); due ones count.
  std::size_t pending() const { return pending_; }

  /// The instant of the current tick.
  Time now() const { return pool_.scale().time(current_); }

  /// The least `now` for which advance(now) would return a job (a lower bound of it where the queue
  /// does not know better); nothing when no job is pending.
  std::optional<Time> next_expiry() {
    if (!due_.empty()) return now();
    const std::optional<Tick> next = queue_.next_expiry();
    if (!next) return std::nullopt;
    return pool_.scale().time(*next);
  }

  /// Where a waiting job is; nothing for one that is idle or due.
  std::optional<Location> where(JobIndex job) const requires HasLocation<Queue> {
    if (pool_[job].state != JobState::kWaiting) return std::nullopt;
    return queue_.location(job);
  }

  /// Makes room for this many jobs, so that creating them allocates no nodes.
  void reserve(std::size_t jobs) { pool_.reserve(jobs); }

  const Queue& queue() const { return queue_; }
  const Pool& pool() const { return pool_; }
  const BatchCounts& batch_counts() const { return batch_counts_; }

  /// Throws std::logic_error if anything above is not so. Complexity: O(jobs + the queue's own
  /// check).
  void check_invariants() const {
    std::size_t waiting = 0;
    std::size_t due = 0;
    for (JobIndex job = 0; job < pool_.size(); ++job) {
      waiting += static_cast<std::size_t>(pool_[job].state == JobState::kWaiting);
      due += static_cast<std::size_t>(pool_[job].state == JobState::kDue);
    }
    if (due != due_.size()) throw std::logic_error("H1: as many due nodes as due jobs");
    if (waiting + due != pending_) throw std::logic_error("H2: pending = waiting + due");
    for (std::size_t i = 0; i < due_.size(); ++i) {
      const auto& node = pool_[due_[i].job];
      if (node.state != JobState::kDue || node.due_position != i) {
        throw std::logic_error("H3: a due job knows its position");
      }
      if (pool_.expiry(due_[i].job) > current_)
        throw std::logic_error("H4: due means expiry <= now");
    }
    if constexpr (HasInvariants<Queue>) queue_.check_invariants();
  }

 private:
  static Tick checked_start(const SchedulerConfig& config) {
    if (floor_mod(config.start, config.tick) != 0) {
      throw_invalid("start", config.start,
                    "a multiple of the tick, " + std::to_string(config.tick));
    }
    return Tick{config.start / config.tick};
  }

  void check_live(JobHandle job) const {
    if (!pool_.is_live(job))
      throw_invalid("job handle", job.index, "a live one, this one is stale");
  }

  void add_to_batch(const FiredJob& fired) {
    in_order_ = in_order_ && (batch_.empty() || batch_.back() < fired);
    batch_.push_back(fired);
  }

  void take_due() {
    for (const FiredJob& job : due_) {
      pool_[job.job].state = JobState::kIdle;
      add_to_batch(job);
    }
    due_.clear();
  }

  /// O(1): the last due job takes the place; take_due() and the sort restore the order.
  void erase_due(std::uint32_t position) {
    due_[position] = due_.back();
    pool_[due_[position].job].due_position = position;
    due_.pop_back();
  }

  Pool pool_;
  Tick current_;
  Queue queue_;
  Sequence next_sequence_ = 0;
  std::size_t pending_ = 0;
  std::vector<FiredJob> due_;  ///< Jobs due when scheduled, waiting for the next advance.
  std::vector<FiredJob>
      batch_;             ///< What advance() returns; kept, so that it allocates only to grow.
  bool in_order_ = true;  ///< Whether batch_ is in order so far.
  BatchCounts batch_counts_;
};

}  // namespace timerbench
