// The contract written down a second time, as plainly as it can be said.
//
// It gives the expected answers of the random walks, so it shares nothing with the schedulers: its
// jobs are in a map, its arithmetic has 128 bits and cannot overflow, and every advance looks at
// every job. It also knows where a hierarchical wheel has to keep each job, which needs no wheel:
// by the contract's rules that depends on the job's own expiry and on the clock, never on others.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "conformance/vectors.hpp"

namespace timerbench::conformance {

__extension__ typedef __int128 Int128;

/// floor(a / b) for b > 0.
constexpr Int128 floor_div128(Int128 a, Int128 b) { return a / b - static_cast<Int128>(a % b < 0); }

class Model {
 public:
  /// The case's header; its steps are not looked at.
  explicit Model(const VectorCase& header)
      : tick_(header.tick),
        wheel_size_(header.wheel_size),
        current_(floor_div128(header.start, header.tick)) {}

  /// Performs the operation and gives its answer.
  Answer answer(const Operation& operation);

  Int128 current_tick() const { return current_; }
  std::optional<Time> next_expiry() const;

 private:
  struct Job {
    Time deadline;
    std::uint64_t sequence;
    Int128 expiry;
    std::optional<Location> place;  ///< Nothing when the job is due.
    Int128 slot_begin = 0;          ///< First tick of its slot: an overflow wheel's cascades then.
  };

  void schedule(JobId id, Time deadline);
  std::vector<JobId> advance(Time now);
  std::optional<Location> where(JobId id) const;
  void place(Job& job, Int128 clock);

  Time tick_;
  Int128 wheel_size_;
  Int128 current_;
  std::uint64_t next_sequence_ = 0;
  std::size_t levels_ = 1;
  std::map<JobId, Job> jobs_;
};

}  // namespace timerbench::conformance
