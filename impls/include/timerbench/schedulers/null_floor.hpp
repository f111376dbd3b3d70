// Not a scheduler: the floor of every timing.
//
// It does what no scheduler can avoid, which is what HandleScheduler does before it asks the queue:
// find the job's node and write its deadline, sequence and state. It keeps no order and fires
// nothing, so it fails the conformance test by design, is never ranked, and only tells how much of
// a scheduler's cost is the algorithm's.
#pragma once

#include <cstdint>
#include <optional>

#include "timerbench/family.hpp"
#include "timerbench/scheduler.hpp"

namespace timerbench {

template <class Work = NoWork>
class NullFloor {
 public:
  struct Hook {
    std::uint32_t unused;
  };
  using Pool = JobPool<Hook>;

  NullFloor(Pool&, QueueConfig) {}

  void insert(JobIndex, Tick) {}
  void erase(JobIndex) {}
  template <class Sink>
  void advance(Tick, Sink) {}
  std::optional<Tick> next_expiry() const { return std::nullopt; }

  const Work& work() const { return work_; }

 private:
  [[no_unique_address]] Work work_;
};

struct NullFloorFamily {
  static constexpr FamilyInfo kInfo{
      .name = "null_floor",
      .summary = "no scheduler: writes the job's node and nothing else; the floor of every timing",
      .source = "",
      .parameter = {},
      .costs = {"O(1)", "O(1)", "-", "-"},
      .role = Role::kFloor,
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t /*parameter*/, Visitor&& visitor) {
    visitor.template operator()<NullFloor<Work>>();
  }
};

}  // namespace timerbench
