// An allocator that keeps the single nodes it gets back, for containers that allocate node by node.
//
// Boost.Heap's mutable heaps keep each element in a list node and cannot take an allocator with
// state. This one is stateless: freed nodes go to a list of their size that belongs to the thread,
// and new ones come from it, so that in steady state nothing is allocated and every scheduler is
// compared on equal terms.
#pragma once

#include <cstddef>
#include <new>

namespace timerbench {

namespace detail {
/// The spare nodes of one size and thread.
template <std::size_t kSize>
class SpareNodes {
 public:
  SpareNodes() = default;
  SpareNodes(const SpareNodes&) = delete;
  SpareNodes& operator=(const SpareNodes&) = delete;
  ~SpareNodes() {
    while (first_ != nullptr) ::operator delete(take());
  }

  void* take() {
    if (first_ == nullptr) return ::operator new(kSize);
    Spare* node = first_;
    first_ = node->next;
    return node;
  }

  void give(void* memory) { first_ = ::new (memory) Spare{first_}; }

  static SpareNodes& of_this_thread() {
    thread_local SpareNodes nodes;
    return nodes;
  }

 private:
  struct Spare {
    Spare* next;
  };
  static_assert(kSize >= sizeof(Spare));

  Spare* first_ = nullptr;
};
}  // namespace detail

/// Memory of nodes stays with the thread until it ends; arrays go back at once.
template <class T>
class RecyclingAllocator {
 public:
  using value_type = T;

  RecyclingAllocator() = default;
  template <class U>
  RecyclingAllocator(const RecyclingAllocator<U>&) {}  // NOLINT: allocators convert implicitly.

  T* allocate(std::size_t count) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    if (count == 1 && kIsNode)
      return static_cast<T*>(detail::SpareNodes<sizeof(T)>::of_this_thread().take());
    return static_cast<T*>(::operator new(count * sizeof(T)));
  }

  void deallocate(T* memory, std::size_t count) {
    if (count == 1 && kIsNode) {
      detail::SpareNodes<sizeof(T)>::of_this_thread().give(memory);
    } else {
      ::operator delete(memory);
    }
  }

  friend bool operator==(RecyclingAllocator, RecyclingAllocator) { return true; }

 private:
  /// A single pointer is an array's first element, not a node worth keeping.
  static constexpr bool kIsNode = sizeof(T) > sizeof(void*);
};

}  // namespace timerbench
