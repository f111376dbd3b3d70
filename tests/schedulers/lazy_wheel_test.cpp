// The lazy wheel's own promises: what it leaves behind is bounded, and never mistaken for a job.
#include "timerbench/schedulers/lazy_wheel.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "catch.hpp"
#include "timerbench/handle_scheduler.hpp"
#include "timerbench/schedulers/lazy_heap.hpp"

using namespace timerbench;

namespace {

template <class Store>
using Lazy = HandleScheduler<LazyWheel<NoWork, Store>>;

template <class Scheduler>
bool residue_is_bounded(const Scheduler& scheduler) {
  return scheduler.queue().residue() <=
         scheduler.pending() + LazyWheel<>::kResidueAllowed;
}

/// The jobs as a set in the order in which they have to fire.
struct Model {
  std::set<std::tuple<Time, std::uint64_t, JobIndex>> in_order;
  std::vector<std::tuple<Time, std::uint64_t, JobIndex>> of_job;
  std::uint64_t sequence = 0;

  void cancel(JobIndex job) { in_order.erase(of_job[job]); }
  void schedule(JobIndex job, Time deadline) {
    if (job >= of_job.size()) of_job.resize(job + std::size_t{1});
    in_order.erase(of_job[job]);
    of_job[job] = {deadline, sequence++, job};
    in_order.insert(of_job[job]);
  }
};

/// Delays around the ends of slots and of wheels, and a few that tie.
Time a_delay(std::mt19937_64& random, Time size, Time tick) {
  Time power = 1;
  for (std::uint64_t exponent = random() % 5; exponent > 0; --exponent) power *= size;
  const Time around = static_cast<Time>(random() % 5) - 2;
  return (power * static_cast<Time>(1 + random() % 3) + around) * tick -
         static_cast<Time>(random() % static_cast<std::uint64_t>(tick));
}

template <class Store>
void walk(std::uint32_t size, Time tick, std::uint64_t seed) {
  INFO("wheel size " << size << ", tick " << tick << ", seed " << seed);
  std::mt19937_64 random(seed);
  Lazy<Store> scheduler({.tick = tick}, size);
  Model model;
  // Large ones too: a small population never has more residue than is always allowed.
  std::vector<JobHandle> handles(1 + random() % (seed % 2 == 0 ? 300 : 40));
  for (JobHandle& handle : handles) {
    handle = scheduler.create();
    model.schedule(handle.index, 0);
    model.cancel(handle.index);
  }
  const auto first_expiry = [&] {
    return scheduler.pool().scale().time(scheduler.expiry(std::get<0>(*model.in_order.begin())));
  };
  for (int step = 0; step < 1500; ++step) {
    JobHandle& job = handles[random() % handles.size()];
    switch (random() % 8) {
      case 0:
      case 1:
      case 2: {
        const Time deadline = scheduler.now() + a_delay(random, size, tick);
        scheduler.schedule(job, deadline);
        model.schedule(job.index, deadline);
        break;
      }
      case 3:
      case 4:
        scheduler.cancel(job);
        model.cancel(job.index);
        break;
      case 5:  // Its node goes to the next owner, while a slot may still hold it.
        model.cancel(job.index);
        scheduler.destroy(job);
        job = scheduler.create();
        model.cancel(job.index);
        break;
      case 6: {
        const Time now = scheduler.now() + (random() % 4 == 0 ? a_delay(random, size, tick)
                                                              : static_cast<Time>(random() % 3) * tick);
        const auto batch = scheduler.advance(now);
        for (const FiredJob& fired : batch) {
          REQUIRE_FALSE(model.in_order.empty());
          REQUIRE(fired.job == std::get<2>(*model.in_order.begin()));
          REQUIRE(fired.deadline == std::get<0>(*model.in_order.begin()));
          model.in_order.erase(model.in_order.begin());
        }
        if (!model.in_order.empty())
          REQUIRE(first_expiry() > scheduler.now());
        break;
      }
      default: {
        const auto next = scheduler.next_expiry();
        REQUIRE(next.has_value() == !model.in_order.empty());
        if (next) REQUIRE(*next == std::max(first_expiry(), scheduler.now()));
      }
    }
    REQUIRE(scheduler.pending() == model.in_order.size());
    REQUIRE(residue_is_bounded(scheduler));
    REQUIRE_NOTHROW(scheduler.check_invariants());
  }
}

}  // namespace

TEMPLATE_TEST_CASE("what was left in its slot is never mistaken for a job", "", BuryingSlots,
                   LinkedSlots) {
  for (const std::uint32_t size : {2u, 4u, 64u}) {
    for (const Time tick : {Time{1}, Time{10}}) {
      for (std::uint64_t seed = 1; seed <= 10; ++seed) walk<TestType>(size, tick, seed);
    }
  }
}

TEMPLATE_TEST_CASE("firing bounds the residue as cancelling does", "", LazyWheel<>,
                   (LazyWheel<NoWork, LinkedSlots>), LazyHeap<>) {
  HandleScheduler<TestType> scheduler({}, 4);
  std::vector<JobHandle> soon(100);
  std::vector<JobHandle> far(100);
  for (JobHandle& job : soon) scheduler.schedule(job = scheduler.create(), 1);
  for (JobHandle& job : far) scheduler.schedule(job = scheduler.create(), 1'000'000);
  for (const JobHandle job : far) scheduler.cancel(job);
  CHECK(scheduler.queue().residue() == 100);
  CHECK(scheduler.advance(1).size() == 100);
  CHECK(scheduler.queue().residue() <= TestType::kResidueAllowed);
  scheduler.check_invariants();
}

TEMPLATE_TEST_CASE("a cancelled job takes its place back when it is scheduled again", "",
                   BuryingSlots, LinkedSlots) {
  Lazy<TestType> scheduler({}, 4);
  const JobHandle job = scheduler.create();
  scheduler.schedule(job, 100);
  scheduler.cancel(job);
  CHECK(scheduler.queue().residue() == 1);
  scheduler.schedule(job, 200);  // Later: it will be seen in time.
  CHECK(scheduler.queue().residue() == 0);
  CHECK(scheduler.next_expiry() == 200);
  scheduler.schedule(job, 2);  // Earlier: it would not.
  CHECK(scheduler.next_expiry() == 2);
  CHECK(scheduler.advance(1).empty());
  CHECK(scheduler.advance(2).size() == 1);
  CHECK(scheduler.advance(1000).empty());
  scheduler.check_invariants();
}

TEMPLATE_TEST_CASE("a job that is due at once does not fire from its old place too", "",
                   BuryingSlots, LinkedSlots) {
  Lazy<TestType> scheduler({}, 4);
  const JobHandle job = scheduler.create();
  scheduler.schedule(job, 3);
  scheduler.schedule(job, -1);
  CHECK(scheduler.next_expiry() == 0);
  CHECK(scheduler.advance(3).size() == 1);
  CHECK(scheduler.advance(100).empty());
  CHECK_FALSE(scheduler.next_expiry().has_value());
  scheduler.check_invariants();
}

TEMPLATE_TEST_CASE("a job that moved late keeps its rank among ties", "", BuryingSlots,
                   LinkedSlots) {
  Lazy<TestType> scheduler({}, 4);
  std::array<JobHandle, 3> jobs{};
  for (JobHandle& job : jobs) job = scheduler.create();
  scheduler.schedule(jobs[0], 5);
  scheduler.schedule(jobs[0], 22);  // Stays where 5 is, moves when the clock comes there,
  scheduler.schedule(jobs[1], 22);  // and then stands behind this one.
  scheduler.schedule(jobs[2], 22);
  CHECK(scheduler.advance(21).empty());
  const auto batch = scheduler.advance(22);
  REQUIRE(batch.size() == 3);
  for (std::size_t i = 0; i < batch.size(); ++i) CHECK(batch[i].job == jobs[i].index);
}

TEMPLATE_TEST_CASE("the residue stays within what is waiting and 64", "", BuryingSlots,
                   LinkedSlots) {
  constexpr std::size_t kJobs = 100'000;
  Lazy<TestType> scheduler({}, 256);
  std::vector<JobHandle> jobs(kJobs);
  for (JobHandle& job : jobs) job = scheduler.create();
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < kJobs; ++i)
      scheduler.schedule(jobs[i], scheduler.now() + 1 + static_cast<Time>(i * 7919 % 1'000'000));
    std::size_t most_over = 0;
    for (const JobHandle job : jobs) {
      scheduler.cancel(job);
      const std::size_t allowed = scheduler.pending() + LazyWheel<>::kResidueAllowed;
      most_over = std::max(most_over, scheduler.queue().residue() > allowed ? std::size_t{1} : 0);
    }
    CHECK(most_over == 0);
    CHECK(scheduler.pending() == 0);
    CHECK(scheduler.queue().residue() <= LazyWheel<>::kResidueAllowed);
    CHECK_FALSE(scheduler.next_expiry().has_value());
    CHECK(scheduler.queue().residue() == 0);  // Looking for the next one has tidied up.
    scheduler.check_invariants();
  }
}
