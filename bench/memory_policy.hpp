// What malloc does with memory that is freed: kept for timings, given back for weighing.
#pragma once

#include <malloc.h>

#include <limits>

namespace timerbench::bench {

/// Every replay makes a new scheduler. By default malloc maps its large arrays afresh each time, and
/// the kernel's page faults, and where the pages happen to lie, go into what is timed: medians of a
/// million jobs then have two modes, a third apart. So freed memory stays with the process, as it
/// would in a program that runs for long, and after the first replay the pages are there.
inline void keep_freed_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

/// Gives back what is free and lets large arrays come fresh from the kernel, as in a new process.
inline void return_freed_memory() {
  mallopt(M_MMAP_MAX, 65'536);
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  mallopt(M_TRIM_THRESHOLD, 128 * 1024);
  malloc_trim(0);
}

}  // namespace timerbench::bench
