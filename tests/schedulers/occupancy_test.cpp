// The bitmap of slots in use, against a set of numbers.
#include "timerbench/occupancy.hpp"

#include <random>
#include <set>
#include <vector>

#include "catch.hpp"
#include "timerbench/work.hpp"

using namespace timerbench;

namespace {
/// Where the layers begin anew: at one word, at one word of words, at one word of those.
constexpr std::uint32_t kSizes[] = {1, 63, 64, 65, 4095, 4096, 4097, 262145};

class Walk {
 public:
  Walk(std::uint32_t slots, std::uint64_t seed) : slots_(slots), random_(seed), map_(slots) {
    for (const std::uint32_t edge : {0u, 64u, 128u, 4096u, 8192u, 262144u, slots}) {
      for (const std::uint32_t near : {edge - 1, edge, edge + 1}) {
        if (near < slots) edges_.push_back(near);
      }
    }
  }

  void run(int steps) {
    // First mostly empty, so that whole words and layers come and go, then fuller.
    for (int step = 0; step < steps; ++step) {
      INFO("step " << step);
      const bool crowded = step > steps / 2;
      change(crowded);
      compare();
    }
    // An empty map is found empty again, whichever way its slots went.
    while (!set_.empty()) {
      reset(any_in_use());
      compare();
    }
    CHECK(map_.first() == Occupancy::kNone);
  }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  std::uint32_t any() {
    return below(2) == 0 ? below(slots_) : edges_[below(static_cast<std::uint32_t>(edges_.size()))];
  }

  std::uint32_t any_in_use() {
    const auto found = set_.lower_bound(any());
    return found == set_.end() ? *set_.begin() : *found;
  }

  void set(std::uint32_t slot) {
    map_.set(slot);
    set_.insert(slot);
  }
  void reset(std::uint32_t slot) {
    map_.reset(slot);
    set_.erase(slot);
  }

  void change(bool crowded) {
    const bool grow = set_.empty() || (crowded ? below(5) < 3 : set_.size() < 4 && below(2) == 0);
    if (grow) {
      set(any());
    } else if (below(8) == 0) {
      reset(any());  // Mostly one that is clear already, which must not disturb the others.
    } else {
      reset(any_in_use());
    }
  }

  std::uint32_t next(std::uint32_t begin, std::uint32_t end) const {
    const auto found = set_.lower_bound(begin);
    return found == set_.end() || *found >= end ? Occupancy::kNone : *found;
  }

  std::uint32_t distance(std::uint32_t slot, std::uint32_t limit) const {
    std::uint32_t distance = Occupancy::kNone;
    if (const std::uint32_t ahead = next(slot + 1, slots_); ahead != Occupancy::kNone) {
      distance = ahead - slot;
    } else if (const std::uint32_t around = next(0, slot); around != Occupancy::kNone) {
      distance = around + slots_ - slot;
    }
    return distance <= limit ? distance : Occupancy::kNone;
  }

  void compare() {
    REQUIRE(map_.first() == next(0, slots_));
    const std::uint32_t slot = any();
    REQUIRE(map_.test(slot) == (set_.count(slot) == 1));
    NoWork no_work;
    const std::uint32_t end = below(4) == 0 ? slots_ : any();
    REQUIRE(map_.find(slot, end, no_work) == next(slot, end));
    const std::uint32_t limit = below(3) == 0 ? slots_ - 1 : below(slots_);
    CountedWork work;
    REQUIRE(map_.distance_to_next(slot, limit, work) == distance(slot, limit));
    REQUIRE(work.counts.slots_visited <= limit / 64 + 3);
  }

  std::uint32_t slots_;
  std::mt19937_64 random_;
  Occupancy map_;
  std::set<std::uint32_t> set_;
  std::vector<std::uint32_t> edges_;
};
}  // namespace

TEST_CASE("the bitmap agrees with a set of numbers at every size") {
  for (const std::uint32_t slots : kSizes) {
    // What is far apart in a large map takes long to walk through, so it gets fewer steps.
    const int steps = slots > 5000 ? 600 : 3000;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      INFO("slots " << slots << ", seed " << seed);
      Walk(slots, seed).run(steps);
    }
  }
}

TEST_CASE("every single slot is the first when it is the only one") {
  for (const std::uint32_t slots : kSizes) {
    Occupancy map(slots);
    const std::uint32_t stride = slots > 5000 ? 61 : 1;  // Prime to 64: meets every bit of a word.
    std::uint32_t wrong = 0;
    for (std::uint32_t slot = 0; slot < slots; slot += stride) {
      map.set(slot);
      wrong += static_cast<std::uint32_t>(map.first() != slot || !map.test(slot));
      map.reset(slot);
      wrong += static_cast<std::uint32_t>(map.first() != Occupancy::kNone || map.test(slot));
    }
    INFO("slots " << slots);
    CHECK(wrong == 0);
  }
}

TEST_CASE("the first slot stays right while a full bitmap empties from either end") {
  for (const std::uint32_t slots : kSizes) {
    INFO("slots " << slots);
    Occupancy map(slots);
    for (std::uint32_t slot = slots; slot-- > 0;) {
      map.set(slot);
      if (map.first() != slot) FAIL("filling, at " << slot);
    }
    const std::uint32_t half = slots / 2;
    for (std::uint32_t slot = 0; slot < half; ++slot) {
      map.reset(slot);
      if (map.first() != slot + 1) FAIL("from the front, at " << slot);
    }
    for (std::uint32_t slot = slots - 1; slot > half; --slot) {
      map.reset(slot);
      if (map.first() != half) FAIL("from the back, at " << slot);
    }
    map.reset(half);
    CHECK(map.first() == Occupancy::kNone);
  }
}
