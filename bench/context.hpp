// Where and how a run was made: Google Benchmark's context keys and ours.
#pragma once

#include <string>

#include "plan.hpp"
#include "results.hpp"

namespace timerbench::bench {

/// Why timings of this build must not be published, or an empty string for a release build.
std::string unfit_build();

/// All that is known before the run begins; `command` is the command line as given.
Json make_context(const Plan& plan, const std::string& command);

}  // namespace timerbench::bench
