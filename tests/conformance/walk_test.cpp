#include "conformance/walk.hpp"

#include <set>

#include "catch.hpp"

namespace timerbench::conformance {

TEST_CASE("a seed means the same case, everywhere and always") {
  const VectorCase one = walk_case(5, Jumps::kAny);
  CHECK(to_text(one) == to_text(walk_case(5, Jumps::kAny)));
  CHECK(to_text(one) != to_text(walk_case(6, Jumps::kAny)));
  CHECK(one.name == "walk-5");
  CHECK(walk_case(5, Jumps::kShort).name == "short-walk-5");
}

TEST_CASE("a walk's case is a vector that can be pasted and read") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::string text = to_text(walk_case(seed, Jumps::kAny));
    CHECK(to_text(parse_vectors(text, "pasted").cases.at(0)) == text);
  }
}

TEST_CASE("walks meet every kind of answer, wheel size, tick and a clock far from zero") {
  std::set<Time> ticks;
  std::set<std::uint32_t> wheel_sizes;
  std::set<std::uint32_t> wheels;
  std::size_t ties = 0;
  std::size_t cancelled = 0;
  std::size_t far_starts = 0;
  std::size_t negative_starts = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const VectorCase one = walk_case(seed, Jumps::kAny);
    ticks.insert(one.tick);
    wheel_sizes.insert(one.wheel_size);
    far_starts += static_cast<std::size_t>(one.start > Time{1} << 35);
    negative_starts += static_cast<std::size_t>(one.start < 0);
    for (const Step& step : one.steps) {
      if (const auto* batch = std::get_if<std::vector<JobId>>(&step.expected)) {
        ties += static_cast<std::size_t>(batch->size() > 1);
      } else if (const auto* place = std::get_if<std::optional<Location>>(&step.expected)) {
        if (*place) wheels.insert((*place)->wheel);
      } else if (const auto* removed = std::get_if<bool>(&step.expected)) {
        cancelled += static_cast<std::size_t>(*removed);
      }
    }
  }
  CHECK(ticks == std::set<Time>{1, 2, 3, 10, 1000});
  CHECK(wheel_sizes == std::set<std::uint32_t>{2, 3, 4, 7, 8, 20, 64, 256, 512});
  CHECK(wheels.size() > 30);  // With two slots a wheel there are up to 63.
  CHECK(ties > 5000);
  CHECK(cancelled > 2000);
  CHECK(far_starts > 50);
  CHECK(negative_starts > 50);
}

TEST_CASE("short walks never jump further than a clock that walks can follow") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const VectorCase one = walk_case(seed, Jumps::kShort);
    Tick current{one.start / one.tick};
    for (const Step& step : one.steps) {
      const auto* advance = std::get_if<Advance>(&step.operation);
      if (advance == nullptr) continue;
      const Tick target{floor_div(advance->now, one.tick)};
      if (target <= current) continue;
      REQUIRE(ticks_between(current, target) <= 100'000);
      current = target;
    }
  }
}

}  // namespace timerbench::conformance
