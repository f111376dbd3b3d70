#include "claims.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "catch.hpp"
#include "conformance/conformance.hpp"
#include "conformance/model.hpp"

namespace timerbench::claims {

using namespace conformance;

namespace {

/// A number from the environment, or the default where the variable is not set.
std::uint64_t number_from_environment(const char* variable, std::uint64_t default_value) {
  const char* text = std::getenv(variable);
  if (text == nullptr) return default_value;
  std::uint64_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, value);
  if (error != std::errc{} || stop != end) {
    throw std::invalid_argument(std::string(variable) + ": '" + text + "' is no unsigned number");
  }
  return value;
}

/// A world so small that all sequences of a few operations can be tried: the wheel's first power
/// boundaries, two jobs that can tie, and a clock that steps, turns the wheel or goes back.
class SmallWorld {
 public:
  SmallWorld(const SchedulerSpec& spec, std::uint32_t wheel_size, std::size_t length)
      : spec_(spec), length_(length) {
    const Time size = wheel_size;
    case_.name = "small-world";
    case_.wheel_size = wheel_size;
    for (const Time deadline : {Time{0}, size - 1, size, size * size + 1}) {
      alphabet_.push_back(Schedule{1, deadline});
    }
    alphabet_.push_back(Schedule{2, size});
    alphabet_.push_back(Schedule{2, size * size + 1});
    alphabet_.push_back(Cancel{1});
    for (const Time now : {Time{-1}, Time{1}, size, size * size - 1}) {
      alphabet_.push_back(Advance{now});
    }
  }

  /// Every sequence, extended at its end until all jobs have fired. Shorter ones are prefixes.
  void try_all() {
    std::vector<std::size_t> letters(length_, 0);
    do {
      try_sequence(letters);
    } while (next(letters));
  }

 private:
  void try_sequence(const std::vector<std::size_t>& letters) {
    Model model(case_);
    case_.steps.clear();
    const auto add = [&](const Operation& operation) {
      case_.steps.push_back({operation, model.answer(operation)});
    };
    for (const std::size_t letter : letters) {
      add(alphabet_[letter]);
      add(Where{1});
      add(Next{});
    }
    add(Levels{});
    const Time size = case_.wheel_size;
    add(Advance{size * size});
    add(Where{2});
    add(Advance{size * size * size});
    const CaseResult result = replay(spec_, case_, Invariants::kEachStep);
    if (result.failed()) {
      FAIL(to_text(*result.difference, "small world") << "\n" << to_text(case_));
    }
  }

  bool next(std::vector<std::size_t>& letters) const {
    for (std::size_t& letter : letters) {
      if (++letter < alphabet_.size()) return true;
      letter = 0;
    }
    return false;
  }

  const SchedulerSpec& spec_;
  std::size_t length_;
  VectorCase case_;
  std::vector<Operation> alphabet_;
};

bool is_floor(std::string_view family) { return find_family(family)->info.role == Role::kFloor; }

std::uint64_t walk_operations() {
  return number_from_environment("TIMERBENCH_WALK_OPS", TIMERBENCH_DEFAULT_WALK_OPS);
}

}  // namespace

std::vector<SchedulerSpec> specs_of(std::string_view family) {
  const SchedulerEntry* entry = find_family(family);
  const Parameter& parameter = entry->info.parameter;
  if (!parameter.only_sweep) return {{entry, parameter.default_value}};
  std::vector<SchedulerSpec> specs;
  for (const std::uint32_t value : parameter.sweep) specs.push_back({entry, value});
  return specs;
}

void answers_all_vectors(std::string_view family) {
  for (const SchedulerSpec& spec : specs_of(family)) {
    INFO(spec.name());
    const CheckReport report = check(spec, built_in_vectors());
    if (is_floor(family)) {
      CHECK_FALSE(
          report.ok());  // A floor fires nothing. If it passed, the vectors would ask nothing.
      continue;
    }
    for (const auto& failure : report.failures) UNSCOPED_INFO(to_text(failure));
    CHECK(report.ok());
    CHECK(report.passed > 0);
    if (!spec.family->info.steps_every_tick) CHECK(report.skips.empty());
  }
}

void walks_as_the_contract_says(std::string_view family) {
  if (is_floor(family)) {
    SUCCEED("a floor is no scheduler");
    return;
  }
  const WalkOptions options{
      .first_seed = number_from_environment("TIMERBENCH_WALK_SEED", 1),
      .operations = walk_operations(),
  };
  for (const SchedulerSpec& spec : specs_of(family)) {
    INFO(spec.name());
    const WalkReport report = walk(spec, options);
    if (!report.ok()) FAIL_CHECK(to_text(*report.failure));
    CHECK(report.operations >= options.operations);
  }
}

void answers_small_worlds(std::string_view family) {
  if (is_floor(family)) {
    SUCCEED("a floor is no scheduler");
    return;
  }
  // All sequences of 5 are 160,000 for each wheel size; where walks are short, 4 must do.
  const std::size_t length = walk_operations() >= 1'000'000 ? 5 : 4;
  for (const SchedulerSpec& spec : specs_of(family)) {
    for (const std::uint32_t wheel_size : {2U, 3U, 4U}) {
      INFO(spec.name() << ", wheel size " << wheel_size);
      SmallWorld(spec, wheel_size, length).try_all();
      if (spec.family->info.parameter.name != kWheelSize) break;  // It would be the same world.
    }
  }
  SUCCEED("no sequence differs");
}

void refuses_bad_input(std::string_view family) {
  if (is_floor(family)) {
    SUCCEED("a floor is no scheduler");
    return;
  }
  for (const SchedulerSpec& spec : specs_of(family)) {
    INFO(spec.name());
    for (const std::string& fault : check_bad_input(spec)) FAIL_CHECK(fault);
  }
  SUCCEED("all of it");
}

}  // namespace timerbench::claims
