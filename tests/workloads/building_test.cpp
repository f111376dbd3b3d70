// The builder's judgement, by hand; streams_test.cpp compares it with a scheduler.
#include <limits>
#include <stdexcept>
#include <vector>

#include "catch.hpp"
#include "stream_builder.hpp"
#include "support.hpp"

namespace timerbench::workloads {
namespace {

std::vector<JobNumber> fired(StreamBuilder& stream, Time now) {
  const std::span<const JobNumber> jobs = stream.advance(now);
  return {jobs.begin(), jobs.end()};
}

using Jobs = std::vector<JobNumber>;

TEST_CASE("deadlines are rounded up to ticks, and the clock down") {
  StreamBuilder stream("test", {.tick = 10});
  stream.schedule(0, 11);
  stream.schedule(1, 20);
  stream.schedule(2, 21);
  CHECK(stream.next() == 20);
  CHECK(fired(stream, 19) == Jobs{});
  CHECK(stream.now() == 10);
  CHECK(fired(stream, 29) == Jobs{0, 1});
  CHECK(stream.next() == 30);
}

TEST_CASE("negative times round the same way") {
  StreamBuilder stream("test", {.tick = 10, .start = -40});
  stream.schedule(0, -31);
  CHECK(stream.next() == -30);
  CHECK(fired(stream, -31) == Jobs{});
  CHECK(fired(stream, -30) == Jobs{0});
}

TEST_CASE("jobs fire by deadline, and ties in the order in which they were scheduled last") {
  StreamBuilder stream("test", {});
  stream.schedule(0, 5);
  stream.schedule(1, 5);
  stream.schedule(2, 4);
  stream.schedule(0, 5);  // Loses its place.
  CHECK(fired(stream, 5) == Jobs{2, 1, 0});
}

TEST_CASE("a deadline in the past is due at once and fires at the next advance") {
  StreamBuilder stream("test", {});
  stream.advance(100);
  stream.schedule(0, 30);
  CHECK(stream.pending() == 1);
  CHECK(stream.next() == 100);
  CHECK(fired(stream, 0) == Jobs{0});  // The clock does not go back, and still returns what is due.
  CHECK(stream.now() == 100);
}

TEST_CASE("cancelled jobs do not fire, and what has happened counts") {
  StreamBuilder stream("test", {});
  stream.schedule(0, 1);
  stream.begin_timed();
  stream.schedule(1, 1);
  stream.schedule(1, 2);
  stream.cancel(0);
  stream.cancel(0);
  stream.next();
  CHECK(fired(stream, 1) == Jobs{});
  CHECK(fired(stream, 2) == Jobs{1});
  stream.next();
  CHECK(stream.timed_operations() == 8);
  const OpStream result = std::move(stream).finish();
  CHECK(result.preload.size() == 1);
  CHECK(result.ops.size() == 8);
  CHECK(result.jobs == 2);
  CHECK(result.pending_before == 1);
  CHECK(result.pending_peak == 2);
  CHECK(result.pending_after == 0);
  const Outcome& outcome = result.outcome;
  CHECK(outcome.schedules == 1);
  CHECK(outcome.reschedules == 1);
  CHECK(outcome.cancel_hits == 1);
  CHECK(outcome.cancel_misses == 1);
  CHECK(outcome.advances == 2);
  CHECK(outcome.fired == 1);
  CHECK(outcome.nexts == 2);
  CHECK(outcome.operations() == 8);  // The miss took no effect.
  CHECK(result.population == 2);     // None was asked for: the peak.
}

TEST_CASE("numbers of jobs are dense and used again") {
  StreamBuilder stream("test", {});
  CHECK(stream.acquire() == 0);
  CHECK(stream.acquire() == 1);
  CHECK(stream.acquire() == 2);
  stream.release(0);
  stream.release(1);
  CHECK(stream.acquire() == 1);
  CHECK(stream.acquire() == 0);
  CHECK(stream.acquire() == 3);
}

TEST_CASE("what the contract does not allow changes nothing") {
  CHECK(contains(error_of([] { StreamBuilder("test", {.tick = 0}); }), "tick: 0 is not allowed"));
  CHECK(contains(error_of([] { StreamBuilder("test", {.tick = 10, .start = 5}); }),
                 "start: 5 is not allowed"));
  StreamBuilder stream("test", {.tick = 10});
  CHECK(contains(error_of([&] { stream.schedule(0, std::numeric_limits<Time>::max()); }),
                 "deadline"));
  CHECK(stream.pending() == 0);
  stream.begin_timed();
  CHECK(std::move(stream).finish().preload.empty());
}

TEST_CASE("the clock reaches the ends of 64 bits") {
  StreamBuilder stream("test", {.tick = 1, .start = std::numeric_limits<Time>::min()});
  stream.schedule(0, std::numeric_limits<Time>::max());
  CHECK(fired(stream, std::numeric_limits<Time>::max() - 1) == Jobs{});
  CHECK(fired(stream, std::numeric_limits<Time>::max()) == Jobs{0});
}

TEST_CASE("a digest tells streams apart by anything that is asked for, and by nothing else") {
  OpStream stream;
  stream.ops = {{5, 1, OpKind::kSchedule}, {5, 0, OpKind::kAdvance}};
  const std::uint64_t original = digest(stream);
  OpStream changed = stream;
  changed.workload = "other";
  changed.outcome.fired = 7;
  CHECK(digest(changed) == original);
  changed.tick = 2;
  CHECK(digest(changed) != original);
  changed = stream;
  changed.ops[0].job = 2;
  CHECK(digest(changed) != original);
  changed = stream;
  changed.ops[0].kind = OpKind::kReschedule;
  CHECK(digest(changed) != original);
  changed = stream;
  std::swap(changed.ops[0], changed.ops[1]);
  CHECK(digest(changed) != original);
  changed = stream;
  changed.preload.push_back(changed.ops[0]);  // The same operations, but the first is not timed.
  changed.ops.erase(changed.ops.begin());
  CHECK(digest(changed) != original);
}

}  // namespace
}  // namespace timerbench::workloads
