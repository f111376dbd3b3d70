// A scheduler chosen at run time, for tests and tools. It costs a virtual call per operation, so it
// is not what gets timed: timings instantiate their loop per scheduler.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "timerbench/keyed_scheduler.hpp"

namespace timerbench {

/// The contract's operations; see KeyedScheduler for each.
class AnyScheduler {
 public:
  virtual ~AnyScheduler() = default;

  virtual bool schedule(JobId id, Time deadline) = 0;
  virtual bool cancel(JobId id) = 0;
  virtual std::span<const JobId> advance(Time now) = 0;
  virtual std::size_t pending() const = 0;
  virtual Time now() const = 0;
  virtual std::optional<Time> next_expiry() = 0;

  /// Nothing where the scheduler has no wheels, too: ask the capability first.
  virtual std::optional<Location> where(JobId id) const = 0;
  virtual std::size_t levels() const = 0;  ///< 0 without the capability.

  /// Throws std::logic_error naming an invariant that does not hold.
  virtual void check_invariants() const = 0;

  /// Work done so far. `nodes` is how many nodes of the pool exist, for residue checks.
  struct Effort {
    WorkCounts work;
    BatchCounts batches;
    std::size_t nodes = 0;
  };
  virtual Effort effort() const = 0;
};

/// Any KeyedScheduler over a queue with CountedWork, behind the interface above.
template <class Scheduler>
class SchedulerModel final : public AnyScheduler {
 public:
  SchedulerModel(const SchedulerConfig& config, std::uint32_t parameter)
      : scheduler_(config, parameter) {}

  bool schedule(JobId id, Time deadline) override { return scheduler_.schedule(id, deadline); }
  bool cancel(JobId id) override { return scheduler_.cancel(id); }
  std::span<const JobId> advance(Time now) override { return scheduler_.advance(now); }
  std::size_t pending() const override { return scheduler_.pending(); }
  Time now() const override { return scheduler_.now(); }
  std::optional<Time> next_expiry() override { return scheduler_.next_expiry(); }

  std::optional<Location> where(JobId id) const override {
    if constexpr (requires { scheduler_.where(id); }) {
      return scheduler_.where(id);
    } else {
      return std::nullopt;
    }
  }

  std::size_t levels() const override {
    if constexpr (requires { scheduler_.jobs().queue().levels(); }) {
      return scheduler_.jobs().queue().levels();
    } else {
      return 0;
    }
  }

  void check_invariants() const override { scheduler_.check_invariants(); }

  Effort effort() const override {
    const auto& jobs = scheduler_.jobs();
    return {jobs.queue().work().counts, jobs.batch_counts(), jobs.pool().size()};
  }

 private:
  Scheduler scheduler_;
};

}  // namespace timerbench
