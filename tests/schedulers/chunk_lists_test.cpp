// Slots of chunks: order, exact removal, and what stays in memory.
#include "timerbench/chunk_lists.hpp"

#include <algorithm>
#include <random>

#include "catch.hpp"

using namespace timerbench;

namespace {
using Pool = JobPool<ChunkHook>;

struct Slots {
  Slots() : pool(TickScale(1)), lists(4) {}

  JobIndex add(std::uint32_t slot) {
    const JobIndex job = pool.create();
    lists.append(pool, slot, job);
    return job;
  }

  std::vector<JobIndex> take(std::uint32_t slot) {
    std::vector<JobIndex> jobs;
    lists.take(pool, slot, [&](JobIndex job) { jobs.push_back(job); });
    return jobs;
  }

  void check() const {
    lists.check_invariants(pool, [](std::uint32_t, JobIndex) {});
  }

  Pool pool;
  ChunkLists<Pool> lists;
};
}  // namespace

TEST_CASE("jobs leave a slot in the order in which they came, alone, in one chunk and in many") {
  for (const std::size_t count : {1u, 2u, 12u, 13u, 14u, 26u, 27u, 100u}) {
    Slots slots;
    std::vector<JobIndex> expected;
    for (std::size_t i = 0; i < count; ++i) expected.push_back(slots.add(2));
    slots.check();
    CHECK(slots.lists.occupied().test(2));
    CHECK(slots.take(2) == expected);
    CHECK_FALSE(slots.lists.occupied().test(2));
    slots.check();
  }
}

TEST_CASE("any job can be removed from any slot, and the order of the others stays") {
  std::mt19937_64 random(12);
  for (int round = 0; round < 200; ++round) {
    Slots slots;
    std::vector<std::vector<JobIndex>> expected(4);
    for (int step = 0; step < 120; ++step) {
      const auto slot = static_cast<std::uint32_t>(random() % 4);
      if (random() % 3 != 0 || expected[slot].empty()) {
        expected[slot].push_back(slots.add(slot));
      } else {
        const auto victim =
            expected[slot].begin() + static_cast<std::ptrdiff_t>(random() % expected[slot].size());
        CHECK(slots.lists.slot_of(slots.pool, *victim) == slot);
        slots.lists.erase(slots.pool, *victim);
        expected[slot].erase(victim);
      }
      slots.check();
    }
    for (std::uint32_t slot = 0; slot < 4; ++slot) REQUIRE(slots.take(slot) == expected[slot]);
  }
}

TEST_CASE("a slot may be filled again while it is being emptied") {
  Slots slots;
  std::vector<JobIndex> first;
  for (int i = 0; i < 40; ++i) first.push_back(slots.add(0));
  std::vector<JobIndex> seen;
  slots.lists.take(slots.pool, 0, [&](JobIndex job) {
    seen.push_back(job);
    slots.lists.append(slots.pool, job % 2, job);
  });
  CHECK(seen == first);
  slots.check();
  CHECK(slots.take(0).size() + slots.take(1).size() == 40);
}
