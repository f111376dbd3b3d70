// Writes an op stream down, and knows at every point what a correct scheduler would have done.
//
//   StreamBuilder stream(name, {.tick = 1, .seed = 1, .population = 1});
//   const JobNumber job = stream.acquire();
//   stream.schedule(job, 30);                                    // the preload
//   stream.begin_timed();
//   for (JobNumber fired : stream.advance(30)) stream.schedule(fired, 60);   // re-arm on fire
//   OpStream result = std::move(stream).finish();
//
// Generators need the second half to re-arm what fires and to cancel only what is still pending;
// replays are checked against the outcome it computes. Its judgement is independent of the
// schedulers: a heap of (deadline, sequence) in which cancelled jobs stay until they come up, and
// no notion of slots or ticks beyond the contract's rounding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "op_stream.hpp"

namespace timerbench::workloads {

/// A job's number in a stream.
using JobNumber = std::uint32_t;

struct StreamSettings {
  Time tick = 1;
  Time start = 0;
  std::uint64_t seed = 0;
  std::uint64_t population = 0;  ///< 0: take the peak of the pending jobs, as for a trace.
};

class StreamBuilder {
 public:
  /// Errors: std::invalid_argument if `tick < 1` or `start` is not a multiple of it.
  StreamBuilder(std::string workload, const StreamSettings& settings);

  /// A number that is not in use; the one released last, if any, as an allocator would.
  JobNumber acquire();

  /// The number may be used for another job. Requires: the job is not pending.
  void release(JobNumber job) { free_.push_back(job); }

  /// Schedules the job, anew if it is pending.
  /// Errors: std::invalid_argument if the expiry's instant does not fit into 64 bits; nothing
  /// changes.
  void schedule(JobNumber job, Time deadline);

  /// Cancels the job, pending or not.
  void cancel(JobNumber job);

  /// Advances; returns the jobs that fire, in the contract's order, until the next advance.
  std::span<const JobNumber> advance(Time now);

  /// Asks for the next expiry.
  std::optional<Time> next();

  /// All ops from here on are timed. To be called once.
  void begin_timed();

  // What a generator may ask; none of it becomes part of the stream.

  bool is_pending(JobNumber job) const { return job < jobs_.size() && jobs_[job].pending; }
  std::uint64_t pending() const { return pending_; }
  Time now() const { return current_ * scale_.tick_length(); }
  /// The pending job that fires next.
  std::optional<JobNumber> earliest();
  /// When it fires: the contract's next_expiry.
  std::optional<Time> next_expiry();
  /// Operations since begin_timed(), counted as Outcome::operations does.
  std::uint64_t timed_operations() const { return timed_ ? outcome_.operations() : 0; }

  /// The stream; the builder is empty afterwards.
  OpStream finish() &&;

 private:
  /// Numbers the schedule operations, in order: a job's place among equal deadlines.
  using Sequence = std::uint32_t;

  struct Waiting {
    Time deadline;
    Sequence sequence;
    JobNumber job;
  };
  struct FiresLater {
    bool operator()(const Waiting& a, const Waiting& b) const {
      return a.deadline != b.deadline ? a.deadline > b.deadline : a.sequence > b.sequence;
    }
  };
  struct Job {
    Sequence sequence = 0;
    bool pending = false;
  };

  void push(Op op);
  Job& job_at(JobNumber job);
  /// Drops entries of jobs that were cancelled or scheduled anew from the top of the heap.
  void drop_stale();
  void pop();

  TickScale scale_;
  std::int64_t current_;  ///< The current tick.
  OpStream stream_;
  Outcome outcome_;  ///< Of the part being written.
  bool timed_ = false;
  std::uint64_t pending_ = 0;
  Sequence next_sequence_ = 0;
  std::vector<Job> jobs_;
  std::vector<JobNumber> free_;
  std::vector<Waiting> heap_;  ///< Every pending job has one entry that is not stale.
  std::vector<JobNumber> fired_;
};

}  // namespace timerbench::workloads
