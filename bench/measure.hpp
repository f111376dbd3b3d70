// Runs a plan: verifies, times, weighs and counts every row, and fills the results.
#pragma once

#include <atomic>
#include <functional>

#include "plan.hpp"
#include "results.hpp"

namespace timerbench::bench {

/// Whether two replays of a stream did the same work. The answers of next_expiry count only where
/// they are exact.
bool same_work(const workloads::Outcome& expected, const workloads::Outcome& got,
               bool exact_next_expiry);

/// "fired 99 jobs, expected 100": the first difference that tells most, for a row that FAILED.
std::string difference(const workloads::Outcome& expected, const workloads::Outcome& got);

class Measurement {
 public:
  /// `interrupted` may be set at any time (by a signal handler): the row at work is dropped, the
  /// rest is not begun, and what is in `results` stays valid.
  Measurement(const Plan& plan, Results& results, const std::atomic<bool>& interrupted)
      : plan_(plan), results_(results), interrupted_(interrupted) {}

  /// Measures the plan's groups in turn; calls after_group(index) after each.
  void run(const std::function<void(std::size_t)>& after_group);

  /// Replays each row once and times nothing: for a profiler that counts what goes on in timed_part()
  /// (subject_passes.hpp). Calls after_row(keys, operations) for each; what was skipped and what
  /// FAILED is in the results.
  void replay_once(const std::function<void(const Json&, std::uint64_t)>& after_row);

 private:
  struct Row;

  void run_group(const Group& group);
  bool walks_too_far(const Group& group, const Row& row);
  bool verify(const Group& group, Row& row);
  void count_work(const Group& group, const Row& row);
  void weigh(const Group& group, const workloads::OpStream& stream);
  void time_rows(const Group& group, const std::vector<Row>& rows);
  void fail(const Group& group, const Row& row, const std::string& message);

  const Plan& plan_;
  Results& results_;
  const std::atomic<bool>& interrupted_;
};

}  // namespace timerbench::bench
