// An allocator for the large arrays of a scheduler: they begin at a cache line, and very large ones
// ask for huge pages.
//
// A million nodes are visited in no order that a cache or a TLB could guess. In pages of 4 KiB
// nearly every visit misses the TLB as well as the cache; in pages of 2 MiB the first kind of miss
// goes away. Small arrays stay as they are: rounding them up to a huge page would cost more memory
// than it saves time.
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__) && !defined(TIMERBENCH_NO_HUGE_PAGES)
#include <sys/mman.h>
#endif

namespace timerbench {

inline constexpr std::size_t kCacheLine = 64;  ///< Bytes, on every machine this is likely to meet.

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;  ///< Bytes, on x86-64 and on ARM64.

/// Arrays from this size on ask for huge pages. At most one is left partly unused, so that the
/// resident size grows by a quarter at worst.
inline constexpr std::size_t kHugeArray = 4 * kHugePage;

template <class T>
class LineAllocator {
 public:
  using value_type = T;

  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}  // NOLINT: allocators convert implicitly.

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* const memory = ::operator new (bytes, alignment_of(bytes));
#if defined(__linux__) && !defined(TIMERBENCH_NO_HUGE_PAGES)
    // Only a hint: where the kernel has no huge page to give, or none at all, nothing changes.
    if (bytes >= kHugeArray) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    ::operator delete (memory, alignment_of(count * sizeof(T)));
  }

  friend bool operator==(LineAllocator, LineAllocator) { return true; }

 private:
  static std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t{bytes >= kHugeArray ? kHugePage : kCacheLine};
  }
};

}  // namespace timerbench
