// The indexed heap's stamps: 32 bits that stand for 64-bit sequences.
#include "timerbench/schedulers/indexed_heap.hpp"

#include "catch.hpp"
#include "conformance/conformance.hpp"

using namespace timerbench;

namespace {
/// Uses its stamps up every few schedules, which the real one does every 2^32.
struct SmallStampsFamily {
  static constexpr FamilyInfo kInfo{.name = "small_stamps",
                                    .summary = "",
                                    .source = "",
                                    .parameter = IndexedHeapFamily::kInfo.parameter,
                                    .costs = {}};

  template <class Work, class Visitor>
  static void visit(std::uint32_t /*arity*/, Visitor&& visitor) {
    visitor.template operator()<IndexedHeap<4, Work, 600>>();
  }
};
}  // namespace

TEST_CASE("the order of ties survives new stamps") {
  const SchedulerEntry entry = detail::make_entry<SmallStampsFamily>();
  const conformance::ConformanceReport report =
      conformance::conformance({&entry, 4}, conformance::Effort::quick());
  INFO(report.first_failure());
  CHECK(report.passed());
}

TEST_CASE("a removed element is replaced by one that may have to rise") {
  // In the branch of 100 stands nothing below 100; the last element comes from the branch of 2.
  KeyedScheduler<IndexedHeap<2>> scheduler({}, 2);
  JobId id = 0;
  for (const Time deadline : {1, 100, 2, 101, 102, 3, 4}) scheduler.schedule(++id, deadline);
  CHECK(scheduler.cancel(4));  // The 101; the hole gets the 4, which is before its parent, 100.
  scheduler.check_invariants();
  const auto fired = scheduler.advance(200);
  CHECK(std::vector<JobId>(fired.begin(), fired.end()) == std::vector<JobId>{1, 3, 6, 7, 2, 5});
}
