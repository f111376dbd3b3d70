#include "timerbench/time.hpp"

#include <limits>

#include "catch.hpp"

namespace timerbench {

namespace {
constexpr Time kFirst = std::numeric_limits<Time>::min();
constexpr Time kLast = std::numeric_limits<Time>::max();
}  // namespace

TEST_CASE("division rounds down, and remainders are never negative") {
  for (Time a = -25; a <= 25; ++a) {
    for (Time b = 1; b <= 12; ++b) {
      INFO(a << " and " << b);
      const Time floor = floor_div(a, b);
      CHECK((floor * b <= a && a < (floor + 1) * b));
      CHECK(floor_mod(a, b) == a - floor * b);
      const Time ceiling = ceil_div(a, b);
      CHECK(((ceiling - 1) * b < a && a <= ceiling * b));
    }
  }
}

TEST_CASE("division does not overflow at the ends of 64 bits") {
  CHECK(floor_div(kFirst, 1) == kFirst);
  CHECK(ceil_div(kLast, 1) == kLast);
  CHECK(floor_div(kFirst, kLast) == -2);
  CHECK(ceil_div(kFirst, kLast) == -1);
  CHECK(floor_mod(kFirst, kLast) == kLast - 1);
  CHECK(floor_div(-1, kLast) == -1);
  CHECK(ceil_div(1, kLast) == 1);
}

TEST_CASE("the distance of the farthest ticks needs and gets all 64 bits") {
  const std::uint64_t distance = ticks_between(Tick{kFirst}, Tick{kLast});
  CHECK(distance == std::numeric_limits<std::uint64_t>::max());
  CHECK(tick_after(Tick{kFirst}, distance) == Tick{kLast});
  CHECK(tick_after(Tick{-3}, 5) == Tick{2});
}

TEST_CASE("an expiry is rounded up, so a job never fires early") {
  const TickScale scale(10);
  CHECK(scale.expiry(0) == Tick{0});
  CHECK(scale.expiry(1) == Tick{1});
  CHECK(scale.expiry(10) == Tick{1});
  CHECK(scale.expiry(11) == Tick{2});
  CHECK(scale.expiry(-1) == Tick{0});
  CHECK(scale.expiry(-10) == Tick{-1});
  CHECK(scale.expiry(-19) == Tick{-1});
  CHECK(scale.expiry(kFirst) == Tick{kFirst / 10});
  CHECK(scale.time(Tick{-7}) == -70);
  CHECK(scale.tick_length() == 10);
}

TEST_CASE("the clock is rounded down to a tick that has begun") {
  const TickScale scale(10);
  CHECK(scale.floor(9) == Tick{0});
  CHECK(scale.floor(10) == Tick{1});
  CHECK(scale.floor(-1) == Tick{-1});
  CHECK(scale.floor(kFirst) == Tick{kFirst / 10 - 1});
  CHECK(TickScale(1).floor(kFirst) == Tick{kFirst});
}

TEST_CASE("a tick is at least 1, and the error says so") {
  for (const Time tick : {Time{0}, Time{-1}, kFirst}) {
    CHECK_THROWS_AS(TickScale(tick), std::invalid_argument);
    CHECK_THROWS_WITH(TickScale(tick), Catch::Contains("tick: " + std::to_string(tick)) &&
                                           Catch::Contains("at least 1"));
  }
}

TEST_CASE("an expiry whose instant does not fit into 64 bits is refused") {
  for (const Time tick : {Time{2}, Time{3}, Time{1000}, kLast / 2, kLast - 1}) {
    const TickScale scale(tick);
    const Time last = kLast / tick * tick;
    INFO("tick " << tick);
    CHECK(scale.time(scale.expiry(last)) == last);
    CHECK_THROWS_AS(scale.expiry(last + 1), std::invalid_argument);
    CHECK_THROWS_WITH(scale.expiry(kLast), Catch::Contains("deadline: " + std::to_string(kLast)) &&
                                               Catch::Contains(std::to_string(last)));
  }
  CHECK(TickScale(1).expiry(kLast) == Tick{kLast});
  CHECK(TickScale(kLast).expiry(kLast) == Tick{1});
}

}  // namespace timerbench
