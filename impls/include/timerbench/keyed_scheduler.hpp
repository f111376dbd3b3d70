// The whole contract: jobs named by the caller's 64-bit ids.
//
// Every scheduler of this project is KeyedScheduler<Queue>. The one thing it adds to
// HandleScheduler is the map from id to job, the same for all of them; since it costs more than an
// O(1) operation of a wheel, both levels are measured.
//
//   KeyedScheduler<HierarchicalWheel<>> scheduler({.tick = 10}, 256);
//   scheduler.schedule(7, 1234);                       // job 7 is due at 1240
//   for (JobId id : scheduler.advance(1240)) { ... }   // 7
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "timerbench/handle_scheduler.hpp"

namespace timerbench {

/// The caller's name for a job; any value.
using JobId = std::uint64_t;

/// Chosen by measurement among four: bench/id_maps.cpp, impls/PERFORMANCE.md.
using DefaultIdMap = absl::flat_hash_map<JobId, JobIndex>;

/// `IdMap` is any map with the interface of the standard's unordered one, or DenseIdMap.
template <TimerQueue Queue, class IdMap = DefaultIdMap>
class KeyedScheduler {
 public:
  /// Errors: as HandleScheduler's.
  KeyedScheduler(const SchedulerConfig& config, std::uint32_t parameter = 0)
      : jobs_(config, parameter) {}

  /// Adds a job. If `id` is pending, that job is cancelled first and scheduled anew: it loses its
  /// place among ties, also when the deadline is the same. Returns whether `id` was pending.
  /// Errors: std::invalid_argument if the expiry's instant does not fit into 64 bits; nothing changes.
  /// std::bad_alloc or std::length_error where something has to grow; the job is then cancelled.
  bool schedule(JobId id, Time deadline) {
    const Tick expiry = jobs_.expiry(deadline);  // Throws before the map has changed.
    const auto [entry, is_new] = jobs_by_id_.try_emplace(id, kNoJob);
    try {
      if (is_new) entry->second = new_job(id);
      jobs_.schedule(entry->second, deadline, expiry);
    } catch (...) {  // The pool is full or memory is out: the id is pending no more.
      if (entry->second != kNoJob) jobs_.destroy(jobs_.pool().handle(entry->second));
      jobs_by_id_.erase(entry);
      throw;
    }
    return !is_new;
  }

  /// Removes a pending job: true if there was one, false if the id is unknown, cancelled or
  /// returned.
  bool cancel(JobId id) {
    const auto entry = jobs_by_id_.find(id);
    if (entry == jobs_by_id_.end()) return false;
    jobs_.destroy(jobs_.pool().handle(entry->second));
    jobs_by_id_.erase(entry);
    return true;
  }

  /// Moves the clock to the last tick that has begun at `now`, never back, and returns the ids of
  /// all due jobs, each once, ordered by deadline, ties in the order in which they were scheduled.
  /// The span is valid until the next advance().
  std::span<const JobId> advance(Time now) {
    fired_ids_.clear();
    for (const FiredJob& fired : jobs_.advance(now)) {
      const JobId id = ids_[fired.job];
      fired_ids_.push_back(id);
      jobs_by_id_.erase(id);
      jobs_.destroy(jobs_.pool().handle(fired.job));
    }
    return fired_ids_;
  }

  std::size_t pending() const { return jobs_.pending(); }
  Time now() const { return jobs_.now(); }
  std::optional<Time> next_expiry() { return jobs_.next_expiry(); }

  /// Where a waiting job is; nothing for an id that is unknown or due.
  std::optional<Location> where(JobId id) const requires HasLocation<Queue> {
    const auto entry = jobs_by_id_.find(id);
    if (entry == jobs_by_id_.end()) return std::nullopt;
    return jobs_.where(entry->second);
  }

  /// Makes room for this many pending jobs.
  void reserve(std::size_t jobs) {
    jobs_.reserve(jobs);
    ids_.reserve(jobs);
    jobs_by_id_.reserve(jobs);
  }

  const HandleScheduler<Queue>& jobs() const { return jobs_; }

  void check_invariants() const {
    jobs_.check_invariants();
    if (jobs_by_id_.size() != jobs_.pending())
      throw std::logic_error("K1: the ids are the pending jobs");
    for (const auto& [id, job] : jobs_by_id_) {
      if (ids_[job] != id) throw std::logic_error("K2: a job knows its id");
    }
  }

 private:
  JobIndex new_job(JobId id) {
    const JobIndex job = jobs_.create().index;
    if (job >= ids_.size()) ids_.resize(job + std::size_t{1});
    ids_[job] = id;
    return job;
  }

  HandleScheduler<Queue> jobs_;
  IdMap jobs_by_id_;        ///< Exactly the pending jobs.
  std::vector<JobId> ids_;  ///< By job: its id, to find the map's entry when it fires.
  std::vector<JobId> fired_ids_;
};

}  // namespace timerbench
