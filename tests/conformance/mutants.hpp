// Schedulers with one fault each, to show that the conformance test bites.
//
// Each fault is one that a timer queue has had or could have. The schedulers around them are small,
// correct without a fault, and serve no other purpose.
#pragma once

#include <span>
#include <string_view>

#include "timerbench/registry.hpp"

namespace timerbench::mutants {

struct Mutant {
  std::string_view fault;  ///< As a sentence without its subject: "rounds expiries down".
  SchedulerEntry entry;

  SchedulerSpec spec() const { return {&entry, entry.info.parameter.default_value}; }
};

/// The schedulers without any fault.
std::span<const Mutant> faultless();

/// One for each fault.
std::span<const Mutant> faulty();

}  // namespace timerbench::mutants
