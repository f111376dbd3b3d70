// An allocator whose arrays begin at a cache line, for structures that count on what shares one.
#pragma once

#include <cstddef>
#include <new>

namespace timerbench {

inline constexpr std::size_t kCacheLine = 64;  ///< Bytes, on every machine this is likely to meet.

template <class T>
class LineAllocator {
 public:
  using value_type = T;

  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}  // NOLINT: allocators convert implicitly.

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{kCacheLine}));
  }
  void deallocate(T* memory, std::size_t) {
    ::operator delete (memory, std::align_val_t{kCacheLine});
  }

  friend bool operator==(LineAllocator, LineAllocator) { return true; }
};

}  // namespace timerbench
