// Random walks: cases made from a seed, dense around the places where timer queues go wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "conformance/check.hpp"

namespace timerbench::conformance {

/// How far the clock may go in one step.
enum class Jumps {
  kAny,
  kShort,  ///< At most 10^5 ticks, and most far fewer: for schedulers that walk every tick.
};

/// The case of this seed, the same on every machine. Deadlines and advances are drawn around slot,
/// rotation and power boundaries of the wheel size, around the ends of 64 bits and at ties.
///
/// The expected answers are the model's; the scan_list scheduler has to agree with it.
/// Errors: std::logic_error if it does not: then the contract has two readings, and no verdict on
/// any scheduler is worth anything.
VectorCase walk_case(std::uint64_t seed, Jumps jumps);

struct WalkOptions {
  std::uint64_t first_seed = 1;  ///< Cases have the seeds from here on, one each.
  std::uint64_t operations = 1'000'000;
};

struct WalkFailure {
  std::uint64_t seed = 0;
  std::size_t operations = 0;  ///< How many the case had before it was shrunk.
  VectorCase shrunk;
  Difference difference;  ///< In the shrunk case.
};

/// The difference, how to get it again, and the shrunk case, ready to be pasted into a vectors
/// file.
std::string to_text(const WalkFailure& failure);

struct WalkReport {
  std::uint64_t cases = 0;
  std::uint64_t operations = 0;
  std::optional<WalkFailure> failure;

  bool ok() const { return !failure.has_value(); }
};

/// Walks until that many operations are done or one differs. The invariants are checked after each.
WalkReport walk(const SchedulerSpec& spec, const WalkOptions& options = {});

}  // namespace timerbench::conformance
