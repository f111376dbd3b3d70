#include "conformance/model.hpp"

#include <algorithm>
#include <tuple>
#include <type_traits>

namespace timerbench::conformance {

Answer Model::answer(const Operation& operation) {
  return std::visit(
      [this](const auto& asked) -> Answer {
        using Asked = std::decay_t<decltype(asked)>;
        if constexpr (std::is_same_v<Asked, Schedule>) {
          schedule(asked.id, asked.deadline);
          return std::monostate{};
        } else if constexpr (std::is_same_v<Asked, Cancel>) {
          return jobs_.erase(asked.id) == 1;
        } else if constexpr (std::is_same_v<Asked, Advance>) {
          return advance(asked.now);
        } else if constexpr (std::is_same_v<Asked, Where>) {
          return where(asked.id);
        } else if constexpr (std::is_same_v<Asked, Levels>) {
          return levels_;
        } else if constexpr (std::is_same_v<Asked, Pending>) {
          return jobs_.size();
        } else {
          static_assert(std::is_same_v<Asked, Next>);
          return next_expiry();
        }
      },
      operation);
}

void Model::schedule(JobId id, Time deadline) {
  const Int128 expiry = -floor_div128(-Int128{deadline}, tick_);
  Job job{deadline, next_sequence_++, expiry, std::nullopt};
  if (job.expiry > current_) place(job, current_);
  jobs_.insert_or_assign(id, job);
}

void Model::place(Job& job, Int128 clock) {
  std::uint32_t wheel = 0;
  Int128 span = 1;  // W^wheel
  while (job.expiry >= floor_div128(clock, span) * span + span * wheel_size_) {
    ++wheel;
    span *= wheel_size_;
  }
  const Int128 number = floor_div128(job.expiry, span);
  const Int128 slot = number - floor_div128(number, wheel_size_) * wheel_size_;
  job.place = Location{wheel, static_cast<std::uint32_t>(slot)};
  job.slot_begin = number * span;
  levels_ = std::max(levels_, std::size_t{wheel} + 1);
}

std::vector<JobId> Model::advance(Time now) {
  current_ = std::max(current_, floor_div128(now, tick_));
  std::vector<std::tuple<Time, std::uint64_t, JobId>> due;
  for (auto entry = jobs_.begin(); entry != jobs_.end();) {
    auto& [id, job] = *entry;
    // The clock passed the begin of every slot up to here, and each cascade placed the job anew.
    while (job.expiry > current_ && job.place->wheel > 0 && job.slot_begin <= current_) {
      place(job, job.slot_begin);
    }
    if (job.expiry <= current_) {
      due.emplace_back(job.deadline, job.sequence, id);
      entry = jobs_.erase(entry);
    } else {
      ++entry;
    }
  }
  std::sort(due.begin(), due.end());
  std::vector<JobId> batch;
  for (const auto& [deadline, sequence, id] : due) batch.push_back(id);
  return batch;
}

std::optional<Location> Model::where(JobId id) const {
  const auto entry = jobs_.find(id);
  return entry == jobs_.end() ? std::nullopt : entry->second.place;
}

std::optional<Time> Model::next_expiry() const {
  std::optional<Int128> next;
  for (const auto& [id, job] : jobs_) {
    const Int128 fires = std::max(current_, job.expiry);
    if (!next || fires < *next) next = fires;
  }
  if (!next) return std::nullopt;
  return static_cast<Time>(*next * tick_);
}

}  // namespace timerbench::conformance
