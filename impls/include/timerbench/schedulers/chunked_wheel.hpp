// The aligned wheel with chunks for slots: for a million jobs and more.
//
// Choose it for large populations in which many jobs fire or cascade: the jobs of a crowded slot
// are named thirteen to a cache line, so that their nodes come from memory together instead of one
// after the other. For few jobs it is about as good as linked slots, since a job alone in a slot
// needs no chunk. Where almost everything is cancelled soon after it was scheduled, linked slots
// are as good or better: neighbours in a list are then still in the cache, and memory is used more
// evenly.
//
// Placement, cascade and costs are those of AlignedWheel, slots those of chunk_lists.hpp.
//
// Memory:     an 8-byte hook in the node; 64 bytes a chunk of up to thirteen jobs, at worst one.
#pragma once

#include "timerbench/chunk_lists.hpp"
#include "timerbench/schedulers/aligned_wheel.hpp"

namespace timerbench {

template <class Work = NoWork>
using ChunkedWheel = AlignedWheel<Work, ChunkedSlots>;

struct ChunkedWheelFamily {
  static constexpr FamilyInfo kInfo{
      .name = "chunked_wheel",
      .summary =
          "the aligned wheel with thirteen jobs to a cache line; large populations that fire or "
          "cascade",
      .source = "AlignedWheel; chunks are this project's",
      .parameter = kAlignedWheelSize,
      .costs = {"O(1)", "O(1)", "O(fired + moved + L a slot entered)",
                "O(L W/64 + jobs of a slot)"},
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t /*wheel_size*/, Visitor&& visitor) {
    visitor.template operator()<ChunkedWheel<Work>>();
  }
};

}  // namespace timerbench
