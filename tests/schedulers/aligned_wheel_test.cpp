// The aligned wheel's own promises.
#include "timerbench/schedulers/aligned_wheel.hpp"

#include <limits>
#include <random>

#include "catch.hpp"
#include "timerbench/keyed_scheduler.hpp"
#include "timerbench/schedulers/chunked_wheel.hpp"

using namespace timerbench;

TEMPLATE_TEST_CASE("at a tick of 1 what waited in the wheel never needs a sort", "", AlignedWheel<>,
                   ChunkedWheel<>) {
  // Jobs of one deadline come by every way: through cascades from each wheel, or straight into
  // wheel 0.
  for (const std::uint32_t slots : {2u, 16u, 256u}) {
    KeyedScheduler<TestType> scheduler({.tick = 1, .start = 0}, slots);
    std::mt19937_64 random(slots);
    Time now = 0;
    std::size_t fired = 0;
    for (JobId id = 0; id < 50'000; ++id) {
      const Time delay = static_cast<Time>(random() % (std::uint64_t{1} << (random() % 18 + 1)));
      scheduler.schedule(id, (now + delay + 8) / 8 * 8);  // Coarse, so that ties are common.
      if (id % 4 == 0) fired += scheduler.advance(now += static_cast<Time>(random() % 5)).size();
    }
    fired += scheduler.advance(now + (Time{1} << 20)).size();
    CHECK(fired == 50'000);
    CHECK(scheduler.jobs().batch_counts().batches > 1000);
    CHECK(scheduler.jobs().batch_counts().sorted == 0);
  }
}

TEMPLATE_TEST_CASE("the last tick of 64 bits can be waited for and reached", "", AlignedWheel<>,
                   ChunkedWheel<>) {
  constexpr Time kLast = std::numeric_limits<Time>::max();
  for (const std::uint32_t slots : {2u, 16u, 256u, 4096u}) {
    KeyedScheduler<TestType> scheduler({.tick = 1, .start = std::numeric_limits<Time>::min()},
                                       slots);
    scheduler.schedule(1, kLast);
    scheduler.schedule(2, kLast - 1);
    scheduler.schedule(3, 0);
    CHECK(scheduler.next_expiry() == 0);
    CHECK(scheduler.advance(kLast - 1).size() == 2);
    CHECK(scheduler.next_expiry() == kLast);
    CHECK(scheduler.advance(kLast).size() == 1);
    CHECK(scheduler.advance(kLast).empty());
    CHECK_FALSE(scheduler.next_expiry().has_value());
    scheduler.check_invariants();
  }
}

TEST_CASE("the header's example: digits decide, not distance") {
  HandleScheduler<AlignedWheel<CountedWork>> scheduler({.tick = 1, .start = 3}, 4);
  const JobHandle five = scheduler.create();
  const JobHandle four = scheduler.create();
  scheduler.schedule(five, 5);
  scheduler.schedule(four, 4);
  CHECK(scheduler.advance(4).size() == 1);  // Tick 4 empties wheel 1's slot 1: 4 is due,
  CHECK(scheduler.queue().work().counts.jobs_moved == 1);  // and 5 has moved.
  CHECK(scheduler.advance(5).size() == 1);
}

TEST_CASE("only powers of two are slots") {
  for (const std::uint32_t bad : {0u, 1u, 3u, 100u, 1u << 17}) {
    CHECK_THROWS_WITH((KeyedScheduler<AlignedWheel<>>({}, bad)),
                      Catch::Contains("wheel_size: " + std::to_string(bad)));
  }
}
