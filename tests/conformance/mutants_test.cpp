#include "mutants.hpp"

#include "catch.hpp"
#include "conformance/conformance.hpp"

namespace timerbench::mutants {

using namespace conformance;

TEST_CASE("the mutants' schedulers pass without a fault") {
  for (const Mutant& mutant : faultless()) {
    INFO(mutant.entry.info.name);
    const ConformanceReport report = conformance::conformance(mutant.spec(), Effort::quick());
    INFO(report.first_failure());
    CHECK(report.passed());
    CHECK(report.vectors.skips.empty());
  }
}

TEST_CASE("the conformance test rejects every mutant and says where it fails first") {
  for (const Mutant& mutant : faulty()) {
    const ConformanceReport report = conformance::conformance(mutant.spec(), Effort::quick());
    INFO(mutant.entry.info.name << " that " << mutant.fault << ": " << report.first_failure());
    CHECK_FALSE(report.passed());
    CHECK_THAT(report.first_failure(),
               Catch::Contains(": case ") || Catch::StartsWith("bad input: "));
  }
}

TEST_CASE("walks alone find every fault that valid input can show, and shrink it") {
  for (const Mutant& mutant : faulty()) {
    if (!check_bad_input(mutant.spec()).empty()) continue;
    INFO(mutant.entry.info.name << " that " << mutant.fault);
    const WalkReport report = walk(mutant.spec(), Effort::quick().walks);
    REQUIRE_FALSE(report.ok());
    const WalkFailure& failure = *report.failure;
    INFO(to_text(failure));
    CHECK(failure.shrunk.steps.size() <= 20);  // A heap needs some jobs to be out of order.
    CHECK(failure.shrunk.steps.size() < failure.operations);

    // What is printed is a vectors file on which the same mutant fails and a correct one does not.
    const std::string printed = to_text(failure);
    const std::string pasted = printed.substr(printed.find('\n'));
    const std::vector<VectorFile> files{parse_vectors(pasted, "pasted.vectors")};
    CHECK_FALSE(check(mutant.spec(), files).ok());
    for (const SchedulerSpec& spec : parse_specs("all")) CHECK(check(spec, files).ok());
  }
}

}  // namespace timerbench::mutants
