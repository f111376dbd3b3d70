// The passes of subject.hpp, for one family.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "allocations.hpp"
#include "child_process.hpp"
#include "levels.hpp"
#include "memory_policy.hpp"
#include "replay.hpp"
#include "subject.hpp"

namespace timerbench::bench {

using SteadyClock = std::chrono::steady_clock;

inline double seconds_since(SteadyClock::time_point begin) {
  return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

/// The timed part of a replay. Never inlined: bench/instructions counts what goes on between the
/// entry of the function of this name and its return.
template <class LevelType>
[[gnu::noinline]] workloads::Outcome timed_part(LevelType& level,
                                                std::span<const workloads::Op> ops) {
  return replay(level, ops);
}

template <class LevelType>
TimedReplay timed_pass(const Request& request) {
  TimedReplay result;
  if (request.cold) malloc_trim(0);  // First touches are what such a row shows.
  const SteadyClock::time_point cold_begin = SteadyClock::now();
  LevelType level(request.stream, request.parameter);
  replay(level, request.stream.preload);
  const SteadyClock::time_point begin = request.cold ? cold_begin : SteadyClock::now();
  result.outcome = timed_part(level, request.stream.ops);
  result.seconds = seconds_since(begin);
  return result;
}

/// Replays with a clock around each advance. Every reading also checks the budget, so that a
/// scheduler that a workload is hopeless for is given up after one advance too many.
template <class LevelType>
std::optional<LatencyReplay> latency_pass(const Request& request, double budget_seconds) {
  using workloads::OpKind;
  const SteadyClock::time_point begin = SteadyClock::now();
  const SteadyClock::time_point deadline =
      begin + std::chrono::duration_cast<SteadyClock::duration>(
                  std::chrono::duration<double>(budget_seconds));
  LevelType level(request.stream, request.parameter);

  // Other operations are cheap one by one; looking at the clock every so often is enough for them.
  constexpr std::size_t kOpsBetweenLooks = 256;
  std::size_t since_look = 0;
  const auto run = [&](std::span<const workloads::Op> ops, workloads::Outcome& outcome,
                       Histogram* latencies) {
    for (const workloads::Op& op : ops) {
      if (op.kind != OpKind::kAdvance) {
        apply(level, op, outcome);
        if (++since_look < kOpsBetweenLooks && op.kind != OpKind::kNext) continue;
        since_look = 0;
        if (SteadyClock::now() > deadline) return false;
        continue;
      }
      const SteadyClock::time_point before = SteadyClock::now();
      apply(level, op, outcome);
      const SteadyClock::time_point after = SteadyClock::now();
      if (latencies != nullptr) {
        latencies->record(static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(after - before).count()));
      }
      if (after > deadline) return false;
    }
    return true;
  };

  LatencyReplay result;
  workloads::Outcome preload_outcome;
  if (!run(request.stream.preload, preload_outcome, nullptr)) return std::nullopt;
  result.preload_seconds = seconds_since(begin);
  if (!run(request.stream.ops, result.outcome, &result.advance_ns)) return std::nullopt;
  result.seconds = seconds_since(begin) - result.preload_seconds;
  return result;
}

template <class LevelType>
WorkReplay work_pass(const Request& request) {
  LevelType level(request.stream, request.parameter);
  replay(level, request.stream.preload);
  const auto& queue = level.jobs().queue();
  const WorkCounts work_before = queue.work().counts;
  const BatchCounts batches_before = level.jobs().batch_counts();
  const std::uint64_t allocations_before = allocation_counts().allocations;

  WorkReplay result;
  result.outcome = replay(level, request.stream.ops);
  result.allocations = allocation_counts().allocations - allocations_before;
  result.work = queue.work().counts - work_before;
  const BatchCounts& batches = level.jobs().batch_counts();
  result.batches = {batches.batches - batches_before.batches,
                    batches.sorted - batches_before.sorted};
  return result;
}

template <class LevelType>
MemoryReplay weigh(const Request& request) {
  MemoryReplay result;
  const std::int64_t nothing = allocation_counts().bytes_held;
  const auto held = [nothing] { return allocation_counts().bytes_held - nothing; };
  {
    workloads::OpStream no_jobs;
    no_jobs.tick = request.stream.tick;
    no_jobs.start = request.stream.start;
    const LevelType empty(no_jobs, request.parameter);
    result.empty_bytes = held();
  }
  const auto resident_before = static_cast<std::int64_t>(resident_bytes());
  LevelType level(request.stream, request.parameter);
  replay(level, request.stream.preload);
  replay(level, request.stream.ops);
  result.loaded_bytes = held();
  result.resident_bytes = static_cast<std::int64_t>(resident_bytes()) - resident_before;
  for (std::uint32_t job = 0; job < request.stream.jobs; ++job) level.cancel(job);
  result.residue_bytes = held();
  return result;
}

/// Weighs in a process of its own, where no earlier row has left memory behind, and in a new thread
/// of it, which has no spare nodes in stock (see recycling_allocator.hpp).
template <class LevelType>
MemoryReplay memory_pass(const Request& request) {
  return in_child_process<MemoryReplay>([&request] {
    // Free memory goes back to the kernel and large blocks come fresh from it, so that what is
    // resident afterwards is the scheduler's.
    return_freed_memory();
    MemoryReplay result;
    std::thread([&] { result = weigh<LevelType>(request); }).join();
    return result;
  });
}

/// The passes of one family, over both levels and all its types.
template <class Family>
struct FamilyPasses {
  /// Calls pass with the level's type for the request, for its Result.
  template <class Work, class Result, class Pass>
  static Result with_level(const Request& request, Pass pass) {
    Result result{};
    Family::template visit<Work>(request.parameter, [&]<class Queue>() {
      if (request.level == Level::kHandle) {
        result = pass.template operator()<HandleLevel<Queue>>();
      } else {
        result = pass.template operator()<IdLevel<Queue>>();
      }
    });
    return result;
  }

  static TimedReplay timed(const Request& request) {
    return with_level<NoWork, TimedReplay>(
        request, [&]<class LevelType>() { return timed_pass<LevelType>(request); });
  }
  static std::optional<LatencyReplay> latency(const Request& request, double budget_seconds) {
    return with_level<NoWork, std::optional<LatencyReplay>>(request, [&]<class LevelType>() {
      return latency_pass<LevelType>(request, budget_seconds);
    });
  }
  static WorkReplay work(const Request& request) {
    return with_level<CountedWork, WorkReplay>(
        request, [&]<class LevelType>() { return work_pass<LevelType>(request); });
  }
  static MemoryReplay memory(const Request& request) {
    return with_level<NoWork, MemoryReplay>(
        request, [&]<class LevelType>() { return memory_pass<LevelType>(request); });
  }

  static Subject subject() { return {Family::kInfo.name, timed, latency, work, memory}; }
};

}  // namespace timerbench::bench
