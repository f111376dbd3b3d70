// A queue that cannot grow: the job is cancelled, everything else stays as it was.
#include <new>

#include "catch.hpp"
#include "timerbench/keyed_scheduler.hpp"
#include "timerbench/schedulers/scan_list.hpp"

using namespace timerbench;

namespace {
/// A scan list that has no memory for one chosen deadline.
class FullList : public ScanList<> {
 public:
  using ScanList::ScanList;

  void insert(JobIndex job, Tick expiry) {
    if (expiry.number == 666) throw std::bad_alloc();
    ScanList::insert(job, expiry);
  }
};
}  // namespace

TEST_CASE("a new job that finds no memory was never there") {
  KeyedScheduler<FullList> scheduler({});
  scheduler.schedule(1, 5);
  CHECK_THROWS_AS(scheduler.schedule(2, 666), std::bad_alloc);
  scheduler.check_invariants();
  CHECK(scheduler.pending() == 1);
  CHECK_FALSE(scheduler.cancel(2));
  CHECK(scheduler.advance(1000).size() == 1);
}

TEST_CASE("a pending job that finds no memory for its new deadline is cancelled") {
  KeyedScheduler<FullList> scheduler({});
  scheduler.schedule(1, 5);
  scheduler.schedule(2, 6);
  CHECK_THROWS_AS(scheduler.schedule(2, 666), std::bad_alloc);
  scheduler.check_invariants();
  CHECK(scheduler.pending() == 1);
  CHECK_FALSE(scheduler.cancel(2));
  scheduler.schedule(2, 7);
  CHECK(scheduler.advance(1000).size() == 2);

  HandleScheduler<FullList> by_handle({});
  const JobHandle job = by_handle.create();
  by_handle.schedule(job, 5);
  CHECK_THROWS_AS(by_handle.schedule(job, 666), std::bad_alloc);
  by_handle.check_invariants();
  CHECK(by_handle.pending() == 0);
  CHECK_FALSE(by_handle.cancel(job));
}
