// What every registered scheduler is held to, by its family's name. Each claim is one test case of
// each scheduler; see scheduler_test.cpp.in.
#pragma once

#include <string_view>
#include <vector>

#include "timerbench/registry.hpp"

namespace timerbench::claims {

/// The family with each parameter worth a run of its own: all of the sweep where the parameter is
/// not a wheel size (those come from the cases), the default otherwise.
std::vector<SchedulerSpec> specs_of(std::string_view family);

void answers_all_vectors(std::string_view family);
void walks_as_the_contract_says(std::string_view family);
void answers_small_worlds(std::string_view family);
void refuses_bad_input(std::string_view family);

}  // namespace timerbench::claims
