// Deterministic counters: how much work a timer queue did, exact for an op stream on any machine.
//
// Every timer queue takes a Work policy. With NoWork each call below is empty and costs nothing;
// with CountedWork the same code counts. Timings use NoWork, the counters pass CountedWork.
#pragma once

#include <cstdint>

namespace timerbench {

/// What CountedWork counts.
struct WorkCounts {
  std::uint64_t slots_visited =
      0;                         ///< Slots of a wheel looked into (one bitmap word counts as one).
  std::uint64_t jobs_moved = 0;  ///< Jobs placed again by a cascade.
  std::uint64_t jobs_visited = 0;  ///< Jobs looked at and left where they are (scans, rounds).
  std::uint64_t comparisons = 0;   ///< Comparisons of two jobs' keys.

  friend WorkCounts operator-(const WorkCounts& a, const WorkCounts& b) {
    return {a.slots_visited - b.slots_visited, a.jobs_moved - b.jobs_moved,
            a.jobs_visited - b.jobs_visited, a.comparisons - b.comparisons};
  }
};

struct NoWork {
  void slot_visited() {}
  void job_moved() {}
  void job_visited() {}
  void compared() {}
};

struct CountedWork {
  WorkCounts counts;

  void slot_visited() { ++counts.slots_visited; }
  void job_moved() { ++counts.jobs_moved; }
  void job_visited() { ++counts.jobs_visited; }
  void compared() { ++counts.comparisons; }
};

}  // namespace timerbench
