// What a family of schedulers says of itself: its name, its parameter, its costs and its claims.
//
// A scheduler's header ends with a struct named after the file (binary_heap.hpp: BinaryHeapFamily)
// that holds a FamilyInfo and a `visit` that hands out the C++ type for a parameter. The build
// finds the header by its place and registers the family everywhere; see registry.hpp.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "timerbench/errors.hpp"
#include "timerbench/scheduler.hpp"

namespace timerbench {

/// The one number that tunes a family. `name` is empty where there is none.
struct Parameter {
  std::string_view name;
  std::uint32_t default_value = 0;
  std::uint32_t minimum = 0;
  std::uint32_t maximum = 0;
  /// The values of the published sweep; where `only_sweep` is set, no others exist.
  std::span<const std::uint32_t> sweep = {};
  bool only_sweep = false;
  bool power_of_two = false;  ///< Only powers of two, within the bounds.

  bool exists() const { return !name.empty(); }

  bool allows(std::uint32_t value) const {
    if (power_of_two && !std::has_single_bit(value)) return false;
    if (!only_sweep) return value >= minimum && value <= maximum;
    for (const std::uint32_t allowed : sweep) {
      if (value == allowed) return true;
    }
    return false;
  }

  /// "2 to 1048576", "a power of two, 2 to 65536" or "one of 2, 4, 8".
  std::string allowed_text() const {
    if (!only_sweep) {
      return (power_of_two ? "a power of two, " : "") + std::to_string(minimum) + " to " +
             std::to_string(maximum);
    }
    std::string text = "one of ";
    for (const std::uint32_t value : sweep) {
      if (value != sweep.front()) text += ", ";
      text += std::to_string(value);
    }
    return text;
  }

  /// The value to use. Errors: std::invalid_argument naming the parameter, the value and the bound.
  std::uint32_t checked(std::optional<std::uint32_t> value) const {
    if (!value) return default_value;
    if (!exists()) throw_invalid("parameter", *value, "absent, this scheduler has none");
    if (!allows(*value)) throw_invalid(std::string(name), *value, allowed_text());
    return *value;
  }
};

inline constexpr std::string_view kWheelSize = "wheel_size";

/// Costs per operation, for people. N: pending jobs, W: wheel size, L: levels, d: arity.
struct Costs {
  std::string_view schedule;
  std::string_view cancel;
  std::string_view advance;
  std::string_view next_expiry;
};

enum class Role {
  kScheduler,
  kFloor,  ///< Not a scheduler: the least that any could do, to compare with. Fires nothing.
};

/// Whose algorithm a family is: what a comparison of our own fastest forms with others goes by.
enum class Origin {
  kOwn,       ///< Ours, made as fast as we know how.
  kTextbook,  ///< The structure as books and most programs have it.
  kSystem,    ///< A well-known system's algorithm, under this contract.
  kLibrary,   ///< A packaged library's code does the work.
};

constexpr std::string_view name_of(Origin origin) {
  switch (origin) {
    case Origin::kOwn:
      return "own";
    case Origin::kTextbook:
      return "textbook";
    case Origin::kSystem:
      return "system";
    case Origin::kLibrary:
      return "library";
  }
  return "?";
}

struct FamilyInfo {
  std::string_view name;     ///< The header's file name; also what --scheduler takes.
  std::string_view summary;  ///< One line: idea and when to choose it.
  std::string_view source;   ///< Paper or system it comes from.
  Origin origin = Origin::kOwn;
  Parameter parameter;
  Costs costs;
  Role role = Role::kScheduler;
  bool steps_every_tick = false;  ///< An advance over t ticks costs O(t), empty or not.
  bool exact_next_expiry = true;  ///< Otherwise next_expiry() is a lower bound.
};

/// A family's claims, those of FamilyInfo and those read off its type.
struct Capabilities {
  bool location = false;
  bool exact_next_expiry = true;
  bool steps_every_tick = false;
};

}  // namespace timerbench
