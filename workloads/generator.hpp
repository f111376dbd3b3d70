// What generators share: events in the order of time, a clock driven in steps, and the life that
// jobs of a steady state have behind and before them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "random.hpp"
#include "stream_builder.hpp"
#include "workload.hpp"

namespace timerbench::workloads {

/// The request's value of a parameter that the workload has.
double parameter(const WorkloadRequest& request, std::string_view name);

StreamSettings settings(const WorkloadRequest& request, Time tick);

/// The last instant of the stream's unit that has begun at `time`, which may be negative.
Time whole(double time);

/// Things that will happen, taken in the order of their time, ties in the order in which they were
/// added. No event may be added for a time before that of the last one taken, nor for a time before
/// 0.
///
/// A radix heap (Ahuja, Mehlhorn, Orlin and Tarjan 1990): events are grouped by the highest bit in
/// which their time differs from that of the last one taken. Only the lowest group is ever looked
/// into, when its turn comes, and then spread over lower ones. Streams for a million jobs are built
/// several times faster than with a binary heap, since memory is read and written in sequence.
template <class Event>
class EventQueue {
 public:
  void add(double time, const Event& event) { add({std::bit_cast<std::uint64_t>(time), event}); }

  bool empty() const { return occupied_ == 0; }

  double next_time() const { return std::bit_cast<double>(least_[lowest()]); }

  Event take() {
    if (groups_[0].empty()) spread(lowest());
    const Event event = groups_[0][taken_++].event;
    if (taken_ == groups_[0].size()) {
      groups_[0].clear();
      taken_ = 0;
      occupied_ &= ~std::uint64_t{1};
    }
    return event;
  }

 private:
  struct Entry {
    std::uint64_t key;  ///< The time's bits: for numbers from 0, in the order of the numbers.
    Event event;
  };

  // Bit 63, the sign, is never set, so that the highest of the 64 groups is for bit 62.
  static constexpr std::size_t kGroups = 64;

  std::size_t lowest() const { return static_cast<std::size_t>(std::countr_zero(occupied_)); }

  void add(const Entry& entry) {
    const auto group = static_cast<std::size_t>(std::bit_width(entry.key ^ last_taken_));
    const bool is_first = groups_[group].empty();
    least_[group] = is_first ? entry.key : std::min(least_[group], entry.key);
    groups_[group].push_back(entry);
    occupied_ |= std::uint64_t{1} << group;
  }

  /// Makes the group's first event that of the last time taken. Its events agree in their higher
  /// bits, so that all go to lower groups; those of equal times are always in one group, in their
  /// order.
  void spread(std::size_t group) {
    last_taken_ = least_[group];
    occupied_ &= ~(std::uint64_t{1} << group);
    for (const Entry& entry : groups_[group]) add(entry);
    groups_[group].clear();
  }

  std::array<std::vector<Entry>, kGroups> groups_;
  std::array<std::uint64_t, kGroups> least_{};  ///< The least key of each group that is not empty.
  std::uint64_t occupied_ = 0;                  ///< Bit g: group g is not empty.
  std::uint64_t last_taken_ = 0;
  std::size_t taken_ = 0;  ///< How many of group 0, whose times are all equal, are gone.
};

/// The clock of an event loop: it looks at its jobs at multiples of `step`, and at those only in
/// which something happens. It sleeps through steps in which no job is due and no event comes, so
/// that a stream for few jobs with long delays is not one of empty advances; with many jobs every
/// step is busy.
class StepClock {
 public:
  StepClock(StreamBuilder& stream, Time step) : stream_(stream), step_(step), now_(stream.now()) {}

  /// Moves to the step that contains `time`, stopping at each step at which a job fires; calls
  /// on_fire(job, now) for each that does. Returns whether the clock has moved.
  template <class OnFire>
  bool advance_to(double time, OnFire on_fire) {
    const Time target = step_of(time);
    if (target <= now_) return false;
    fire_until_step(target, on_fire);
    if (now_ < target) step_to(target, on_fire);
    return true;
  }

  /// Stops at each step up to `time` at which a job fires, and at no other.
  template <class OnFire>
  void fire_until(double time, OnFire on_fire) {
    fire_until_step(step_of(time), on_fire);
  }

  /// Moves to the next step at which a job fires. Requires: one is pending.
  template <class OnFire>
  void fire_next(OnFire on_fire) {
    step_to(wake_for(*stream_.next_expiry()), on_fire);
  }

  Time now() const { return now_; }
  Time step() const { return step_; }

 private:
  Time step_of(double time) const { return floor_div(whole(time), step_) * step_; }

  /// The first step that finds a job that is due then. If that is already so, the job was scheduled
  /// since the last look, and it is the next look that finds it.
  Time wake_for(Time due) const { return std::max(ceil_div(due, step_) * step_, now_ + step_); }

  template <class OnFire>
  void fire_until_step(Time target, OnFire on_fire) {
    while (const auto due = stream_.next_expiry()) {
      const Time wake = wake_for(*due);
      if (wake > target) break;
      step_to(wake, on_fire);
    }
  }

  template <class OnFire>
  void step_to(Time now, OnFire on_fire) {
    now_ = now;
    for (const JobNumber job : stream_.advance(now)) on_fire(job, now);
  }

  StreamBuilder& stream_;
  Time step_;
  Time now_;
};

/// The jobs of which a generator picks any one; all operations O(1).
class LiveJobs {
 public:
  bool empty() const { return jobs_.empty(); }

  void add(JobNumber job) {
    if (job >= positions_.size()) positions_.resize(job + std::size_t{1});
    positions_[job] = jobs_.size();
    jobs_.push_back(job);
  }

  void remove(JobNumber job) {
    const std::size_t position = positions_[job];
    jobs_[position] = jobs_.back();
    positions_[jobs_[position]] = position;
    jobs_.pop_back();
  }

  JobNumber pick(Random& random) const { return jobs_[random.below(jobs_.size())]; }

 private:
  std::vector<JobNumber> jobs_;
  std::vector<std::size_t> positions_;  ///< By job: where it is in jobs_.
};

/// Lifetimes in a steady state. Jobs that live long are met more often than they are born: a job
/// found at a random instant has lifetime y with a probability in proportion to y times that of y
/// at birth, and is at a uniformly random point of it. A stream that starts with such jobs is in
/// its steady state at once.
class LifeTable {
 public:
  /// `lifetime_of(u)` is the lifetime at quantile u. It must be bounded.
  explicit LifeTable(const std::function<double(double u)>& lifetime_of);

  /// The mean lifetime at birth: Little's law makes arrivals from it.
  double mean() const { return mean_; }

  struct Found {
    double u;         ///< The quantile of its lifetime,
    double lifetime;  ///< the lifetime,
    double age;       ///< and how much of it has passed.
  };
  Found draw(Random& random) const;

 private:
  std::function<double(double u)> lifetime_of_;
  WeightedChoice strata_;  ///< Equal parts of the unit interval, each weighted by its lifetime.
  double mean_;
};

}  // namespace timerbench::workloads
