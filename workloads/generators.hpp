// The workloads that exist, each defined in the source file of its family; registry.cpp lists them.
#pragma once

#include "workload.hpp"

namespace timerbench::workloads {

// request_timeouts.cpp
extern const Workload kRpcTimeouts;
// hold.cpp
extern const Workload kHoldExponential;
// operations.cpp
extern const Workload kOnlySchedule;
extern const Workload kOnlyCancel;
extern const Workload kOnlyReschedule;
extern const Workload kOnlyAdvance;
extern const Workload kOnlyNext;
extern const Workload kColdStart;

}  // namespace timerbench::workloads
