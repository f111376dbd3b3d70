#include "conformance_gate.hpp"

#include <iostream>
#include <set>

#include "conformance/conformance.hpp"

namespace timerbench::cli {

bool conformance_gate(const bench::Plan& plan) {
  bool good = true;
  std::set<std::string> checked;
  for (const bench::Group& group : plan.groups) {
    for (const bench::RowSpec& row : group.rows) {
      const bool is_floor = row.scheduler.family->info.role == Role::kFloor;
      if (is_floor || !checked.insert(row.scheduler.name()).second) continue;
      const conformance::ConformanceReport report =
          conformance::conformance(row.scheduler, conformance::Effort::quick());
      if (report.passed()) continue;
      std::cerr << report.scheduler << ": " << report.first_failure() << "\n";
      good = false;
    }
  }
  if (!good) {
    std::cerr << "timerbench: run: the schedulers above break the contract; nothing is measured\n";
  }
  return good;
}

}  // namespace timerbench::cli
