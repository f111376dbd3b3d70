// The map for dense ids, held to a std::map and, under a scheduler, to the default map.
#include "timerbench/dense_id_map.hpp"

#include <map>
#include <random>

#include "catch.hpp"
#include "timerbench/schedulers/scan_list.hpp"

using namespace timerbench;

TEST_CASE("DenseIdMap holds what a map holds") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    DenseIdMap dense;
    std::map<JobId, JobIndex> model;
    for (int step = 0; step < 2000; ++step) {
      const JobId id = random() % (1 + seed * 7);
      const auto job = static_cast<JobIndex>(random() % 1000);
      if (random() % 2 == 0) {
        const auto [entry, is_new] = dense.try_emplace(id, job);
        const auto [expected, was_new] = model.try_emplace(id, job);
        REQUIRE(is_new == was_new);
        REQUIRE(entry->second == expected->second);
        if (random() % 4 == 0) entry->second = expected->second = job + 1;
      } else if (const auto entry = dense.find(id); entry == dense.end()) {
        REQUIRE(model.count(id) == 0);
        dense.erase(id);  // Nothing.
      } else {
        REQUIRE(entry->second == model.at(id));
        random() % 2 == 0 ? dense.erase(entry) : dense.erase(id);
        model.erase(id);
      }
      REQUIRE(dense.size() == model.size());
      auto expected = model.begin();
      for (const auto& [known, value] : dense) {
        REQUIRE(expected != model.end());
        REQUIRE(known == expected->first);
        REQUIRE(value == expected->second);
        ++expected;
      }
      REQUIRE(expected == model.end());
    }
  }
}

TEST_CASE("a scheduler over DenseIdMap answers as one over the default map") {
  std::mt19937_64 random(7);
  KeyedScheduler<ScanList<>, DenseIdMap> dense({.tick = 10});
  KeyedScheduler<ScanList<>> usual({.tick = 10});
  Time now = 0;
  for (int step = 0; step < 20'000; ++step) {
    const JobId id = random() % 60;
    switch (random() % 4) {
      case 0:
      case 1: {
        const Time deadline = now + static_cast<Time>(random() % 300) - 20;
        REQUIRE(dense.schedule(id, deadline) == usual.schedule(id, deadline));
        break;
      }
      case 2:
        REQUIRE(dense.cancel(id) == usual.cancel(id));
        break;
      default: {
        now += static_cast<Time>(random() % 40);
        const auto got = dense.advance(now);
        const auto expected = usual.advance(now);
        REQUIRE(std::vector<JobId>(got.begin(), got.end()) ==
                std::vector<JobId>(expected.begin(), expected.end()));
      }
    }
    dense.check_invariants();
  }
}

TEST_CASE("DenseIdMap refuses an id that no array is made for, and nothing changes") {
  KeyedScheduler<ScanList<>, DenseIdMap> scheduler({});
  scheduler.schedule(3, 5);
  CHECK_THROWS_WITH(scheduler.schedule(DenseIdMap::kEnd, 5),
                    Catch::Contains("id: 2147483648") && Catch::Contains("below 2^31"));
  CHECK_FALSE(scheduler.cancel(DenseIdMap::kEnd));
  CHECK(scheduler.pending() == 1);
  scheduler.check_invariants();
}
