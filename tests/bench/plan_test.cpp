// What the profiles measure, and that filters do what they say.
#include "plan.hpp"

#include <algorithm>
#include <set>

#include "catch.hpp"

using namespace timerbench;
using namespace timerbench::bench;

namespace {
std::set<std::string> workload_names(const Plan& plan) {
  std::set<std::string> names;
  for (const Group& group : plan.groups) names.insert(std::string(group.workload.workload->name));
  return names;
}
}  // namespace

TEST_CASE("every profile covers every workload") {
  for (const Profile profile : {Profile::kSmoke, Profile::kQuick, Profile::kFull}) {
    INFO(name_of(profile));
    const std::set<std::string> names = workload_names(make_plan(profile, 1, {}));
    for (const workloads::Workload& workload : workloads::all_workloads()) {
      CHECK(names.count(std::string(workload.name)) == 1);
    }
  }
}

TEST_CASE("quick and full repeat at least nine times and reach from 10 to 10^6 jobs") {
  for (const Profile profile : {Profile::kQuick, Profile::kFull}) {
    const Plan plan = make_plan(profile, 1, {});
    CHECK(plan.repetitions >= 9);
    std::set<std::uint64_t> populations;
    for (const Group& group : plan.groups) {
      if (group.workload.workload->name == "hold_exponential") populations.insert(group.population);
    }
    CHECK(*populations.begin() == 10);
    CHECK(*populations.rbegin() == 1'000'000);
  }
}

TEST_CASE("a timed group has the floor and one scheduler twice, and every row its own name") {
  for (const Group& group : make_plan(Profile::kQuick, 1, {}).groups) {
    INFO(group.title());
    REQUIRE_FALSE(group.rows.empty());
    std::set<std::string> names;
    for (const RowSpec& row : group.rows) {
      CHECK(names
                .insert(row.scheduler.name() + std::string(name_of(row.level)) +
                        std::string(row.role()))
                .second);
    }
    const auto count = [&](std::string_view role) {
      return std::count_if(group.rows.begin(), group.rows.end(),
                           [&](const RowSpec& row) { return row.role() == role; });
    };
    CHECK(count("floor") >= 1);
    CHECK(count("repeat") == (group.memory ? 0 : 1));
    CHECK(count("scheduler") >= 5);
  }
}

TEST_CASE("filters narrow the plan to what was asked for") {
  Selection selection;
  selection.schedulers = parse_specs("hashed_wheel/64");
  selection.workloads = {workloads::parse_workload("rpc_timeouts")};
  selection.populations = {123};
  selection.level = Level::kId;
  const Plan plan = make_plan(Profile::kQuick, 7, selection);
  CHECK(plan.seed == 7);
  REQUIRE(plan.groups.size() == 1);
  CHECK(plan.groups[0].population == 123);
  for (const RowSpec& row : plan.groups[0].rows) {
    CHECK(row.level == Level::kId);
    CHECK((row.role() == "floor" || row.scheduler.name() == "hashed_wheel/64"));
  }
}

TEST_CASE("a scheduler's parameters are measured beside its default, in one group") {
  bool seen = false;
  for (const Group& group : make_plan(Profile::kQuick, 1, {}).groups) {
    std::set<std::string> names;
    for (const RowSpec& row : group.rows) names.insert(row.scheduler.name());
    if (names.count("hierarchical_wheel/64") == 0) continue;
    seen = true;
    INFO(group.title());
    CHECK(names.count("hierarchical_wheel/256") == 1);
    CHECK(names.count("binary_heap/2") == 1);
    CHECK(names.count("binary_heap/4") == 1);
  }
  CHECK(seen);
}

TEST_CASE("a workload about few jobs is not asked for many, unless the caller asks") {
  for (const Group& group : make_plan(Profile::kFull, 1, {}).groups) {
    if (group.workload.workload->name == "sparse") CHECK(group.population <= 1000);
  }
  Selection selection;
  selection.workloads = {workloads::parse_workload("sparse")};
  selection.populations = {5000};
  CHECK(make_plan(Profile::kQuick, 1, selection).groups.size() == 1);
}

TEST_CASE("profiles are found by their names") {
  for (const Profile profile : {Profile::kSmoke, Profile::kQuick, Profile::kFull, Profile::kCore})
    CHECK(find_profile(name_of(profile)) == profile);
  CHECK_FALSE(find_profile("leisurely").has_value());
}

TEST_CASE("core measures its streams at 10^3 and 10^6 jobs, and the few jobs at a hundred") {
  const Plan plan = make_plan(Profile::kCore, 1, {});
  CHECK(plan.repetitions >= 9);
  std::set<std::string> titles;
  for (const Group& group : plan.groups) titles.insert(group.title());
  std::set<std::string> expected{"sparse{shortest=1800000,longest=5400000,oversleep=0} n=100"};
  for (const char* workload : {"rpc_timeouts", "rpc_timeouts{timeout=30000}", "idle_sessions",
                               "hold_exponential", "far_horizon", "fill_and_drain"}) {
    for (const char* population : {" n=1000", " n=1000000"})
      expected.insert(std::string(workload) + population);
  }
  CHECK(titles == expected);
}

TEST_CASE("core re-arms each job several times, and measures every scheduler at the handle level") {
  for (const Group& group : make_plan(Profile::kCore, 1, {}).groups) {
    INFO(group.title());
    CHECK(group.times);
    CHECK(group.work);
    CHECK(group.min_ops >= 4 * group.population);
    if (group.population >= 1000) CHECK(group.min_ops >= 262'144);
    const auto count = [&](Level level, std::string_view role) {
      return static_cast<std::size_t>(std::count_if(
          group.rows.begin(), group.rows.end(),
          [&](const RowSpec& row) { return row.level == level && row.role() == role; }));
    };
    CHECK(count(Level::kHandle, "scheduler") == parse_specs("all").size());
    CHECK(count(Level::kHandle, "floor") == 1);
    CHECK(count(Level::kHandle, "repeat") == 1);
    // What an id costs is the same for all: a few wheels tell, on three streams.
    const bool by_id = group.workload.name == "rpc_timeouts" ||
                       group.workload.name == "idle_sessions" ||
                       group.workload.name == "hold_exponential";
    CHECK(count(Level::kId, "scheduler") == (by_id ? 2 : 0));
    CHECK(count(Level::kId, "floor") == (by_id ? 1 : 0));
  }
}

TEST_CASE("core gives a replay of more jobs more time, whatever is repeated") {
  Selection selection;
  selection.workloads = {workloads::parse_workload("hold_exponential")};
  selection.populations = {1000, 1'000'000, 4'000'000};
  const Plan plan = make_plan(Profile::kCore, 1, selection);
  REQUIRE(plan.groups.size() == 3);
  const auto seconds = [&](std::size_t i) {
    return plan.groups[i].row_budget_seconds / plan.repetitions;
  };
  CHECK(seconds(0) == seconds(1));
  CHECK(seconds(2) > 3.9 * seconds(1));
}

TEST_CASE("core does as it is told by filters") {
  Selection selection;
  selection.populations = {500};
  std::set<std::uint64_t> populations;
  for (const Group& group : make_plan(Profile::kCore, 1, selection).groups)
    populations.insert(group.population);
  CHECK(populations == std::set<std::uint64_t>{100, 500});  // Few jobs stay few unless named.

  selection.workloads = {workloads::parse_workload("sparse"),
                         workloads::parse_workload("web_requests")};
  const Plan named = make_plan(Profile::kCore, 1, selection);
  REQUIRE(named.groups.size() == 2);
  CHECK(named.groups[0].population == 500);

  selection = {};
  selection.schedulers = parse_specs("binary_heap/2,aligned_wheel");
  for (const Group& group : make_plan(Profile::kCore, 1, selection).groups) {
    for (const RowSpec& row : group.rows) {
      CHECK((row.role() == "floor" || row.scheduler.name() == "binary_heap/2" ||
             row.scheduler.name() == "aligned_wheel/256"));
    }
  }

  selection = {};
  for (const Level level : {Level::kHandle, Level::kId}) {
    selection.level = level;
    for (const Group& group : make_plan(Profile::kCore, 1, selection).groups) {
      CHECK(group.rows.size() == parse_specs("all").size() + 2);
      for (const RowSpec& row : group.rows) CHECK(row.level == level);
    }
  }
}
