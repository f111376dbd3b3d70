// What generators share: events in the order of time, a clock driven in steps, the life that jobs
// of a steady state have behind and before them, and the loop of an open workload.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
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

/// The deadline of a job that waits for `delay` since `since`. Jobs of the preload, which have
/// waited before the stream begins, have not fired when its clock starts.
Time deadline_after(double since, Time delay, const StreamBuilder& stream);

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

/// Cancels at any time of the delay: a share of all jobs is cancelled, after a part of its delay of
/// which all are as likely. Whether, and when, is decided when a job is scheduled.
class CancelsAnyTime {
 public:
  explicit CancelsAnyTime(double share) : share_(share) {}

  struct Job {
    double since;
    double delay;
    double wait;  ///< The delay, or less if the job is cancelled then.

    std::optional<double> cancel() const {
      return wait < delay ? std::optional(since + wait) : std::nullopt;
    }
  };

  /// How long a job waits, to be cancelled or to fire.
  double draw_wait(Random& random, double delay) const {
    return random.chance(share_) ? random.uniform() * delay : delay;
  }

  double mean_wait(double mean_delay) const { return mean_delay * (1 - share_ / 2); }

  /// How long a job waits in all that is met at a random instant.
  double draw_wait_when_met(Random& random, double delay) const;

  /// The `population` jobs that one meets at instant 0, oldest first. `draw_delay_when_met()` draws
  /// from the delays at scheduling, each weighted by itself.
  template <class DrawDelay>
  std::vector<Job> meet(std::uint64_t population, Random& random,
                        DrawDelay draw_delay_when_met) const {
    std::vector<Job> jobs(population);
    for (Job& job : jobs) {
      job.delay = draw_delay_when_met();
      job.wait = draw_wait_when_met(random, job.delay);
      job.since = -random.uniform() * job.wait;
    }
    std::sort(jobs.begin(), jobs.end(),
              [](const Job& a, const Job& b) { return a.since < b.since; });
    return jobs;
  }

 private:
  double share_;
};

/// An open workload: jobs arrive at random (Poisson), however many are waiting, and each leaves
/// when it fires or is cancelled. Its clock is a StepClock with the request's parameter `step`.
class OpenWorkload {
 public:
  OpenWorkload(const WorkloadRequest& request, Time tick);
  OpenWorkload(const OpenWorkload&) = delete;
  OpenWorkload& operator=(const OpenWorkload&) = delete;

  Random& random() { return random_; }
  const StreamBuilder& stream() const { return stream_; }

  /// Adds a job, to be cancelled at `cancel` if its deadline is after that.
  void add(Time deadline, std::optional<double> cancel);

  /// Ends the preload and generates the timed part. `arrive(time)` adds the job that arrives then;
  /// `gap` is the mean time from one to the next.
  template <class Arrive>
  OpStream run(double gap, Arrive arrive) && {
    stream_.begin_timed();
    double next_arrival = random_.exponential(gap);
    while (true) {
      const bool cancel_next = !cancels_.empty() && cancels_.next_time() <= next_arrival;
      const double time = cancel_next ? cancels_.next_time() : next_arrival;
      const bool moved =
          clock_.advance_to(time, [&](JobNumber job, Time) { stream_.release(job); });
      if (moved && stream_.timed_operations() >= min_ops_) break;
      if (cancel_next) {
        const JobNumber job = cancels_.take();
        stream_.cancel(job);
        stream_.release(job);
      } else {
        arrive(time);
        next_arrival += random_.exponential(gap);
      }
    }
    return std::move(stream_).finish();
  }

 private:
  std::uint64_t min_ops_;
  Random random_;
  StreamBuilder stream_;
  StepClock clock_;
  EventQueue<JobNumber> cancels_;
};

}  // namespace timerbench::workloads
