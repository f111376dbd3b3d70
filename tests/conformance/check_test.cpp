#include "conformance/check.hpp"

#include "catch.hpp"
#include "conformance/conformance.hpp"

namespace timerbench::conformance {

namespace {

SchedulerSpec spec_named(std::string_view name) { return parse_specs(name).front(); }

std::vector<VectorFile> file_with(const std::string& text) {
  return {parse_vectors(text, "some.vectors")};
}

/// scan_list, except that next_expiry() is a bound of this quality.
enum class Bound { kTight, kLoose, kTooLate, kStuck };

template <Bound kBound>
class BoundingScheduler final : public AnyScheduler {
 public:
  explicit BoundingScheduler(const SchedulerConfig& config)
      : exact_(find_family("scan_list")->make(config, std::nullopt)) {}

  bool schedule(JobId id, Time deadline) override { return exact_->schedule(id, deadline); }
  bool cancel(JobId id) override { return exact_->cancel(id); }
  std::span<const JobId> advance(Time now) override { return exact_->advance(now); }
  std::size_t pending() const override { return exact_->pending(); }
  Time now() const override { return exact_->now(); }
  std::optional<Location> where(JobId) const override { return std::nullopt; }
  std::size_t levels() const override { return 0; }
  void check_invariants() const override { exact_->check_invariants(); }
  Effort effort() const override { return exact_->effort(); }

  std::optional<Time> next_expiry() override {
    const std::optional<Time> exact = exact_->next_expiry();
    if (!exact || kBound == Bound::kTight) return exact;
    if (kBound == Bound::kTooLate) return *exact + 1;
    if (kBound == Bound::kStuck) return now();
    return now() + (*exact - now() + 1) / 2;
  }

 private:
  std::unique_ptr<AnyScheduler> exact_;
};

template <Bound kBound>
const SchedulerEntry& bounding_entry() {
  static const SchedulerEntry entry = [] {
    SchedulerEntry made;
    made.info.name = "bounding";
    made.info.exact_next_expiry = false;
    made.capabilities.exact_next_expiry = false;
    made.make = +[](const SchedulerConfig& config,
                    std::optional<std::uint32_t>) -> std::unique_ptr<AnyScheduler> {
      return std::make_unique<BoundingScheduler<kBound>>(config);
    };
    return made;
  }();
  return entry;
}

}  // namespace

TEST_CASE("a difference names file, line, case, operation and both answers") {
  const auto files = file_with(
      "case good tick=1 wheel_size=4 start=0\nnext -> none\n\n"
      "case bad tick=1 wheel_size=4 start=0\nschedule 7 3\nadvance 3 -> 7 8\n");
  const CheckReport report = check(spec_named("scan_list"), files);
  CHECK(report.passed == 1);
  CHECK_FALSE(report.ok());
  REQUIRE(report.failures.size() == 1);
  CHECK(to_text(report.failures[0]) == "some.vectors:6: case bad: advance 3: expected 7 8, got 7");
}

TEST_CASE("an exception of the scheduler is a difference") {
  const auto files = file_with(
      "case far tick=10 wheel_size=4 start=0\nschedule 7 9223372036854775807\npending -> 1\n");
  const CheckReport report = check(spec_named("scan_list"), files);
  REQUIRE(report.failures.size() == 1);
  CHECK_THAT(to_text(report.failures[0]),
             Catch::StartsWith("some.vectors:2: case far: schedule 7 9223372036854775807: ") &&
                 Catch::Contains("the exception \"deadline: 9223372036854775807"));
}

TEST_CASE("every case is reported once, at its first difference") {
  const auto files = file_with(
      "case a tick=1 wheel_size=4 start=0\npending -> 1\npending -> 2\n\n"
      "case b tick=1 wheel_size=4 start=0\npending -> 3\n");
  const CheckReport report = check(spec_named("scan_list"), files);
  REQUIRE(report.failures.size() == 2);
  CHECK(report.failures[0].difference.line == 2);
  CHECK(report.failures[1].difference.line == 6);
}

TEST_CASE("locations bind only schedulers that have wheels") {
  const auto files =
      file_with("case a tick=1 wheel_size=4 start=0\nschedule 1 5\nwhere 1 -> 3 3\nlevels -> 7\n");
  CHECK(check(spec_named("scan_list"), files).ok());
  CHECK_FALSE(check(spec_named("hierarchical_wheel"), files).ok());
}

TEST_CASE("a case's wheel size is used, whatever the specification says") {
  const auto files =
      file_with("case a tick=1 wheel_size=4 start=0\nschedule 1 17\nwhere 1 -> 2 1\nlevels -> 3\n");
  CHECK(check(spec_named("hierarchical_wheel/64"), files).ok());
}

TEST_CASE("what a scheduler cannot be asked is skipped and counted") {
  const std::string jump = std::to_string(kLongestSteppedJump);
  const auto files =
      file_with("case long tick=1 wheel_size=4 start=5\nadvance 5 -> -\nadvance " +
                std::to_string(kLongestSteppedJump + 6) +
                " -> -\n\ncase short tick=1 wheel_size=4 start=0\nadvance " + jump +
                " -> -\n\ncase huge tick=1 wheel_size=4000000000 start=0\nlevels -> 1\n");
  const CheckReport stepping = check(spec_named("hierarchical_wheel_stepping"), files);
  CHECK(stepping.ok());
  CHECK(stepping.passed == 1);
  REQUIRE(stepping.skips.size() == 2);
  CHECK(stepping.skips[0].case_name == "long");
  CHECK_THAT(stepping.skips[0].reason, Catch::Contains("10000001 ticks"));
  CHECK(stepping.skips[1].case_name == "huge");
  CHECK_THAT(stepping.skips[1].reason, Catch::Contains("wheel_size 4000000000"));
  CHECK(check(spec_named("scan_list"), files).passed == 3);
}

TEST_CASE("a bound of the next expiry may be early, but not late and not in vain") {
  const auto files = file_with(
      "case a tick=1 wheel_size=4 start=0\nnext -> none\nschedule 1 1000\nschedule 2 70000\n"
      "next -> 1000\nadvance 400 -> -\nnext -> 1000\n");
  const auto report_of = [&files](const SchedulerEntry& entry) {
    return check(SchedulerSpec{&entry, 0}, files);
  };
  CHECK(report_of(bounding_entry<Bound::kTight>()).ok());
  CHECK(report_of(bounding_entry<Bound::kLoose>()).ok());
  const CheckReport late = report_of(bounding_entry<Bound::kTooLate>());
  REQUIRE(late.failures.size() == 1);
  CHECK_THAT(to_text(late.failures[0]), Catch::Contains("next: expected 1000, got 1001"));
  const CheckReport stuck = report_of(bounding_entry<Bound::kStuck>());
  REQUIRE(stuck.failures.size() == 1);
  CHECK_THAT(to_text(stuck.failures[0]), Catch::Contains("then advance to next, repeated"));
}

TEST_CASE("the verdict covers vectors, bad input and walks, and a floor fails it") {
  const ConformanceReport report =
      conformance::conformance(spec_named("scan_list"), Effort::quick());
  CHECK(report.passed());
  CHECK(report.first_failure().empty());
  CHECK(report.vectors.passed > 100);
  CHECK(report.walks.operations >= Effort::quick().walks.operations);
  const ConformanceReport floor =
      conformance::conformance(spec_named("null_floor"), Effort::quick());
  CHECK_FALSE(floor.passed());
  CHECK_THAT(floor.first_failure(), Catch::StartsWith("named.vectors:"));
}

}  // namespace timerbench::conformance
