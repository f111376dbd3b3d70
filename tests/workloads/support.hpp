// What the tests of workloads share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "timerbench/keyed_scheduler.hpp"
#include "timerbench/schedulers/scan_list.hpp"
#include "workload.hpp"

namespace timerbench::workloads {

// Catch2's versions 3 and 2 have it in different places.
#if __has_include(<catch2/catch_all.hpp>)
using Catch::Approx;
#else
using Catch::Detail::Approx;
#endif

/// The message of the exception that `action` throws; "no error" if it throws none.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline OpStream make(std::string_view workload, std::uint64_t population, std::uint64_t min_ops,
                     std::uint64_t seed = 1) {
  return parse_workload(workload).make(population, seed, min_ops);
}

/// The defaults of every workload, and parameters that lead the generators down other paths.
inline std::vector<std::string> workloads_to_test() {
  std::vector<std::string> names;
  for (const Workload& workload : all_workloads()) names.emplace_back(workload.name);
  for (const char* variant : {"rpc_timeouts{cancel=0.5,timeout=1s,step=10}",
                              "rpc_timeouts{cancel=0}",
                              "rpc_timeouts{cancel=1}",
                              "idle_sessions{close=0,step=1s}",
                              "retry_fixed{cancel=0,again=1,outage=0}",
                              "retry_fixed{step=7s}",
                              "retry_fixed{cancel=1,step=100}",
                              "reminders{edit=1,delete=1}",
                              "cache_ttl{overwrite=0,delete=0}",
                              "cache_ttl{overwrite=0.9,step=1h}",
                              "far_horizon{cancel=1,step=1h}",
                              "hold_exponential{mean=10,step=10}",
                              "fill_and_drain{horizon=90}",
                              "sparse{shortest=30m,longest=90m,oversleep=0}",
                              "ties{bursts=1,cancel=0.5}",
                              "ties{cancel=1}",
                              "web_requests{timeout=60s}",
                              "llm_conv{timeout=15s}",
                              "flights{notice=0}",
                              "only_schedule{horizon=1}",
                              "only_cancel{sequential=1}",
                              "only_reschedule{sequential=1}",
                              "only_advance{batch=1k}",
                              "cancel_share{cancel=0}",
                              "cancel_share{cancel=1}",
                              "horizon{horizon=1}",
                              "horizon{horizon=1000G}",
                              "empty_ticks{gap=1}",
                              "empty_ticks{gap=1G}"}) {
    names.emplace_back(variant);
  }
  return names;
}

/// What the project's reference scheduler makes of operations.
class Reference {
 public:
  explicit Reference(const OpStream& stream)
      : scheduler_({.tick = stream.tick, .start = stream.start}, 0) {}

  Outcome replay(const std::vector<Op>& ops) {
    Outcome outcome;
    for (const Op& op : ops) {
      switch (op.kind) {
        case OpKind::kSchedule:
        case OpKind::kReschedule:
          ++(scheduler_.schedule(op.job, op.time) ? outcome.reschedules : outcome.schedules);
          break;
        case OpKind::kCancel:
          ++(scheduler_.cancel(op.job) ? outcome.cancel_hits : outcome.cancel_misses);
          break;
        case OpKind::kAdvance:
          ++outcome.advances;
          for (const JobId id : scheduler_.advance(op.time)) {
            outcome.add_fired(static_cast<std::uint32_t>(id), op.time);
          }
          break;
        case OpKind::kNext: {
          const auto next = scheduler_.next_expiry();
          outcome.add_next(next.has_value(), next.value_or(0));
          break;
        }
      }
    }
    return outcome;
  }

  std::size_t pending() const { return scheduler_.pending(); }

 private:
  KeyedScheduler<ScanList<>> scheduler_;
};

}  // namespace timerbench::workloads
