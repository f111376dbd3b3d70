// The times to live behind the workload cache_ttl.
#pragma once

#include <span>

namespace timerbench::workloads {

struct TtlShare {
  double seconds;
  double millionths;  ///< Of all writes, rounded.
};

/// By time to live, shortest first.
std::span<const TtlShare> twitter_ttl_mixture();

}  // namespace timerbench::workloads
