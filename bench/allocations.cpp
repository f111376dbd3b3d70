#include "allocations.hpp"

#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <new>

namespace {
// Relaxed atomics: the memory pass runs in a thread of its own.
std::atomic<std::uint64_t> allocation_count{0};
std::atomic<std::int64_t> held_bytes{0};

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  held_bytes.fetch_add(static_cast<std::int64_t>(malloc_usable_size(memory)),
                       std::memory_order_relaxed);
  return memory;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  held_bytes.fetch_sub(static_cast<std::int64_t>(malloc_usable_size(memory)),
                       std::memory_order_relaxed);
  std::free(memory);
}

std::size_t rounded_up(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return (size + unit - 1) / unit * unit;
}
}  // namespace

// The array forms call these. So does the standard library's nothrow form, but not that of a
// sanitizer, whose memory must not end in our delete.
void* operator new(std::size_t size) { return counted(std::malloc(size == 0 ? 1 : size)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(
      std::aligned_alloc(static_cast<std::size_t>(alignment), rounded_up(size, alignment)));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace timerbench::bench {

AllocationCounts allocation_counts() {
  return {allocation_count.load(std::memory_order_relaxed),
          held_bytes.load(std::memory_order_relaxed)};
}

std::size_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  if (!(file >> total >> resident)) return 0;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace timerbench::bench
