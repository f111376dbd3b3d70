#include "timerbench/registry.hpp"

#include <algorithm>
#include <charconv>

namespace timerbench {

namespace detail {
std::vector<SchedulerEntry> list_families();  // Generated.
}  // namespace detail

std::span<const SchedulerEntry> all_families() {
  static const std::vector<SchedulerEntry> families = detail::list_families();
  return families;
}

const SchedulerEntry* find_family(std::string_view name) {
  const auto families = all_families();
  const auto found =
      std::find_if(families.begin(), families.end(),
                   [name](const SchedulerEntry& entry) { return entry.info.name == name; });
  return found == families.end() ? nullptr : &*found;
}

std::string SchedulerSpec::name() const {
  std::string text(family->info.name);
  if (family->info.parameter.exists()) text += "/" + std::to_string(parameter);
  return text;
}

std::unique_ptr<AnyScheduler> SchedulerSpec::make(Time tick, Time start) const {
  std::optional<std::uint32_t> chosen;
  if (family->info.parameter.exists()) chosen = parameter;
  return family->make({.tick = tick, .start = start}, chosen);
}

namespace {

std::string known_names() {
  std::string names = "all";
  for (const SchedulerEntry& entry : all_families()) names += ", " + std::string(entry.info.name);
  return names;
}

SchedulerSpec parse_spec(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string_view name = text.substr(0, slash);
  SchedulerSpec spec{.family = find_family(name), .parameter = 0};
  if (spec.family == nullptr) {
    throw std::invalid_argument("scheduler: '" + std::string(name) + "' is not known; known are " +
                                known_names());
  }
  const Parameter& parameter = spec.family->info.parameter;
  if (slash == std::string_view::npos) {
    spec.parameter = parameter.default_value;
    return spec;
  }
  const std::string_view value_text = text.substr(slash + 1);
  if (!parameter.exists()) {
    throw std::invalid_argument("scheduler: '" + std::string(text) + "': " + std::string(name) +
                                " has no parameter");
  }
  std::uint32_t value = 0;
  const char* end = value_text.data() + value_text.size();
  const auto [stop, error] = std::from_chars(value_text.data(), end, value);
  if (error != std::errc{} || stop != end || !parameter.allows(value)) {
    throw std::invalid_argument("scheduler: '" + std::string(text) +
                                "': " + std::string(parameter.name) + " must be " +
                                parameter.allowed_text());
  }
  spec.parameter = value;
  return spec;
}

}  // namespace

std::vector<SchedulerSpec> parse_specs(std::string_view text) {
  std::vector<SchedulerSpec> specs;
  const auto add = [&specs](const SchedulerSpec& spec) {
    for (const SchedulerSpec& known : specs) {
      if (known.name() == spec.name()) return;  // Naming one twice asks for it once.
    }
    specs.push_back(spec);
  };
  while (true) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    if (part == "all") {
      for (const SchedulerEntry& entry : all_families()) {
        if (entry.info.role == Role::kScheduler) add({&entry, entry.info.parameter.default_value});
      }
    } else {
      add(parse_spec(part));
    }
    if (comma == std::string_view::npos) return specs;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace timerbench
