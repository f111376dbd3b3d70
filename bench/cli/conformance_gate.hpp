// No number of a scheduler is shown before it has passed the conformance test.
#pragma once

#include "../plan.hpp"

namespace timerbench::cli {

/// Runs the conformance test, a second or less of it, on every scheduler of the plan, each
/// parameter by itself. Floors are no schedulers. Prints what failed; false if something did.
bool conformance_gate(const bench::Plan& plan);

}  // namespace timerbench::cli
