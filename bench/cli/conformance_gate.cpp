#include "conformance_gate.hpp"

#include <iostream>
#include <set>

#include "conformance/check.hpp"

namespace timerbench::cli {

bool conformance_gate(const bench::Plan& plan) {
  bool good = true;
  std::set<std::string> checked;
  for (const bench::Group& group : plan.groups) {
    for (const bench::RowSpec& row : group.rows) {
      if (row.scheduler.family->info.role == Role::kFloor ||
          !checked.insert(row.scheduler.name()).second)
        continue;
      const conformance::CheckReport report =
          conformance::check(row.scheduler, conformance::built_in_vectors());
      for (const auto& failure : report.failures) {
        std::cerr << row.scheduler.name() << ": " << conformance::to_text(failure) << "\n";
      }
      good = good && report.ok();
    }
  }
  if (!good)
    std::cerr << "timerbench: run: the schedulers above break the contract; nothing is measured\n";
  return good;
}

}  // namespace timerbench::cli
