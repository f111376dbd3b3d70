// One family of schedulers as something to measure: each pass replays a whole stream on a new
// scheduler.
//
// The passes are function pointers, so choosing a scheduler by name costs one indirect call a
// replay and nothing per operation. subject_passes.hpp defines them; the build instantiates them
// per family.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "histogram.hpp"
#include "op_stream.hpp"
#include "timerbench/handle_scheduler.hpp"
#include "timerbench/work.hpp"

namespace timerbench::bench {

enum class Level { kHandle, kId };

constexpr std::string_view name_of(Level level) {
  return level == Level::kHandle ? "handle" : "id";
}

/// What a pass replays: the stream, at which level, with which parameter.
struct Request {
  const workloads::OpStream& stream;
  Level level = Level::kHandle;
  std::uint32_t parameter = 0;
  /// Time the making of the scheduler and its first page faults too.
  bool cold = false;
};

struct TimedReplay {
  double seconds = 0;  ///< Of the stream's timed operations; preloading is not in it.
  workloads::Outcome outcome;
};

struct LatencyReplay {
  Histogram advance_ns;  ///< One value for each advance, clock readings included.
  double seconds = 0;    ///< Of the timed operations.
  double preload_seconds = 0;
  workloads::Outcome outcome;
};

struct WorkReplay {
  WorkCounts work;
  BatchCounts batches;
  std::uint64_t allocations = 0;
  workloads::Outcome outcome;
};

struct MemoryReplay {
  std::int64_t empty_bytes = 0;     ///< Held by a scheduler without jobs.
  std::int64_t loaded_bytes = 0;    ///< Held at the stream's end, with its jobs pending.
  std::int64_t residue_bytes = 0;   ///< Held after all of them were cancelled.
  std::int64_t resident_bytes = 0;  ///< By how much the process grew from empty to loaded.
};

struct Subject {
  std::string_view family;
  TimedReplay (*timed)(const Request& request);
  /// Nothing if the replay takes more than `budget_seconds`; then it was given up.
  std::optional<LatencyReplay> (*latency)(const Request& request, double budget_seconds);
  WorkReplay (*work)(const Request& request);
  MemoryReplay (*memory)(const Request& request);
};

/// Every family's, ordered as all_families().
std::span<const Subject> all_subjects();

/// The subject of a family in the registry.
const Subject& subject_of(std::string_view family);

}  // namespace timerbench::bench
