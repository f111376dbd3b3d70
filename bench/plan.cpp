#include "plan.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace timerbench::bench {

using workloads::Workload;
using workloads::WorkloadKind;
using workloads::WorkloadSpec;

std::string_view RowSpec::role() const {
  if (repeat) return "repeat";
  return scheduler.family->info.role == Role::kFloor ? "floor" : "scheduler";
}

std::string Group::title() const {
  if (workload.workload->kind == WorkloadKind::kTrace) return workload.name;
  return workload.name + " n=" + std::to_string(population);
}

bool Group::cold() const { return workload.workload->name == "cold_start"; }

std::string_view name_of(Profile profile) {
  switch (profile) {
    case Profile::kSmoke:
      return "smoke";
    case Profile::kQuick:
      return "quick";
    case Profile::kCore:
      return "core";
    case Profile::kFull:
      break;
  }
  return "full";
}

std::optional<Profile> find_profile(std::string_view name) {
  for (const Profile profile : {Profile::kSmoke, Profile::kQuick, Profile::kFull, Profile::kCore}) {
    if (name == name_of(profile)) return profile;
  }
  return std::nullopt;
}

namespace {

/// How far a profile goes. The figures trade coverage for time, nothing else.
struct Extent {
  int repetitions = 9;
  double row_budget_seconds = 1;
  double headline_row_budget_seconds = 1;
  double min_repetition_seconds = 0;
  std::uint64_t min_ops = 65'536;
  /// More than a turn of the finest wheel for 10^6 jobs, so that cascades are in.
  std::uint64_t headline_min_ops = 300'000;
  std::vector<std::uint64_t> populations;            ///< Of every synthetic workload.
  std::vector<std::uint64_t> headline_populations;   ///< Of kHeadline besides, at the handle level.
  std::vector<std::uint64_t> operation_populations;  ///< Of each operation alone.
  std::vector<std::uint64_t> memory_populations;
  std::uint64_t sweep_population = 10'000;
  std::size_t sweep_stride = 1;  ///< 2: every other point of a sweep.
};

Extent extent_of(Profile profile) {
  Extent extent;
  switch (profile) {
    case Profile::kSmoke:
      extent.repetitions = 3;
      extent.row_budget_seconds = 0.2;
      extent.min_ops = 4096;
      extent.populations = {10, 100, 1000};
      extent.operation_populations = {10'000};
      extent.memory_populations = {10'000};
      extent.sweep_population = 1000;
      extent.sweep_stride = 3;
      break;
    case Profile::kQuick:
      extent.row_budget_seconds = 1.8;
      extent.headline_row_budget_seconds = 9;
      extent.min_repetition_seconds = 0.002;
      extent.populations = {10, 100, 1000, 10'000, 100'000};
      extent.headline_populations = {1'000'000};
      extent.operation_populations = {10'000, 100'000};
      extent.memory_populations = {10'000, 100'000};
      break;
    case Profile::kFull:
      extent.repetitions = 11;
      extent.row_budget_seconds = extent.headline_row_budget_seconds = 60;
      extent.min_repetition_seconds = 0.05;
      extent.min_ops = 262'144;
      extent.populations = {10, 100, 1000, 10'000, 100'000, 1'000'000};
      extent.operation_populations = {10'000, 100'000, 1'000'000};
      extent.memory_populations = {10'000, 100'000, 1'000'000};
      extent.sweep_population = 100'000;
      break;
    case Profile::kCore:
      // A mean of 0.05 s is long against the clock and against what the machine does meanwhile.
      extent.min_repetition_seconds = 0.05;
      extent.min_ops = 262'144;
      extent.populations = {1000, 1'000'000};
      break;
  }
  return extent;
}

/// The workloads whose answers differ most between schedulers: measured at 10^6 jobs in a quick run
/// too.
constexpr std::array<std::string_view, 4> kHeadline{"rpc_timeouts", "idle_sessions",
                                                    "hold_exponential", "far_horizon"};

/// A workload of few jobs by its meaning; a profile asks it for no more than this.
constexpr std::string_view kFewJobs = "sparse";
constexpr std::uint64_t kFew = 1000;

/// What the core profile measures: timeouts that rarely fire, with many lengths and with one; timers
/// that are re-armed; the two classic tests of event queues; every magnitude of delay; few jobs.
constexpr std::array<std::string_view, 7> kCoreWorkloads{
    "rpc_timeouts",
    "rpc_timeouts{timeout=30s}",
    "idle_sessions",
    "hold_exponential",
    "far_horizon",
    "fill_and_drain",
    "sparse{shortest=30m,longest=90m,oversleep=0}"};
constexpr std::uint64_t kCoreFew = 100;
/// Enough to re-arm each of the few jobs forty times, and few enough for who walks every tick.
constexpr std::uint64_t kCoreFewMinOps = 16'384;
/// A few re-arms of each job: a lap or more of the finer wheels, cascades in a steady state.
constexpr std::uint64_t kCoreOpsPerJob = 4;
/// What one replay of a million jobs may take; of more jobs, as much more.
constexpr double kCoreReplaySeconds = 2.5;
/// Where and for which schedulers the core profile shows what looking an id up costs. All of them
/// pay the same for it, so that a few tell.
constexpr std::array<std::string_view, 3> kCoreIdWorkloads{"rpc_timeouts", "idle_sessions",
                                                           "hold_exponential"};
constexpr std::array<std::string_view, 2> kCoreIdFamilies{"aligned_wheel", "lazy_wheel"};

template <std::size_t kCount>
bool contains(const std::array<std::string_view, kCount>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// On which workloads the parameters' sweep is run.
constexpr std::array<std::string_view, 3> kParameterSweepOn{"rpc_timeouts", "hold_exponential",
                                                            "far_horizon"};

/// The points of the sweep workloads.
struct SweepPoints {
  std::string_view workload;
  std::string_view parameter;
  std::vector<double> values;
  std::uint64_t population = 0;  ///< 0: the profile's.
};

const std::vector<SweepPoints>& sweeps() {
  static const std::vector<SweepPoints> points{
      {"cancel_share", "cancel", {0, 0.25, 0.5, 0.75, 0.9, 0.99, 1}},
      {"horizon", "horizon", {100, 1000, 10'000, 100'000, 1e6, 1e7, 1e8}},
      {"empty_ticks", "gap", {1, 10, 100, 1000, 10'000, 100'000, 1e6}, 100},
  };
  return points;
}

class Planner {
 public:
  Planner(Profile profile, const Selection& selection)
      : profile_(profile), extent_(extent_of(profile)), selection_(selection) {}

  const Extent& extent() const { return extent_; }

  std::vector<Group> groups() {
    if (profile_ == Profile::kCore) {
      add_core();
    } else if (!selection_.workloads.empty()) {
      for (const WorkloadSpec& workload : selection_.workloads) add_chosen(workload);
    } else {
      for (const Workload& workload : workloads::all_workloads()) add_from_profile(workload);
    }
    return std::move(groups_);
  }

 private:
  std::vector<SchedulerSpec> schedulers() const {
    return selection_.schedulers.empty() ? parse_specs("all") : selection_.schedulers;
  }

  bool wants(Level level) const { return !selection_.level || *selection_.level == level; }

  /// Each scheduler at each of the levels, the floor beside them, and one scheduler twice.
  std::vector<RowSpec> rows(std::vector<SchedulerSpec> schedulers,
                            const std::vector<Level>& levels) const {
    for (const SchedulerEntry& entry : all_families()) {
      const bool chosen =
          std::any_of(schedulers.begin(), schedulers.end(),
                      [&](const SchedulerSpec& spec) { return spec.family == &entry; });
      if (entry.info.role == Role::kFloor && !chosen) schedulers.push_back({&entry, 0});
    }
    std::vector<RowSpec> rows;
    for (const Level level : levels) {
      if (!wants(level)) continue;
      for (const SchedulerSpec& scheduler : schedulers) rows.push_back({scheduler, level});
    }
    if (!rows.empty())
      rows.push_back({.scheduler = rows[twin_of_repeat(rows)].scheduler,
                      .level = rows[twin_of_repeat(rows)].level,
                      .repeat = true});
    return rows;
  }

  /// The row to run twice: the cheapest to repeat is a wheel; without one, the first.
  static std::size_t twin_of_repeat(const std::vector<RowSpec>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].scheduler.family->info.name == "hierarchical_wheel") return i;
    }
    return 0;
  }

  void add(const WorkloadSpec& workload, std::uint64_t population, const std::vector<Level>& levels,
           bool is_headline = false) {
    const WorkloadKind kind = workload.workload->kind;
    Group group{.workload = workload,
                .population = population,
                .min_ops = is_headline ? extent_.headline_min_ops : extent_.min_ops,
                .rows = rows(schedulers(), levels)};
    if (sweeps_parameters_on(workload, population)) {
      const std::vector<RowSpec> variants = parameter_sweep();
      group.rows.insert(group.rows.end(), variants.begin(), variants.end());
    }
    group.latency = kind != WorkloadKind::kOperation;
    group.row_budget_seconds =
        is_headline ? extent_.headline_row_budget_seconds : extent_.row_budget_seconds;
    if (!group.rows.empty()) groups_.push_back(std::move(group));
  }

  void add_memory(const WorkloadSpec& workload, std::uint64_t population) {
    Group group{.workload = workload,
                .population = population,
                .min_ops = extent_.min_ops,
                .rows = rows(schedulers(), {Level::kHandle, Level::kId})};
    std::erase_if(group.rows, [](const RowSpec& row) { return row.repeat; });
    group.times = group.latency = group.work = false;
    group.memory = true;
    if (!group.rows.empty()) groups_.push_back(std::move(group));
  }

  std::vector<std::uint64_t> chosen_or(const std::vector<std::uint64_t>& populations) const {
    return selection_.populations.empty() ? populations : selection_.populations;
  }

  /// A workload the caller named: everything about it.
  void add_chosen(const WorkloadSpec& workload) {
    switch (workload.workload->kind) {
      case WorkloadKind::kTrace:
        return add(workload, 1, {Level::kHandle, Level::kId});
      case WorkloadKind::kOperation:
        return add_operation(workload);
      case WorkloadKind::kSynthetic:
      case WorkloadKind::kSweep:
        break;
    }
    for (const std::uint64_t population : chosen_or(extent_.populations)) {
      if (workload.workload->name == kFewJobs && population > kFew &&
          selection_.populations.empty()) {
        continue;
      }
      add(workload, population, {Level::kHandle, Level::kId});
    }
  }

  void add_from_profile(const Workload& workload) {
    const WorkloadSpec spec = workloads::parse_workload(workload.name);
    if (workload.kind == WorkloadKind::kSweep) return add_sweep(workload);
    add_chosen(spec);
    if (!contains(kHeadline, workload.name) || !selection_.populations.empty()) return;
    for (const std::uint64_t population : extent_.headline_populations) {
      add(spec, population, {Level::kHandle}, true);
    }
  }

  void add_operation(const WorkloadSpec& workload) {
    for (const std::uint64_t population : chosen_or(extent_.operation_populations)) {
      add(workload, population, {Level::kHandle, Level::kId});
    }
    // It ends with its N jobs pending, which is what memory is weighed with.
    if (workload.workload->name != "cold_start") return;
    for (const std::uint64_t population : chosen_or(extent_.memory_populations))
      add_memory(workload, population);
  }

  void add_sweep(const Workload& workload) {
    for (const SweepPoints& sweep : sweeps()) {
      if (sweep.workload != workload.name) continue;
      const std::uint64_t population =
          sweep.population > 0 ? sweep.population : extent_.sweep_population;
      for (std::size_t i = 0; i < sweep.values.size(); i += extent_.sweep_stride) {
        const std::string name = std::string(workload.name) + "{" + std::string(sweep.parameter) +
                                 "=" + std::to_string(sweep.values[i]) + "}";
        for (const std::uint64_t chosen : chosen_or({population})) {
          add(workloads::parse_workload(name), chosen, {Level::kHandle});
        }
      }
    }
  }

  /// The schedulers' other parameters. They stand in one group with the defaults, so that all are
  /// interleaved and may be compared.
  static std::vector<RowSpec> parameter_sweep() {
    std::vector<RowSpec> rows;
    for (const SchedulerEntry& entry : all_families()) {
      for (const std::uint32_t value : entry.info.parameter.sweep) {
        if (value != entry.info.parameter.default_value) {
          rows.push_back({{&entry, value}, Level::kHandle});
        }
      }
    }
    return rows;
  }

  bool sweeps_parameters_on(const WorkloadSpec& workload, std::uint64_t population) const {
    return contains(kParameterSweepOn, workload.name) && population == extent_.sweep_population &&
           selection_.schedulers.empty() && wants(Level::kHandle);
  }

  void add_core() {
    std::vector<WorkloadSpec> workloads = selection_.workloads;
    if (workloads.empty()) {
      for (const std::string_view name : kCoreWorkloads)
        workloads.push_back(workloads::parse_workload(name));
    }
    for (const WorkloadSpec& workload : workloads) {
      const bool few = workload.workload->name == kFewJobs;
      // A million jobs of a workload of few would be another workload: only if it is named.
      const bool is_given =
          !selection_.populations.empty() && !(few && selection_.workloads.empty());
      if (workload.workload->kind == WorkloadKind::kTrace) {
        add_core(workload, 1);
      } else if (few && !is_given) {
        add_core(workload, kCoreFew);
      } else {
        for (const std::uint64_t population : chosen_or(extent_.populations))
          add_core(workload, population);
      }
    }
  }

  void add_core(const WorkloadSpec& workload, std::uint64_t population) {
    const bool few = workload.workload->name == kFewJobs && population <= kFew;
    const Level level = selection_.level.value_or(Level::kHandle);
    Group group{
        .workload = workload,
        .population = population,
        .min_ops = few ? kCoreFewMinOps : std::max(extent_.min_ops, kCoreOpsPerJob * population),
        .rows = rows(schedulers(), {level})};
    if (level != Level::kId && wants(Level::kId) && contains(kCoreIdWorkloads, workload.name)) {
      for (const RowSpec& row : rows(schedulers(), {Level::kId})) {
        const FamilyInfo& family = row.scheduler.family->info;
        if (!row.repeat && (family.role == Role::kFloor || contains(kCoreIdFamilies, family.name)))
          group.rows.push_back(row);
      }
    }
    group.latency = workload.workload->kind != WorkloadKind::kOperation;
    const double millions = static_cast<double>(population) / 1e6;
    group.row_budget_seconds = extent_.repetitions * kCoreReplaySeconds * std::max(millions, 1.0);
    groups_.push_back(std::move(group));
  }

  Profile profile_;
  Extent extent_;
  const Selection& selection_;
  std::vector<Group> groups_;
};

}  // namespace

Plan make_plan(Profile profile, std::uint64_t seed, const Selection& selection) {
  Planner planner(profile, selection);
  Plan plan;
  plan.profile = profile;
  plan.seed = seed;
  plan.repetitions = planner.extent().repetitions;
  plan.min_repetition_seconds = planner.extent().min_repetition_seconds;
  plan.groups = planner.groups();

  // What is named twice is measured once. A trace has one population, whatever was asked for.
  std::set<std::string> titles;
  std::erase_if(plan.groups, [&titles](const Group& group) {
    return !titles.insert(group.title() + (group.memory ? " memory" : "")).second;
  });
  return plan;
}

}  // namespace timerbench::bench
