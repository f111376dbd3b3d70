// The list of all workloads, and reading their names.
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>

#include "generators.hpp"
#include "workload.hpp"

namespace timerbench::workloads {

std::span<const Workload> all_workloads() {
  // Adding a workload: define it in its family's source, declare it in generators.hpp, list it
  // here.
  static const std::array kAll{
      // Synthetic.
      kRpcTimeouts,
      kIdleSessions,
      kRetryFixed,
      kReminders,
      kCacheTtl,
      kFarHorizon,
      kHoldExponential,
      kFillAndDrain,
      kSparse,
      kTies,
      // Traces.
      kWebRequests,
      kLlmCode,
      kLlmConv,
      kFlights,
      // Operations.
      kOnlySchedule,
      kOnlyCancel,
      kOnlyReschedule,
      kOnlyAdvance,
      kOnlyNext,
      kColdStart,
      // Sweeps.
      kCancelShare,
      kHorizonSweep,
      kEmptyTicks,
  };
  return kAll;
}

namespace {

struct Suffix {
  std::string_view text;
  double factor;
};
constexpr Suffix kCountSuffixes[] = {{"k", 1e3}, {"M", 1e6}, {"G", 1e9}};
constexpr Suffix kTimeSuffixes[] = {{"ms", 1}, {"s", 1e3}, {"m", 6e4}, {"h", 3.6e6}, {"d", 8.64e7}};

std::span<const Suffix> suffixes(ParameterUnit unit) {
  switch (unit) {
    case ParameterUnit::kNumber:
      return {};
    case ParameterUnit::kCount:
      return kCountSuffixes;
    case ParameterUnit::kMilliseconds:
      return kTimeSuffixes;
  }
  return {};
}

/// Shortest text that reads back as the same number; integers without an exponent.
std::string number_text(double value) {
  std::array<char, 64> text;
  const bool is_integer = value == std::floor(value) && std::fabs(value) < 1e18;
  const auto end = is_integer
                       ? std::to_chars(text.begin(), text.end(), static_cast<std::int64_t>(value))
                       : std::to_chars(text.begin(), text.end(), value);
  return {text.begin(), end.ptr};
}

template <class Items, class Name>
std::string list(const Items& items, Name name) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += ", ";
    text += name(item);
  }
  return text;
}

[[noreturn]] void fail(std::string_view text, const std::string& reason) {
  throw std::invalid_argument("workload \"" + std::string(text) + "\": " + reason);
}

const Workload& find(std::string_view text, std::string_view name) {
  for (const Workload& workload : all_workloads()) {
    if (workload.name == name) return workload;
  }
  fail(text, "there is no workload \"" + std::string(name) + "\"; there are " +
                 list(all_workloads(), [](const Workload& workload) { return workload.name; }));
}

const WorkloadParameter& find_parameter(std::string_view text, const Workload& workload,
                                        std::string_view key) {
  for (const WorkloadParameter& parameter : workload.parameters) {
    if (parameter.name == key) return parameter;
  }
  const std::string known =
      list(workload.parameters, [](const WorkloadParameter& parameter) { return parameter.name; });
  fail(text, std::string(workload.name) + " has no parameter \"" + std::string(key) +
                 "\"; it has " + (known.empty() ? "none" : known));
}

double read_value(std::string_view text, const WorkloadParameter& parameter,
                  std::string_view value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const std::string_view rest = value.substr(static_cast<std::size_t>(end - value.data()));
  const std::span<const Suffix> allowed = suffixes(parameter.unit);
  bool understood = error == std::errc() && rest.empty();
  for (const Suffix& suffix : allowed) {
    if (error == std::errc() && rest == suffix.text) {
      number *= suffix.factor;
      understood = true;
    }
  }
  const std::string what = std::string(parameter.name) + "=" + std::string(value);
  if (!understood) {
    const std::string suffix_list = list(allowed, [](const Suffix& suffix) { return suffix.text; });
    fail(text, what + ": expected a number" +
                   (suffix_list.empty() ? std::string()
                                        : ", which one of " + suffix_list + " may follow"));
  }
  // Written so that NaN, which from_chars reads, is refused.
  if (!(number >= parameter.minimum && number <= parameter.maximum)) {
    fail(text, what + ": must be " + number_text(parameter.minimum) + " to " +
                   number_text(parameter.maximum) + " (" + std::string(parameter.meaning) + ")");
  }
  return number;
}

}  // namespace

WorkloadSpec parse_workload(std::string_view text) {
  const std::size_t brace = text.find('{');
  WorkloadSpec spec;
  spec.workload = &find(text, text.substr(0, brace));
  for (const WorkloadParameter& parameter : spec.workload->parameters) {
    spec.parameters.emplace(parameter.name, parameter.default_value);
  }

  if (brace != std::string_view::npos) {
    if (text.back() != '}') fail(text, "expected \"}\" at the end");
    std::string_view rest = text.substr(brace + 1, text.size() - brace - 2);
    std::map<std::string, bool, std::less<>> given;
    while (true) {
      const std::string_view part = rest.substr(0, rest.find(','));
      const std::size_t equals = part.find('=');
      if (equals == std::string_view::npos) {
        fail(text, "\"" + std::string(part) + "\": expected key=value");
      }
      const std::string_view key = part.substr(0, equals);
      const WorkloadParameter& parameter = find_parameter(text, *spec.workload, key);
      if (!given.emplace(key, true).second) fail(text, std::string(key) + " is given twice");
      spec.parameters.find(key)->second = read_value(text, parameter, part.substr(equals + 1));
      if (part.size() == rest.size()) break;
      rest.remove_prefix(part.size() + 1);
    }
  }

  if (spec.workload->contradiction != nullptr) {
    const std::string contradiction = spec.workload->contradiction(spec.parameters);
    if (!contradiction.empty()) fail(text, contradiction);
  }

  spec.name = spec.workload->name;
  std::string differing;
  for (const WorkloadParameter& parameter : spec.workload->parameters) {
    const double value = spec.parameters.find(parameter.name)->second;
    if (value == parameter.default_value) continue;
    differing += differing.empty() ? "{" : ",";
    differing += std::string(parameter.name) + "=" + number_text(value);
  }
  if (!differing.empty()) spec.name += differing + "}";
  return spec;
}

OpStream WorkloadSpec::make(std::uint64_t population, std::uint64_t seed,
                            std::uint64_t min_ops) const {
  if (population < 1 || population > kMaxPopulation) {
    throw std::invalid_argument(name + ": population " + std::to_string(population) +
                                " is not allowed; must be 1 to " + std::to_string(kMaxPopulation));
  }
  return workload->make({name, population, seed, min_ops, parameters});
}

}  // namespace timerbench::workloads
