// A template: copy to schedulers/<name>.hpp, rename MyQueue and my_queue, replace the tree by your idea.
#pragma once

#include <iterator>
#include <set>
#include <tuple>

#include "timerbench/family.hpp"

namespace timerbench {
template <class Work = NoWork>
class MyQueue {
 public:
  struct Hook {};  // What you keep in a job's node to find it again; plain data.
  using Pool = JobPool<Hook>;
  MyQueue(Pool& pool, QueueConfig) : pool_(pool) {}

  void insert(JobIndex job, Tick) { jobs_.insert(key(job)); }
  void erase(JobIndex job) { jobs_.erase(key(job)); }
  template <class Sink>
  void advance(Tick tick, Sink sink) {
    while (next_expiry() && *next_expiry() <= tick) sink(std::get<2>(jobs_.extract(jobs_.begin()).value()));
  }
  std::optional<Tick> next_expiry() const {
    return jobs_.empty() ? std::nullopt : std::optional(pool_.expiry(std::get<2>(*jobs_.begin())));
  }
  const Work& work() const { return work_; }

 private:
  auto key(JobIndex job) const { return std::tuple(pool_.deadline(job), pool_.sequence(job), job); }
  Pool& pool_;
  std::set<std::tuple<Time, Sequence, JobIndex>> jobs_;
  Work work_;
};

struct MyQueueFamily {
  static constexpr FamilyInfo kInfo{.name = "my_queue", .summary = "a tree of deadlines", .source = "", .parameter = {}, .costs = {"O(log N)", "O(log N)", "O(log N) per fired", "O(1)"}};
  template <class Work, class Visitor>
  static void visit(std::uint32_t, Visitor&& visitor) { visitor.template operator()<MyQueue<Work>>(); }
};
}  // namespace timerbench
