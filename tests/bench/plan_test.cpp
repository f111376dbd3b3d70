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
