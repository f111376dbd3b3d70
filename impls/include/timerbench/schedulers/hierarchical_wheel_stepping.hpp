// The hierarchical wheel as the textbooks have it: the clock walks over every tick, empty or not.
//
// Choose it never; measure it to see what empty ticks cost. Placement, cascade, invariants and
// memory are those of HierarchicalWheel, and so is the code; only an advance over t ticks costs
// O(t) more. Each step looks into wheel 0's slot and, every W^k ticks, into one slot of wheel k, as
// the contract spells it out.
#pragma once

#include "timerbench/schedulers/hierarchical_wheel.hpp"

namespace timerbench {

template <class Work = NoWork>
using HierarchicalWheelStepping = HierarchicalWheel<Work, Clock::kSteps>;

struct HierarchicalWheelSteppingFamily {
  static constexpr FamilyInfo kInfo{
      .name = "hierarchical_wheel_stepping",
      .summary =
          "the same wheels with a clock that walks over every tick; shows what empty ticks cost",
      .source = "Varghese and Lauck 1987, scheme 7",
      .origin = Origin::kTextbook,
      .parameter = kHierarchicalWheelSize,
      .costs = {"O(L)", "O(1)", "O(ticks + fired + moved)", "O(L W/64 + jobs of L slots)"},
      .steps_every_tick = true,
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t /*wheel_size*/, Visitor&& visitor) {
    visitor.template operator()<HierarchicalWheelStepping<Work>>();
  }
};

}  // namespace timerbench
