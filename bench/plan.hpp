// What a run measures: groups of rows, each group on one op stream.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "subject.hpp"
#include "timerbench/registry.hpp"
#include "workload.hpp"

namespace timerbench::bench {

/// A scheduler at a level: what one row of the results is about, besides the stream.
struct RowSpec {
  SchedulerSpec scheduler;
  Level level = Level::kHandle;
  /// The same scheduler a second time: tells how far two equal rows differ.
  bool repeat = false;

  std::string_view role() const;
};

/// All rows on one stream; they are interleaved with each other.
struct Group {
  workloads::WorkloadSpec workload;
  std::uint64_t population = 0;
  std::uint64_t min_ops = 0;
  std::vector<RowSpec> rows;
  bool times = true;    ///< Timed rows (each verified and with a latency entry).
  bool latency = true;  ///< Publish the latency pass; an operation alone has no advances worth it.
  bool work = true;     ///< Count the work.
  /// A row whose repetitions would take longer than this is skipped, with the reason.
  double row_budget_seconds = 1;
  bool memory = false;  ///< Weigh the memory, with the jobs that are pending at the stream's end.

  /// "rpc_timeouts n=1000".
  std::string title() const;
  bool cold() const;
};

enum class Profile {
  kSmoke,
  kQuick,
  kFull,
  kCore,  ///< What an operation costs, from 10^3 to 10^6 jobs: few workloads, measured thoroughly.
};

std::string_view name_of(Profile profile);
/// Nothing if there is no profile of this name.
std::optional<Profile> find_profile(std::string_view name);

/// What the caller asked for; empty means what the profile has.
struct Selection {
  std::vector<SchedulerSpec> schedulers;
  std::vector<workloads::WorkloadSpec> workloads;
  std::vector<std::uint64_t> populations;
  std::optional<Level> level;
};

struct Plan {
  Profile profile = Profile::kQuick;
  std::uint64_t seed = 1;
  int repetitions = 9;
  /// Each repetition replays the stream often enough to take this long.
  double min_repetition_seconds = 0;
  std::vector<Group> groups;
};

Plan make_plan(Profile profile, std::uint64_t seed, const Selection& selection);

}  // namespace timerbench::bench
