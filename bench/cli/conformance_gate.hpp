// No number of a scheduler is shown before it has passed the conformance test.
#pragma once

#include "../plan.hpp"

namespace timerbench::cli {

/// Puts the built-in vectors to every scheduler of the plan, each parameter by itself. Floors are
/// no schedulers. Prints the differences; false if there is one.
bool conformance_gate(const bench::Plan& plan);

}  // namespace timerbench::cli
