// The replay loop: the one loop that every scheduler is timed in.
#pragma once

#include <span>

#include "op_stream.hpp"

namespace timerbench::bench {

/// Applies one operation and notes what came of it. `Level` is a HandleLevel, an IdLevel or any
/// other type with their face. Inlined into each loop, so that the loops below differ only in their
/// clocks.
template <class Level>
[[gnu::always_inline]] inline void apply(Level& level, const workloads::Op& op,
                                         workloads::Outcome& outcome) {
  using workloads::OpKind;
  switch (op.kind) {
    case OpKind::kSchedule:
    case OpKind::kReschedule:
      if (level.schedule(op.job, op.time)) {
        ++outcome.reschedules;
      } else {
        ++outcome.schedules;
      }
      break;
    case OpKind::kCancel:
      if (level.cancel(op.job)) {
        ++outcome.cancel_hits;
      } else {
        ++outcome.cancel_misses;
      }
      break;
    case OpKind::kAdvance:
      ++outcome.advances;
      level.advance(op.time, [&](std::uint32_t job) { outcome.add_fired(job, op.time); });
      break;
    case OpKind::kNext: {
      const std::optional<Time> next = level.next_expiry();
      outcome.add_next(next.has_value(), next.value_or(0));
      break;
    }
  }
}

template <class Level>
workloads::Outcome replay(Level& level, std::span<const workloads::Op> ops) {
  workloads::Outcome outcome;
  for (const workloads::Op& op : ops) apply(level, op, outcome);
  return outcome;
}

}  // namespace timerbench::bench
