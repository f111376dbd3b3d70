// The errors of the contract: each names the argument, its value and what is allowed.
//
// They are thrown before anything has changed, from functions marked cold, so that the hot paths
// stay short. Nothing throws inside a replay of a valid op stream.
#pragma once

#include <stdexcept>
#include <string>

namespace timerbench {

/// Throws std::invalid_argument "<argument>: <value> is not allowed; must be <allowed>".
template <class Value>
[[noreturn, gnu::cold, gnu::noinline]] void throw_invalid(const std::string& argument, Value value,
                                                          const std::string& allowed) {
  throw std::invalid_argument(argument + ": " + std::to_string(value) +
                              " is not allowed; must be " + allowed);
}

/// Throws std::length_error "<what>: limit of <limit> reached".
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_limit(const std::string& what,
                                                               unsigned long long limit) {
  throw std::length_error(what + ": limit of " + std::to_string(limit) + " reached");
}

}  // namespace timerbench
