// All schedulers, by name.
//
// The build collects the headers in schedulers/ (and in -DTIMERBENCH_EXTRA_SCHEDULERS=dir), makes
// one object file for each and this list of all: adding a scheduler is adding its header.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "timerbench/any_scheduler.hpp"
#include "timerbench/family.hpp"

namespace timerbench {

struct SchedulerEntry {
  FamilyInfo info;
  Capabilities capabilities;
  /// Without a parameter, with the family's default.
  /// Errors: std::invalid_argument for a bad tick, start or parameter.
  std::unique_ptr<AnyScheduler> (*make)(const SchedulerConfig& config,
                                        std::optional<std::uint32_t> parameter);
};

/// Every family, ordered by name, floors included.
std::span<const SchedulerEntry> all_families();

/// The family of this name, or null.
const SchedulerEntry* find_family(std::string_view name);

/// A family with a parameter: "hashed_wheel/512", or "scan_list" where there is none.
struct SchedulerSpec {
  const SchedulerEntry* family = nullptr;
  std::uint32_t parameter = 0;

  std::string name() const;
  std::unique_ptr<AnyScheduler> make(Time tick, Time start) const;
};

/// Reads "NAME", "NAME/PARAMETER" or a comma-separated list of them; "all" is every scheduler
/// (floors are none) with its default parameter. Errors: std::invalid_argument naming the part that
/// is wrong and what is known.
std::vector<SchedulerSpec> parse_specs(std::string_view text);

namespace detail {
/// Builds a family's entry; what each generated source calls.
template <class Family>
SchedulerEntry make_entry() {
  SchedulerEntry entry;
  entry.info = Family::kInfo;
  entry.capabilities.exact_next_expiry = Family::kInfo.exact_next_expiry;
  entry.capabilities.steps_every_tick = Family::kInfo.steps_every_tick;
  Family::template visit<CountedWork>(Family::kInfo.parameter.default_value, [&]<class Queue>() {
    entry.capabilities.location = HasLocation<Queue>;
  });
  entry.make = +[](const SchedulerConfig& config, std::optional<std::uint32_t> chosen) {
    const std::uint32_t parameter = Family::kInfo.parameter.checked(chosen);
    std::unique_ptr<AnyScheduler> scheduler;
    Family::template visit<CountedWork>(parameter, [&]<class Queue>() {
      static_assert(TimerQueue<Queue>);
      scheduler = std::make_unique<SchedulerModel<KeyedScheduler<Queue>>>(config, parameter);
    });
    return scheduler;
  };
  return entry;
}
}  // namespace detail

}  // namespace timerbench
