#include "catch.hpp"
#include "timerbench/registry.hpp"

namespace timerbench {

namespace {
std::vector<std::string> names_of(std::string_view text) {
  std::vector<std::string> names;
  for (const SchedulerSpec& spec : parse_specs(text)) names.push_back(spec.name());
  return names;
}
using Names = std::vector<std::string>;
}  // namespace

TEST_CASE("a name alone means the default parameter") {
  const SchedulerEntry* wheel = find_family("hashed_wheel");
  REQUIRE(wheel != nullptr);
  const std::string size = std::to_string(wheel->info.parameter.default_value);
  CHECK(names_of("hashed_wheel") == Names{"hashed_wheel/" + size});
  CHECK(names_of("scan_list") == Names{"scan_list"});
}

TEST_CASE("a name with a parameter means that one") {
  CHECK(names_of("hashed_wheel/64") == Names{"hashed_wheel/64"});
  CHECK(names_of("binary_heap/2,binary_heap/8") == Names{"binary_heap/2", "binary_heap/8"});
}

TEST_CASE("a scheduler named twice is meant once") {
  CHECK(names_of("scan_list,hashed_wheel/64,scan_list,hashed_wheel/64") ==
        Names{"scan_list", "hashed_wheel/64"});
  CHECK(names_of("scan_list,all").size() == names_of("all").size());
}

TEST_CASE("all means every scheduler and no floor") {
  Names expected;
  for (const SchedulerEntry& entry : all_families()) {
    if (entry.info.role != Role::kScheduler) continue;
    expected.push_back(SchedulerSpec{&entry, entry.info.parameter.default_value}.name());
  }
  CHECK(names_of("all") == expected);
  CHECK(expected.size() >= 5);
  CHECK(names_of("null_floor") == Names{"null_floor"});
}

TEST_CASE("a wrong specification is refused with what is known or allowed") {
  for (const char* text :
       {"", "nothing_like_it", "scan_list,", ",scan_list", "Scan_list", "scan_list/1", "scan_list/",
        "hashed_wheel/", "hashed_wheel/x", "hashed_wheel/1", "hashed_wheel/-2", "hashed_wheel/64 ",
        "hashed_wheel/4294967298", "hashed_wheel/64/2", "binary_heap/3", "all/2"}) {
    INFO("'" << text << "'");
    CHECK_THROWS_AS(parse_specs(text), std::invalid_argument);
  }
  CHECK_THROWS_WITH(parse_specs("nope"), Catch::Contains("'nope'") && Catch::Contains("scan_list"));
  CHECK_THROWS_WITH(parse_specs("binary_heap/3"),
                    Catch::Contains("arity") && Catch::Contains("one of 2, 4, 8"));
  CHECK_THROWS_WITH(parse_specs("scan_list/1"), Catch::Contains("no parameter"));
}

TEST_CASE("every family says what it is") {
  for (const SchedulerEntry& entry : all_families()) {
    INFO(entry.info.name);
    CHECK(find_family(entry.info.name) == &entry);
    CHECK_FALSE(entry.info.summary.empty());
    const Parameter& parameter = entry.info.parameter;
    if (!parameter.exists()) continue;
    CHECK(parameter.allows(parameter.default_value));
    for (const std::uint32_t value : parameter.sweep) CHECK(parameter.allows(value));
    if (parameter.name == kWheelSize) CHECK(parameter.minimum == 2);
  }
}

}  // namespace timerbench
