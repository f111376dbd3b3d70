// Op streams: what is asked of every scheduler, decided before any clock runs.
//
// A stream is generated once per (workload, seed, population) and replayed to every scheduler as it
// is: no random number is drawn and nothing is decided while a scheduler works. Jobs are numbered
// densely from 0, so that a replay at the handle level finds a job's handle without a map, and at
// the id level computes its id; a number is used again after its job has fired or was cancelled.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "timerbench/time.hpp"

namespace timerbench::workloads {

enum class OpKind : std::uint8_t {
  kSchedule,    ///< `job` is not pending; schedule it for `time`.
  kReschedule,  ///< `job` is pending; schedule it anew for `time`.
  kCancel,      ///< Cancel `job`, pending (a hit) or not (a miss).
  kAdvance,     ///< Advance to `time`; fires what is due.
  kNext,        ///< Ask for the next expiry.
};

struct Op {
  Time time = 0;          ///< kSchedule, kReschedule: the deadline. kAdvance: now. Otherwise 0.
  std::uint32_t job = 0;  ///< kSchedule, kReschedule, kCancel: the job. Otherwise 0.
  OpKind kind = OpKind::kAdvance;

  friend bool operator==(const Op&, const Op&) = default;
};
static_assert(sizeof(Op) == 16);

/// What came of a replay. Two schedulers that did the same work have equal outcomes.
struct Outcome {
  std::uint64_t schedules = 0;    ///< Calls that added a job.
  std::uint64_t reschedules = 0;  ///< Calls that replaced a pending job.
  std::uint64_t cancel_hits = 0;
  std::uint64_t cancel_misses = 0;
  std::uint64_t advances = 0;
  std::uint64_t fired = 0;
  std::uint64_t nexts = 0;
  std::uint64_t fired_checksum = 0;  ///< Over the fired jobs in their order, and when they fired.
  std::uint64_t next_checksum = 0;   ///< Over the answers of next_expiry.

  /// Operations that took effect, as METHOD counts them: one per job added, replaced, removed or
  /// fired, and one per question asked. An advance that fires nothing counts as one, so that a
  /// stream of empty advances has a cost per operation too.
  std::uint64_t operations() const;

  /// An advance to `now` (the op's time) fired `job`; to be called in the order of firing.
  void add_fired(std::uint32_t job, Time now) {
    ++fired;
    fired_checksum = mix(fired_checksum ^ job) + static_cast<std::uint64_t>(now);
  }

  /// next_expiry answered `time`, or nothing; `time` is 0 then.
  void add_next(bool exists, Time time) {
    ++nexts;
    next_checksum =
        mix(next_checksum ^ static_cast<std::uint64_t>(time)) + static_cast<std::uint64_t>(exists);
  }

  friend bool operator==(const Outcome&, const Outcome&) = default;

 private:
  /// One odd multiplication and a fold: cheap enough for a timed loop, sensitive to order.
  static std::uint64_t mix(std::uint64_t value) {
    value *= 0x9E3779B97F4A7C15u;
    return value ^ (value >> 29);
  }
};

struct OpStream {
  std::string workload;  ///< Name with parameters, as in "rpc_timeouts{cancel=0.95}".
  Time tick = 1;
  Time start = 0;
  std::uint64_t seed = 0;
  std::uint64_t population =
      0;                   ///< The N it was asked for (for a trace: the peak of its pending jobs).
  std::uint32_t jobs = 0;  ///< Job numbers in use: 0 ... jobs - 1.

  std::vector<Op> preload;  ///< Brings a new scheduler to the steady state; not timed.
  std::vector<Op> ops;      ///< What is timed.

  Outcome preload_outcome;           ///< What the reference made of `preload`,
  Outcome outcome;                   ///< and of `ops` after it.
  std::uint64_t pending_before = 0;  ///< Pending jobs when `ops` begin,
  std::uint64_t pending_after = 0;   ///< and when they end.
  std::uint64_t pending_peak = 0;    ///< The most at any time.
};

/// How many ticks the clock crosses from the start to the last advance: what a scheduler that walks over
/// every tick has to walk.
std::uint64_t ticks_crossed(const OpStream& stream);

/// A hash over tick, start and every operation: equal on every compiler and platform.
std::uint64_t digest(const OpStream& stream);

}  // namespace timerbench::workloads
