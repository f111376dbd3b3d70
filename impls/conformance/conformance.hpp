// Whether a scheduler keeps the contract. Nothing that fails this is measured or ranked.
#pragma once

#include <string>
#include <vector>

#include "conformance/bad_input.hpp"
#include "conformance/check.hpp"
#include "conformance/walk.hpp"

namespace timerbench::conformance {

/// How much is asked of the scheduler.
struct Effort {
  WalkOptions walks;

  /// For a gate in front of other work: a second or less. It rejects every mutant of the tests.
  static Effort quick() { return {.walks = {.first_seed = 1, .operations = 50'000}}; }
  /// What the tests ask of every registered scheduler.
  static Effort full() { return {.walks = {.first_seed = 1, .operations = 1'000'000}}; }
};

struct ConformanceReport {
  std::string scheduler;
  CheckReport vectors;
  std::vector<std::string> bad_input;  ///< Faults, see check_bad_input().
  WalkReport walks;

  bool passed() const { return vectors.ok() && bad_input.empty() && walks.ok(); }

  /// The first failing case, as text; empty if passed.
  std::string first_failure() const;
};

/// The built-in vectors, then bad input, then random walks; up to the first of them that fails.
ConformanceReport conformance(const SchedulerSpec& spec, const Effort& effort);

}  // namespace timerbench::conformance
