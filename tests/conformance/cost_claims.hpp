// What every scheduler may spend, in counts that are the same on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "allocations.hpp"
#include "catch.hpp"
#include "timerbench/any_scheduler.hpp"
#include "timerbench/family.hpp"

namespace timerbench::claims {

template <class Family>
constexpr bool kIsScheduler = Family::kInfo.role == Role::kScheduler;

template <class Family>
constexpr bool kHasWheels = Family::kInfo.parameter.name == kWheelSize;

/// A counting scheduler of the family with this parameter.
template <class Family>
std::unique_ptr<AnyScheduler> make_counting(std::uint32_t parameter) {
  std::unique_ptr<AnyScheduler> scheduler;
  Family::template visit<CountedWork>(parameter, [&]<class Queue>() {
    scheduler =
        std::make_unique<SchedulerModel<KeyedScheduler<Queue>>>(SchedulerConfig{}, parameter);
  });
  return scheduler;
}

/// The family's wheels, flat ones count as one.
inline std::size_t levels_of(const AnyScheduler& scheduler) {
  return std::max<std::size_t>(scheduler.levels(), 1);
}

/// The least W^k that is more than `bound`.
inline Time power_beyond(Time size, Time bound) {
  Time power = size;
  while (power <= bound) power *= size;
  return power;
}

template <class Family>
void crosses_empty_ticks_in_jumps() {
  if (!kHasWheels<Family> || Family::kInfo.steps_every_tick) {
    SUCCEED("not claimed");
    return;
  }
  constexpr Time kTicks = 1'000'000'000'000;
  for (const std::uint32_t wheel_size : {2U, 3U, 7U, 64U, 256U, 1000U}) {
    if (!Family::kInfo.parameter.allows(wheel_size)) continue;
    INFO("wheel size " << wheel_size);
    const auto scheduler = make_counting<Family>(wheel_size);
    // So far that it needs every wheel, and so that its slot begins after the jump.
    const Time far = power_beyond(wheel_size, kTicks);
    scheduler->schedule(1, far);
    const auto before = scheduler->effort().work;
    CHECK(scheduler->advance(kTicks).empty());
    const auto spent = scheduler->effort().work - before;
    CHECK(spent.slots_visited <= levels_of(*scheduler) * wheel_size);
    CHECK(spent.jobs_moved == 0);
    CHECK(spent.jobs_visited <= 1);
    CHECK(scheduler->advance(far).size() == 1);
  }
}

template <class Family>
void moves_a_job_once_a_level() {
  if (!kHasWheels<Family>) {
    SUCCEED("nothing cascades");
    return;
  }
  for (const std::uint32_t wheel_size : {2U, 3U, 8U, 32U}) {
    if (!Family::kInfo.parameter.allows(wheel_size)) continue;
    const Time size = wheel_size;
    for (const Time start : {Time{0}, Time{1}, size - 1, size * size - 1, size * size + size}) {
      for (const Time delay : {Time{1}, size - 1, size, size + 1, size * size,
                               size * size * size - 1, size * size * size + size + 1}) {
        INFO("wheel size " << wheel_size << ", start " << start << ", delay " << delay);
        const auto scheduler = make_counting<Family>(wheel_size);
        scheduler->advance(start);
        scheduler->schedule(1, start + delay);
        const auto before = scheduler->effort().work;
        // In steps, so that no jump can spare a cascade.
        for (Time now = start + 1; scheduler->pending() > 0; ++now) scheduler->advance(now);
        CHECK(scheduler->now() == start + delay);
        const auto spent = scheduler->effort().work - before;
        CHECK(spent.jobs_moved <= levels_of(*scheduler) - 1);
      }
    }
  }
}

template <class Family>
void cancels_without_a_search() {
  if (!kIsScheduler<Family>) {
    SUCCEED("a floor is no scheduler");
    return;
  }
  constexpr std::uint64_t kJobs = 100'000;
  // A path through a heap of arity 8 is some 50 comparisons; a search would visit 25,000 jobs.
  constexpr std::uint64_t kMostPerCancel = 64;
  std::vector<JobId> order(kJobs);
  for (JobId id = 0; id < kJobs; ++id) order[id] = id;
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1));
  for (const Time deadline :
       {Time{100}, Time{1'000'000}}) {  // In wheel 0, and in an overflow wheel.
    INFO("deadline " << deadline);
    const auto scheduler = make_counting<Family>(Family::kInfo.parameter.default_value);
    for (JobId id = 0; id < kJobs; ++id) scheduler->schedule(id, deadline);
    const auto before = scheduler->effort().work;
    std::uint64_t cancelled = 0;
    for (const JobId id : order) cancelled += static_cast<std::uint64_t>(scheduler->cancel(id));
    const auto spent = scheduler->effort().work - before;
    CHECK(cancelled == kJobs);
    CHECK(spent.jobs_visited + spent.comparisons + spent.slots_visited <= kMostPerCancel * kJobs);
    CHECK(spent.jobs_moved == 0);
    CHECK(scheduler->pending() == 0);
    CHECK_FALSE(scheduler->next_expiry().has_value());
  }
}

template <class Family>
void keeps_nothing_of_cancelled_jobs() {
  if (!kIsScheduler<Family>) {
    SUCCEED("a floor is no scheduler");
    return;
  }
  constexpr JobId kHeld = 10;
  constexpr std::int64_t kMostBytes = 64 * 1024;  // Wheels made on the way may stay.
  const auto scheduler = make_counting<Family>(Family::kInfo.parameter.default_value);
  for (JobId id = 0; id < kHeld; ++id) scheduler->schedule(id, 1'000'000'000);
  const std::int64_t held_before = bench::allocation_counts().bytes_held;
  std::uint64_t cancelled = 0;
  for (JobId id = kHeld; id < kHeld + 1'000'000; ++id) {
    scheduler->schedule(id, 1 + static_cast<Time>(id * 7919 % 1'000'000));
    cancelled += static_cast<std::uint64_t>(scheduler->cancel(id));
  }
  CHECK(cancelled == 1'000'000);
  CHECK(scheduler->pending() == kHeld);
  CHECK(scheduler->effort().nodes <= kHeld + 1);
  CHECK(bench::allocation_counts().bytes_held - held_before <= kMostBytes);
}

/// A thousand jobs that are armed again for the same delay as soon as they fire, and a tenth of
/// them moved before. Everything repeats after a period, so after some periods nothing can be new.
struct SteadyLoop {
  static constexpr Time kPeriod = 1000;
  static constexpr std::uint32_t kJobs = 1000;
  static constexpr Time kWarmUp = 20 * kPeriod;
  static constexpr Time kEnd = 60 * kPeriod;

  /// arm(number, deadline); advance(now) calls arm for all that fire and returns their number.
  template <class Arm, class Advance>
  static void run(Arm arm, Advance advance) {
    for (std::uint32_t job = 0; job < kJobs; ++job) arm(job, 1 + Time{job});
    std::uint64_t allocations = 0;
    std::uint64_t fired = 0;
    for (Time now = 1; now <= kEnd; ++now) {
      if (now == kWarmUp) allocations = bench::allocation_counts().allocations;
      fired += advance(now);
      if (now % 10 == 0) arm(static_cast<std::uint32_t>(now * 37 % kJobs), now + kPeriod / 2);
    }
    allocations = bench::allocation_counts().allocations - allocations;
    CHECK(allocations == 0);
    CHECK(fired > 50'000);
  }
};

template <class Family>
void allocates_nothing_by_id() {
  if (!kIsScheduler<Family>) {
    SUCCEED("a floor is no scheduler");
    return;
  }
  const std::uint32_t parameter = Family::kInfo.parameter.default_value;
  Family::template visit<NoWork>(parameter, [&]<class Queue>() {
    KeyedScheduler<Queue> scheduler({}, parameter);
    std::vector<JobId> fired;
    fired.reserve(SteadyLoop::kJobs);
    const auto arm = [&](JobId id, Time deadline) { scheduler.schedule(id, deadline); };
    SteadyLoop::run(arm, [&](Time now) {
      const auto batch = scheduler.advance(now);
      fired.assign(batch.begin(), batch.end());
      for (const JobId id : fired) arm(id, now + SteadyLoop::kPeriod);
      return fired.size();
    });
  });
}

template <class Family>
void allocates_nothing_by_handle() {
  if (!kIsScheduler<Family>) {
    SUCCEED("a floor is no scheduler");
    return;
  }
  const std::uint32_t parameter = Family::kInfo.parameter.default_value;
  Family::template visit<NoWork>(parameter, [&]<class Queue>() {
    HandleScheduler<Queue> scheduler({}, parameter);
    std::vector<JobHandle> jobs(SteadyLoop::kJobs);
    for (JobHandle& job : jobs) job = scheduler.create();
    std::vector<FiredJob> fired;
    fired.reserve(SteadyLoop::kJobs);
    const auto arm = [&](std::uint32_t job, Time deadline) {
      scheduler.schedule(jobs[job], deadline);
    };
    SteadyLoop::run(arm, [&](Time now) {
      const auto batch = scheduler.advance(now);
      fired.assign(batch.begin(), batch.end());
      for (const FiredJob& job : fired) {
        // A new pool hands out 0, 1, 2, ..., so a job's index is its number.
        arm(job.job, now + SteadyLoop::kPeriod);
      }
      return fired.size();
    });
  });
}

}  // namespace timerbench::claims
