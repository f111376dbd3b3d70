// The arity of a d-ary heap: one parameter and one choice of type for all families that have it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "timerbench/family.hpp"

namespace timerbench {

inline constexpr std::array<std::uint32_t, 3> kHeapAritySweep{2, 4, 8};

inline constexpr Parameter kHeapArity{.name = "arity",
                                      .default_value = 4,
                                      .minimum = 2,
                                      .maximum = 8,
                                      .sweep = kHeapAritySweep,
                                      .only_sweep = true};

/// Calls visitor with Heap<arity, Work>. The arity is a compile-time parameter, so that loops over
/// children unroll. Errors: std::invalid_argument for an arity that is not of the sweep.
template <template <unsigned, class> class Heap, class Work, class Visitor>
void visit_heap(std::uint32_t arity, Visitor&& visitor) {
  switch (arity) {
    case 2:
      return visitor.template operator()<Heap<2, Work>>();
    case 4:
      return visitor.template operator()<Heap<4, Work>>();
    case 8:
      return visitor.template operator()<Heap<8, Work>>();
    default:
      throw_invalid(std::string(kHeapArity.name), arity, kHeapArity.allowed_text());
  }
}

}  // namespace timerbench
