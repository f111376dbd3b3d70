// The contract's errors: bad input is refused by name, and changes nothing.
#pragma once

#include <string>
#include <vector>

#include "timerbench/registry.hpp"

namespace timerbench::conformance {

/// What the scheduler does wrong when it is given bad input; empty if nothing. Each entry is a
/// sentence that names the input.
std::vector<std::string> check_bad_input(const SchedulerSpec& spec);

}  // namespace timerbench::conformance
