// A map from ids to jobs for callers whose ids are small numbers, such as file descriptors or rows
// of a table: an array by id.
//
//   KeyedScheduler<LazyWheel<>, DenseIdMap> scheduler({.tick = 1}, 1024);
//
// Choose it if the largest id is not much more than the number of pending jobs: it has room for all
// ids up to the largest ever used, 4 bytes each. `./build/release/id_maps` shows what it saves.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "timerbench/job_pool.hpp"
#include "timerbench/keyed_scheduler.hpp"

namespace timerbench {

/// What KeyedScheduler needs of a map, no more. Iterators are valid until the next insertion.
class DenseIdMap {
 public:
  /// Ids from here on are refused: an array for them would be a mistake.
  static constexpr JobId kEnd = JobId{1} << 31;

  /// Points at an id; as of a map's entry, `second` is the job.
  class Iterator {
   public:
    Iterator(std::vector<JobIndex>* jobs, JobId id) : jobs_(jobs), id_(id) {}

    std::pair<JobId, JobIndex&> operator*() const { return {id_, (*jobs_)[id_]}; }
    /// An entry by value whose `second` refers to the map, kept alive for the expression.
    struct Arrow {
      JobIndex& second;
      Arrow* operator->() { return this; }
    };
    Arrow operator->() const { return {(*jobs_)[id_]}; }
    Iterator& operator++() {
      do {
        ++id_;
      } while (id_ < jobs_->size() && (*jobs_)[id_] == kNoEntry);
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.id_ == b.id_; }

   private:
    friend class DenseIdMap;
    std::vector<JobIndex>* jobs_;
    JobId id_;
  };

  /// Complexity: O(1) amortised; O(id) where it is the largest so far.
  /// Errors: std::invalid_argument for an id of 2^31 or more.
  std::pair<Iterator, bool> try_emplace(JobId id, JobIndex job) {
    if (id >= jobs_.size()) {
      if (id >= kEnd) throw_invalid("id", id, "below 2^31 where ids are kept in an array");
      jobs_.resize(id + 1, kNoEntry);
    }
    const bool is_new = jobs_[id] == kNoEntry;
    if (is_new) {
      jobs_[id] = job;
      ++size_;
    }
    return {Iterator(&jobs_, id), is_new};
  }

  Iterator find(JobId id) {
    return id < jobs_.size() && jobs_[id] != kNoEntry ? Iterator(&jobs_, id) : end();
  }
  Iterator find(JobId id) const { return const_cast<DenseIdMap*>(this)->find(id); }

  void erase(Iterator entry) { erase(entry.id_); }
  void erase(JobId id) {
    if (id >= jobs_.size() || jobs_[id] == kNoEntry) return;
    jobs_[id] = kNoEntry;
    --size_;
  }

  Iterator begin() const {
    Iterator first(const_cast<std::vector<JobIndex>*>(&jobs_), 0);
    if (!jobs_.empty() && jobs_.front() == kNoEntry) ++first;
    return first;
  }
  Iterator end() const {
    return {const_cast<std::vector<JobIndex>*>(&jobs_), static_cast<JobId>(jobs_.size())};
  }

  std::size_t size() const { return size_; }
  void reserve(std::size_t ids) { jobs_.reserve(ids); }

 private:
  /// Not kNoJob, with which KeyedScheduler marks an entry whose job is still to be made. There are
  /// never enough ids for a job of this index.
  static constexpr JobIndex kNoEntry = kNoJob - 1;

  std::vector<JobIndex> jobs_;  ///< By id.
  std::size_t size_ = 0;
};

}  // namespace timerbench
