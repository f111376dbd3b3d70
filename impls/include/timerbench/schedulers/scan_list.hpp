// The naive list: every advance looks at every job.
//
// Choose it for a handful of jobs, or as this project does, as the reference that all others are
// tested against: there is nothing in it that could be wrong in an interesting way. It is scheme 1
// of Varghese and Lauck (SOSP 1987) with deadlines instead of countdowns.
//
// Example: jobs a (deadline 5), b (3), c (5). advance(3) looks at all three and takes b; the last
// job moves into the gap, so the list is then a, c. advance(5) takes both.
//
// Invariants: S1 a job's hook holds its position in the list.
// Costs:      schedule and cancel O(1); advance and next_expiry O(N), N the waiting jobs.
// Memory:     4 bytes a job besides the node, and what the growing array has set aside.
// Horizon:    none. Batches come in no order and get sorted.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "timerbench/family.hpp"
#include "timerbench/scheduler.hpp"

namespace timerbench {

template <class Work = NoWork>
class ScanList {
 public:
  struct Hook {
    std::uint32_t position;
  };
  using Pool = JobPool<Hook>;

  ScanList(Pool& pool, QueueConfig) : pool_(pool) {}

  void insert(JobIndex job, Tick) {
    pool_.hook(job).position = static_cast<std::uint32_t>(jobs_.size());
    jobs_.push_back(job);
  }

  void erase(JobIndex job) {
    const std::uint32_t position = pool_.hook(job).position;
    jobs_[position] = jobs_.back();
    pool_.hook(jobs_[position]).position = position;
    jobs_.pop_back();
  }

  template <class Sink>
  void advance(Tick tick, Sink sink) {
    std::size_t position = 0;
    while (position < jobs_.size()) {
      const JobIndex job = jobs_[position];
      work_.job_visited();
      if (pool_.expiry(job) <= tick) {
        erase(job);  // Another job is at this position now: look here again.
        sink(job);
      } else {
        ++position;
      }
    }
  }

  std::optional<Tick> next_expiry() const {
    std::optional<Tick> next;
    for (const JobIndex job : jobs_) {
      work_.job_visited();
      if (!next || pool_.expiry(job) < *next) next = pool_.expiry(job);
    }
    return next;
  }

  void check_invariants() const {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (pool_.hook(jobs_[i]).position != i)
        throw std::logic_error("S1: a job knows its position");
    }
  }

  const Work& work() const { return work_; }

 private:
  Pool& pool_;
  std::vector<JobIndex> jobs_;
  [[no_unique_address]] mutable Work work_;
};

struct ScanListFamily {
  static constexpr FamilyInfo kInfo{
      .name = "scan_list",
      .summary = "naive list, scans every job on every advance; the reference of all tests",
      .source = "Varghese and Lauck 1987, scheme 1",
      .origin = Origin::kTextbook,
      .parameter = {},
      .costs = {"O(1)", "O(1)", "O(N)", "O(N)"},
  };

  template <class Work, class Visitor>
  static void visit(std::uint32_t /*parameter*/, Visitor&& visitor) {
    visitor.template operator()<ScanList<Work>>();
  }
};

}  // namespace timerbench
