// Counts what the program allocates: allocations.cpp replaces the global operator new.
//
// A timed loop in steady state allocates nothing, so the counting costs a timing nothing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace timerbench::bench {

struct AllocationCounts {
  std::uint64_t allocations = 0;  ///< Calls of operator new so far.
  std::int64_t bytes_held = 0;    ///< Bytes that the allocator set aside for what is not yet freed.
};

/// Of the whole process, all threads.
AllocationCounts allocation_counts();

/// The process's resident size in bytes, or 0 where it cannot be read.
std::size_t resident_bytes();

}  // namespace timerbench::bench
