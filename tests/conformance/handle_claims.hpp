// Claims at the handle level. They need the scheduler's type, so they are templates.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "catch.hpp"
#include "timerbench/family.hpp"
#include "timerbench/handle_scheduler.hpp"

namespace timerbench::claims {

/// Calls check with a HandleScheduler of the family, its default parameter and this tick.
template <class Family, class Check>
void with_handles(Time tick, Check check) {
  if (Family::kInfo.role == Role::kFloor) {
    SUCCEED("a floor is no scheduler");
    return;
  }
  const std::uint32_t parameter = Family::kInfo.parameter.default_value;
  Family::template visit<NoWork>(parameter, [&]<class Queue>() {
    HandleScheduler<Queue> scheduler({.tick = tick}, parameter);
    check(scheduler);
  });
}

template <class Family>
void refuses_stale_handles() {
  with_handles<Family>(10, [](auto& scheduler) {
    const JobHandle gone = scheduler.create();
    scheduler.schedule(gone, 500);
    scheduler.destroy(gone);
    CHECK(scheduler.pending() == 0);
    const JobHandle other = scheduler.create();
    scheduler.schedule(other, 700);
    REQUIRE(other.index == gone.index);  // The node is the same, only the generation tells.
    REQUIRE_FALSE(other == gone);

    for (const JobHandle stale : {gone, JobHandle{}, JobHandle{other.index + 1, 0}}) {
      CHECK_THROWS_AS(scheduler.schedule(stale, 600), std::invalid_argument);
      CHECK_THROWS_AS(scheduler.destroy(stale), std::invalid_argument);
      CHECK_FALSE(scheduler.cancel(stale));
    }
    CHECK_THROWS_WITH(scheduler.schedule(gone, 600),
                      Catch::Contains("job handle") &&
                          Catch::Contains(std::to_string(gone.index)) && Catch::Contains("stale"));
    const Time too_late = std::numeric_limits<Time>::max();
    CHECK_THROWS_AS(scheduler.schedule(other, too_late), std::invalid_argument);

    scheduler.check_invariants();
    CHECK(scheduler.pending() == 1);
    const auto batch = scheduler.advance(700);
    REQUIRE(batch.size() == 1);
    CHECK(batch.front().job == other.index);
    CHECK(batch.front().deadline == 700);
  });
}

template <class Family>
void serves_handles() {
  with_handles<Family>(10, [](auto& scheduler) {
    const JobHandle a = scheduler.create();
    const JobHandle b = scheduler.create();
    const JobHandle due = scheduler.create();
    CHECK(scheduler.pending() == 0);  // Created is not scheduled.
    CHECK_FALSE(scheduler.cancel(a));
    CHECK_FALSE(scheduler.schedule(a, 41));
    CHECK_FALSE(scheduler.schedule(b, 41));
    CHECK(scheduler.schedule(a, 41));  // Anew, so b is first now.
    CHECK_FALSE(scheduler.schedule(due, -3));
    CHECK(scheduler.next_expiry() == std::optional<Time>(0));

    const auto first = scheduler.advance(0);
    REQUIRE(first.size() == 1);
    CHECK(first[0].job == due.index);
    CHECK(scheduler.advance(49).empty());
    const auto second = scheduler.advance(50);
    REQUIRE(second.size() == 2);
    CHECK(second[0].job == b.index);
    CHECK(second[1].job == a.index);

    CHECK_FALSE(scheduler.cancel(a));               // Fired, so idle,
    CHECK_FALSE(scheduler.schedule(a, 1'000'005));  // and free to be armed again.
    CHECK(scheduler.cancel(a));
    CHECK(scheduler.pending() == 0);
    CHECK_FALSE(scheduler.next_expiry().has_value());
    scheduler.check_invariants();
  });
}

}  // namespace timerbench::claims
