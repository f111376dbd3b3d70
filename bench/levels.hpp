// The two levels at which a scheduler is measured, behind one face for the replay loop.
//
// A stream names jobs by dense numbers. How a level finds the scheduler's job for a number is part
// of what it costs a caller, and must be the same for every scheduler.
#pragma once

#include <cstdint>
#include <optional>

#include "op_stream.hpp"
#include "timerbench/keyed_scheduler.hpp"

namespace timerbench::bench {

/// Callers that keep a handle beside their own data, as a connection keeps its timer: the handle is
/// at hand, so none is looked up. Handles are made before the stream begins; job j's has index j.
template <class Queue>
class HandleLevel {
 public:
  HandleLevel(const workloads::OpStream& stream, std::uint32_t parameter)
      : scheduler_({.tick = stream.tick, .start = stream.start}, parameter) {
    scheduler_.reserve(stream.jobs);
    for (std::uint32_t job = 0; job < stream.jobs; ++job) scheduler_.create();
  }

  bool schedule(std::uint32_t job, Time deadline) {
    return scheduler_.schedule(handle(job), deadline);
  }
  bool cancel(std::uint32_t job) { return scheduler_.cancel(handle(job)); }

  template <class OnFired>
  void advance(Time now, OnFired on_fired) {
    for (const FiredJob& fired : scheduler_.advance(now)) on_fired(fired.job);
  }

  std::optional<Time> next_expiry() { return scheduler_.next_expiry(); }
  std::size_t pending() const { return scheduler_.pending(); }
  const HandleScheduler<Queue>& jobs() const { return scheduler_; }

 private:
  /// No handle is ever destroyed here, so all generations are the first.
  static JobHandle handle(std::uint32_t job) { return {.index = job, .generation = 0}; }

  HandleScheduler<Queue> scheduler_;
};

/// Callers that know their jobs by 64-bit ids: each operation goes through the id map.
///
/// Ids in use are spread over 64 bits, as real ones are; dense ids would flatter a hash map. Only a
/// map that is made for dense ones gets the stream's own numbers.
template <class Queue, class IdMap = DefaultIdMap, bool kDenseIds = false>
class IdLevel {
 public:
  IdLevel(const workloads::OpStream& stream, std::uint32_t parameter)
      : scheduler_({.tick = stream.tick, .start = stream.start}, parameter) {
    scheduler_.reserve(stream.jobs);
  }

  bool schedule(std::uint32_t job, Time deadline) {
    return scheduler_.schedule(id_of(job), deadline);
  }
  bool cancel(std::uint32_t job) { return scheduler_.cancel(id_of(job)); }

  template <class OnFired>
  void advance(Time now, OnFired on_fired) {
    for (const JobId id : scheduler_.advance(now)) on_fired(job_of(id));
  }

  std::optional<Time> next_expiry() { return scheduler_.next_expiry(); }
  std::size_t pending() const { return scheduler_.pending(); }
  const HandleScheduler<Queue>& jobs() const { return scheduler_.jobs(); }

 private:
  /// Multiplying by an odd number is a bijection, and its inverse leads back.
  static constexpr std::uint64_t kSpread = kDenseIds ? 1 : 0x9E3779B97F4A7C15u;
  static constexpr std::uint64_t inverse_of(std::uint64_t odd) {
    std::uint64_t inverse = odd;  // Right to 3 bits; each step of Newton's doubles them.
    for (int step = 0; step < 5; ++step) inverse *= 2 - odd * inverse;
    return inverse;
  }
  static constexpr std::uint64_t kGather = inverse_of(kSpread);
  static_assert(kSpread * kGather == 1);

  static JobId id_of(std::uint32_t job) { return job * kSpread; }
  static std::uint32_t job_of(JobId id) { return static_cast<std::uint32_t>(id * kGather); }

  KeyedScheduler<Queue, IdMap> scheduler_;
};

}  // namespace timerbench::bench
