#include "timerbench/job_pool.hpp"

#include "catch.hpp"

namespace timerbench {

namespace {
struct Hook {
  std::uint32_t value;
};
using Pool = JobPool<Hook>;
}  // namespace

TEST_CASE("a new pool hands out its nodes in ascending order") {
  Pool pool{TickScale(1)};
  for (JobIndex job = 0; job < 5; ++job) {
    CHECK(pool.create() == job);
    CHECK(pool[job].state == JobState::kIdle);
  }
  CHECK(pool.size() == 5);
}

TEST_CASE("freed nodes are used again before new ones are made") {
  Pool pool{TickScale(1)};
  for (int i = 0; i < 4; ++i) pool.create();
  pool.destroy(1);
  pool.destroy(3);
  CHECK(pool.create() == 3);  // Freed last, so likely still in the cache.
  CHECK(pool.create() == 1);
  CHECK(pool.size() == 4);
  CHECK(pool.create() == 4);
}

TEST_CASE("a handle is live until its node is destroyed, and never again") {
  Pool pool{TickScale(1)};
  const JobHandle first = pool.handle(pool.create());
  CHECK(pool.is_live(first));
  pool.destroy(first.index);
  CHECK_FALSE(pool.is_live(first));
  const JobHandle second = pool.handle(pool.create());
  CHECK(second.index == first.index);
  CHECK(pool.is_live(second));
  CHECK_FALSE(pool.is_live(first));
}

TEST_CASE("handles that nobody was given are not live") {
  Pool pool{TickScale(1)};
  CHECK_FALSE(pool.is_live(JobHandle{}));
  CHECK_FALSE(pool.is_live(JobHandle{0, 0}));
  pool.create();
  pool.reserve(3);
  CHECK(pool.is_live(JobHandle{0, 0}));
  CHECK_FALSE(pool.is_live(JobHandle{0, 1}));
  CHECK_FALSE(pool.is_live(JobHandle{1, 0}));  // In stock, not handed out.
  CHECK_FALSE(pool.is_live(JobHandle{3, 0}));
}

TEST_CASE("reserved nodes exist at once and are handed out before others") {
  Pool pool{TickScale(1)};
  pool.create();
  pool.reserve(4);
  CHECK(pool.size() == 4);
  pool.reserve(2);  // Fewer than there are.
  CHECK(pool.size() == 4);
  CHECK(pool.create() == 1);
  CHECK(pool.create() == 2);
  CHECK(pool.create() == 3);
  CHECK(pool.size() == 4);
  CHECK(pool.create() == 4);
}

TEST_CASE("a pool refuses more nodes than indexes") {
  Pool pool{TickScale(1)};
  CHECK_THROWS_AS(pool.reserve(std::size_t{kNoJob} + 1), std::length_error);
  CHECK(pool.size() == 0);
}

TEST_CASE("a generation counts round without touching the state beside it") {
  Pool pool{TickScale(1)};
  const JobIndex job = pool.create();
  pool[job].generation = kGenerationMask;
  const JobHandle last = pool.handle(job);
  CHECK(pool.is_live(last));
  pool.destroy(job);
  CHECK(pool[job].state == JobState::kFree);
  CHECK(pool.create() == job);
  CHECK(pool.handle(job).generation == 0);
  CHECK_FALSE(pool.is_live(last));
}

TEST_CASE("an expiry is that of the node's deadline") {
  Pool pool{TickScale(10)};
  const JobIndex job = pool.create();
  pool[job].deadline = 11;
  pool[job].sequence = 5;
  CHECK(pool.expiry(job) == Tick{2});
  CHECK(pool.deadline(job) == 11);
  CHECK(pool.sequence(job) == 5);
}

}  // namespace timerbench
