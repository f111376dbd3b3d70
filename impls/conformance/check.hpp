// Puts cases to a scheduler and compares its answers: the engine of `timerbench check`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/vectors.hpp"
#include "timerbench/registry.hpp"

namespace timerbench::conformance {

/// Schedulers that walk every tick are not asked to cross more than this in one advance.
inline constexpr std::uint64_t kLongestSteppedJump = 10'000'000;

/// The first answer of a case that is not the expected one. An exception is an answer too.
struct Difference {
  std::string case_name;
  std::size_t line = 0;  ///< 0 in a case made in memory.
  std::string operation;
  std::string expected;
  std::string got;
};

/// "FILE:LINE: case NAME: OPERATION: expected EXPECTED, got GOT", without line where there is none.
std::string to_text(const Difference& difference, const std::string& file_name);

/// Whether the invariants are checked after each step too, or only when a case has ended. They cost
/// time in proportion to the whole scheduler.
enum class Invariants { kAtEnd, kEachStep };

/// How a scheduler did in one case. Skipped: `skip_reason` says why, and nothing was compared.
struct CaseResult {
  std::optional<Difference> difference;
  std::string skip_reason;

  bool failed() const { return difference.has_value(); }
  bool skipped() const { return !skip_reason.empty(); }
};

/// A fresh scheduler against one case, up to the first difference.
///
/// Compared are the answers that bind this scheduler (`where` and `levels` only with the location
/// capability; `next` only as a bound where it is not exact), and after every step also now(),
/// pending() and what schedule() returns, which follow from the expected answers.
CaseResult replay(const SchedulerSpec& spec, const VectorCase& vector_case,
                  Invariants invariants = Invariants::kAtEnd);

/// The answer of a scheduler to one operation.
Answer ask(AnyScheduler& scheduler, const Operation& operation);

struct CheckReport {
  struct Failure {
    std::string file;
    Difference difference;
  };
  struct Skip {
    std::string file;
    std::string case_name;
    std::string reason;
  };

  std::size_t passed = 0;
  std::vector<Failure> failures;  ///< At most one for each case: the first difference.
  std::vector<Skip> skips;

  bool ok() const { return failures.empty(); }
};

std::string to_text(const CheckReport::Failure& failure);

/// All cases of all files.
CheckReport check(const SchedulerSpec& spec, std::span<const VectorFile> files);

}  // namespace timerbench::conformance
