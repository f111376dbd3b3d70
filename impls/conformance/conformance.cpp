#include "conformance/conformance.hpp"

namespace timerbench::conformance {

std::string ConformanceReport::first_failure() const {
  if (!vectors.ok()) return to_text(vectors.failures.front());
  if (!bad_input.empty()) return "bad input: " + bad_input.front();
  if (!walks.ok()) return to_text(*walks.failure);
  return {};
}

ConformanceReport conformance(const SchedulerSpec& spec, const Effort& effort) {
  ConformanceReport report;
  report.scheduler = spec.name();
  report.vectors = check(spec, built_in_vectors());
  if (!report.passed()) return report;
  report.bad_input = check_bad_input(spec);
  if (!report.passed()) return report;
  report.walks = walk(spec, effort.walks);
  return report;
}

}  // namespace timerbench::conformance
