// The workloads that exist, each defined in the source file of its family; registry.cpp lists them.
#pragma once

#include "workload.hpp"

namespace timerbench::workloads {

// request_timeouts.cpp
extern const Workload kRpcTimeouts;
// sessions.cpp
extern const Workload kIdleSessions;
// retries.cpp
extern const Workload kRetryFixed;
// reminders.cpp
extern const Workload kReminders;
// caches.cpp
extern const Workload kCacheTtl;
// horizons.cpp
extern const Workload kFarHorizon;
// hold.cpp
extern const Workload kHoldExponential;
// fill_and_drain.cpp
extern const Workload kFillAndDrain;
// sparse.cpp
extern const Workload kSparse;
// bursts.cpp
extern const Workload kTies;
// traces.cpp
extern const Workload kWebRequests;
extern const Workload kLlmCode;
extern const Workload kLlmConv;
extern const Workload kFlights;
// operations.cpp
extern const Workload kOnlySchedule;
extern const Workload kOnlyCancel;
extern const Workload kOnlyReschedule;
extern const Workload kOnlyAdvance;
extern const Workload kOnlyNext;
extern const Workload kColdStart;
// sweeps.cpp
extern const Workload kCancelShare;
extern const Workload kHorizonSweep;
extern const Workload kEmptyTicks;

}  // namespace timerbench::workloads
