#include "mutants.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace timerbench::mutants {

namespace {

enum class Fault {
  kNone,
  // Of the wheel with ids.
  kAppendsOnCascade,
  kRoundsDown,
  kTruncates,
  kLooksAtOneLevel,
  kKeepsStaleMinimum,
  kForgetsDueOnCancel,
  kTurnsClockBack,
  kFiresTwice,
  kKeepsPlaceOnReplacement,
  kIgnoresSameDeadline,
  kFiresLate,
  kShrinksLevels,
  kPlacesByDistance,
  kSkipsCascadesInJumps,
  kCancelsBeforeRefusing,
  kAcceptsUnrepresentable,
  kLeavesDueUncounted,
  // Of the hashed wheel.
  kStopsAtFutureRound,
  kVisitsOneTurnShort,
  // Of the heap.
  kSiftsDownOnly,
  kForgetsPosition,
};

constexpr Parameter kWheelParameter{
    .name = kWheelSize, .default_value = 8, .minimum = 2, .maximum = 1 << 16};

/// The whole contract over a hierarchical wheel whose slots are vectors of jobs. The clock goes
/// from one slot in use to the next, which it finds by looking at all jobs.
template <Fault kFault>
class Wheel final : public AnyScheduler {
 public:
  Wheel(const SchedulerConfig& config, std::uint32_t size)
      : scale_(config.tick), size_(size), current_(config.start / config.tick) {
    if (floor_mod(config.start, config.tick) != 0) {
      throw_invalid("start", config.start,
                    "a multiple of the tick, " + std::to_string(config.tick));
    }
  }

  bool schedule(JobId id, Time deadline) override {
    const bool replaces = jobs_.contains(id);
    if constexpr (kFault == Fault::kCancelsBeforeRefusing) cancel(id);
    const std::int64_t expiry = expiry_of(deadline);
    const auto entry = jobs_.find(id);
    Job job{id, deadline, next_sequence_++, expiry};
    if (entry != jobs_.end()) {
      if (kFault == Fault::kIgnoresSameDeadline && entry->second.deadline == deadline) return true;
      if (kFault == Fault::kKeepsPlaceOnReplacement) job.sequence = entry->second.sequence;
      if (kFault != Fault::kFiresTwice || entry->second.expiry <= current_) remove(entry->second);
    }
    if (expiry > current_) {
      place(job, current_);
    } else {
      due_.push_back(job);
    }
    jobs_[id] = job;
    if (kFault == Fault::kKeepsStaleMinimum && minimum_) {
      minimum_ = std::min(*minimum_, expiry);
    } else {
      find_minimum();
    }
    return replaces;
  }

  bool cancel(JobId id) override {
    const auto entry = jobs_.find(id);
    if (entry == jobs_.end()) return false;
    if (kFault == Fault::kForgetsDueOnCancel && entry->second.expiry <= current_) return false;
    remove(entry->second);
    jobs_.erase(entry);
    if constexpr (kFault != Fault::kKeepsStaleMinimum) find_minimum();
    return true;
  }

  std::span<const JobId> advance(Time now) override {
    std::vector<Job> batch = std::exchange(due_, {});
    const std::int64_t target = tick_of(now);
    if constexpr (kFault == Fault::kTurnsClockBack) current_ = std::min(current_, target);
    while (current_ < target) {
      current_ = std::min(target, next_slot_begin());
      enter_tick(batch);
    }
    if constexpr (kFault == Fault::kFiresLate) {
      const auto is_past = [this](const Job& job) { return job.expiry < current_; };
      due_.assign(std::partition(batch.begin(), batch.end(), is_past), batch.end());
      batch.resize(batch.size() - due_.size());
    }
    return deliver(batch);
  }

  std::size_t pending() const override {
    return jobs_.size() - (kFault == Fault::kLeavesDueUncounted ? due_.size() : 0);
  }

  Time now() const override { return current_ * scale_.tick_length(); }

  std::optional<Time> next_expiry() override {
    std::optional<std::int64_t> next = minimum_;
    if constexpr (kFault == Fault::kLooksAtOneLevel) next = minimum_of_lowest_wheel();
    if (jobs_.empty() || !next) return std::nullopt;
    return std::max(current_, *next) * scale_.tick_length();
  }

  std::optional<Location> where(JobId id) const override {
    const auto entry = jobs_.find(id);
    if (entry == jobs_.end() || entry->second.expiry <= current_) return std::nullopt;
    return entry->second.place;
  }

  std::size_t levels() const override {
    if constexpr (kFault == Fault::kShrinksLevels) {
      std::size_t levels = 1;
      for (const auto& [id, job] : jobs_) {
        if (job.expiry > current_) levels = std::max(levels, std::size_t{job.place.wheel} + 1);
      }
      return levels;
    }
    return levels_;
  }

  void check_invariants() const override {}
  Effort effort() const override { return {}; }

 private:
  __extension__ typedef __int128 Wide;  // Spans of the highest wheels need more than 64 bits.

  struct Job {
    JobId id;
    Time deadline;
    Sequence sequence;
    std::int64_t expiry;
    Location place{};
  };

  static Wide floor_of(Wide a, Wide b) { return a / b - static_cast<Wide>(a % b < 0); }

  std::int64_t expiry_of(Time deadline) const {
    const Time tick = scale_.tick_length();
    if constexpr (kFault == Fault::kRoundsDown) return floor_div(deadline, tick);
    if constexpr (kFault == Fault::kTruncates) {
      return deadline / tick + static_cast<Time>(deadline % tick != 0);
    }
    if constexpr (kFault == Fault::kAcceptsUnrepresentable) {
      return std::min(ceil_div(deadline, tick), std::numeric_limits<Time>::max() / tick);
    }
    return scale_.expiry(deadline).number;
  }

  std::int64_t tick_of(Time now) const {
    if constexpr (kFault == Fault::kTruncates) return now / scale_.tick_length();
    return scale_.floor(now).number;
  }

  Wide span_of(std::uint32_t wheel) const {
    Wide span = 1;
    for (std::uint32_t k = 0; k < wheel; ++k) span *= size_;
    return span;
  }

  bool fits(const Job& job, Wide clock, Wide span) const {
    if constexpr (kFault == Fault::kPlacesByDistance) return job.expiry - clock < span * size_;
    return job.expiry < (floor_of(clock, span) + size_) * span;
  }

  void place(Job& job, std::int64_t clock) {
    std::uint32_t wheel = 0;
    while (!fits(job, clock, span_of(wheel))) ++wheel;
    const Wide number = floor_of(job.expiry, span_of(wheel));
    const Wide slot = number - floor_of(number, size_) * size_;
    job.place = {wheel, static_cast<std::uint32_t>(slot)};
    levels_ = std::max(levels_, std::size_t{wheel} + 1);
    slots_[{wheel, job.place.slot}].push_back(job);
  }

  void remove(const Job& job) {
    const auto is_job = [&job](const Job& other) { return other.sequence == job.sequence; };
    std::erase_if(due_, is_job);
    const auto slot = slots_.find({job.place.wheel, job.place.slot});
    if (slot != slots_.end()) std::erase_if(slot->second, is_job);
  }

  /// Where the clock has something to do next; the end of time if nothing.
  std::int64_t next_slot_begin() const {
    Wide next = std::numeric_limits<std::int64_t>::max();
    for (const auto& [place, jobs] : slots_) {
      if (kFault == Fault::kSkipsCascadesInJumps && place.first > 1) continue;
      const Wide span = span_of(place.first);
      for (const Job& job : jobs) {
        const Wide begin = floor_of(job.expiry, span) * span;
        if (begin > current_) next = std::min(next, begin);
      }
    }
    return static_cast<std::int64_t>(next);
  }

  void enter_tick(std::vector<Job>& batch) {
    for (std::uint32_t i = 1; i < levels_; ++i) {
      const auto wheel = static_cast<std::uint32_t>(levels_) - i;
      if (floor_of(current_, span_of(wheel)) * span_of(wheel) != current_) continue;
      for (Job job : take_slot(wheel)) {
        if (job.expiry <= current_) {
          batch.push_back(job);
        } else {
          place(job, current_);
          if (is_current(job)) jobs_[job.id].place = job.place;
        }
      }
    }
    const std::vector<Job> jobs = take_slot(0);
    batch.insert(batch.end(), jobs.begin(), jobs.end());
  }

  std::vector<Job> take_slot(std::uint32_t wheel) {
    const Wide number = floor_of(current_, span_of(wheel));
    const Wide slot = number - floor_of(number, size_) * size_;
    const auto found = slots_.find({wheel, static_cast<std::uint32_t>(slot)});
    return found == slots_.end() ? std::vector<Job>() : std::exchange(found->second, {});
  }

  bool is_current(const Job& job) const {
    const auto entry = jobs_.find(job.id);
    return entry != jobs_.end() && entry->second.sequence == job.sequence;
  }

  std::span<const JobId> deliver(std::vector<Job>& batch) {
    std::stable_sort(batch.begin(), batch.end(), [](const Job& a, const Job& b) {
      if (a.deadline != b.deadline) return a.deadline < b.deadline;
      return kFault != Fault::kAppendsOnCascade && a.sequence < b.sequence;
    });
    fired_.clear();
    for (const Job& job : batch) {
      fired_.push_back(job.id);
      if (is_current(job)) jobs_.erase(job.id);
    }
    find_minimum();
    return fired_;
  }

  void find_minimum() {
    minimum_.reset();
    for (const auto& [id, job] : jobs_) {
      if (!minimum_ || job.expiry < *minimum_) minimum_ = job.expiry;
    }
  }

  std::optional<std::int64_t> minimum_of_lowest_wheel() const {
    if (!due_.empty()) return current_;
    for (std::uint32_t wheel = 0; wheel < levels_; ++wheel) {
      std::optional<std::int64_t> next;
      for (const auto& [id, job] : jobs_) {
        if (job.place.wheel == wheel && (!next || job.expiry < *next)) next = job.expiry;
      }
      if (next) return next;
    }
    return std::nullopt;
  }

  TickScale scale_;
  Wide size_;
  std::int64_t current_;
  Sequence next_sequence_ = 0;
  std::size_t levels_ = 1;
  std::map<JobId, Job> jobs_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Job>> slots_;
  std::vector<Job> due_;
  std::vector<JobId> fired_;
  std::optional<std::int64_t> minimum_;  ///< The least expiry of all pending jobs.
};

/// A hashed wheel, each slot ordered by the jobs' arrival.
template <Fault kFault>
class HashedSlots {
 public:
  struct Hook {
    std::uint32_t slot;
  };
  using Pool = JobPool<Hook>;

  HashedSlots(Pool& pool, QueueConfig config)
      : pool_(pool), current_(config.start), slots_(config.parameter) {}

  void insert(JobIndex job, Tick expiry) {
    pool_.hook(job).slot = slot_of(expiry);
    slots_[pool_.hook(job).slot].push_back(job);
  }

  void erase(JobIndex job) { std::erase(slots_[pool_.hook(job).slot], job); }

  template <class Sink>
  void advance(Tick tick, Sink sink) {
    std::uint64_t turn = slots_.size();
    if constexpr (kFault == Fault::kVisitsOneTurnShort) --turn;
    const std::uint64_t steps = std::min(ticks_between(current_, tick), turn);
    for (std::uint64_t i = 1; i <= steps; ++i) visit(slot_of(tick_after(current_, i)), tick, sink);
    current_ = tick;
  }

  std::optional<Tick> next_expiry() const {
    std::optional<Tick> next;
    for (const auto& slot : slots_) {
      for (const JobIndex job : slot) {
        if (!next || pool_.expiry(job) < *next) next = pool_.expiry(job);
      }
    }
    return next;
  }

  const CountedWork& work() const { return work_; }

 private:
  std::uint32_t slot_of(Tick tick) const {
    return static_cast<std::uint32_t>(floor_mod(tick.number, static_cast<Time>(slots_.size())));
  }

  template <class Sink>
  void visit(std::uint32_t slot, Tick tick, Sink& sink) {
    std::vector<JobIndex>& jobs = slots_[slot];
    for (std::size_t i = 0; i < jobs.size();) {
      const JobIndex job = jobs[i];
      if (pool_.expiry(job) <= tick) {
        jobs.erase(jobs.begin() + static_cast<std::ptrdiff_t>(i));
        sink(job);
      } else if (kFault == Fault::kStopsAtFutureRound) {
        return;
      } else {
        ++i;
      }
    }
  }

  Pool& pool_;
  Tick current_;
  std::vector<std::vector<JobIndex>> slots_;
  CountedWork work_;
};

/// A binary heap whose jobs know their positions.
template <Fault kFault>
class PositionHeap {
 public:
  struct Hook {
    std::uint32_t position;
  };
  using Pool = JobPool<Hook>;

  PositionHeap(Pool& pool, QueueConfig) : pool_(pool) {}

  void insert(JobIndex job, Tick) {
    heap_.push_back(job);
    sift_up(heap_.size() - 1);
  }

  void erase(JobIndex job) {
    const std::size_t position = pool_.hook(job).position;
    const JobIndex last = heap_.back();
    heap_.pop_back();
    if (position == heap_.size()) return;
    set(position, last);
    if constexpr (kFault != Fault::kSiftsDownOnly) sift_up(position);
    sift_down(pool_.hook(last).position);
  }

  template <class Sink>
  void advance(Tick tick, Sink sink) {
    while (!heap_.empty() && pool_.expiry(heap_.front()) <= tick) {
      const JobIndex job = heap_.front();
      erase(job);
      sink(job);
    }
  }

  std::optional<Tick> next_expiry() const {
    if (heap_.empty()) return std::nullopt;
    return pool_.expiry(heap_.front());
  }

  const CountedWork& work() const { return work_; }

 private:
  void set(std::size_t position, JobIndex job) {
    heap_[position] = job;
    pool_.hook(job).position = static_cast<std::uint32_t>(position);
  }

  bool is_before(JobIndex a, JobIndex b) const {
    if (pool_.deadline(a) != pool_.deadline(b)) return pool_.deadline(a) < pool_.deadline(b);
    return pool_.sequence(a) < pool_.sequence(b);
  }

  void sift_up(std::size_t position) {
    const JobIndex job = heap_[position];
    while (position > 0 && is_before(job, heap_[(position - 1) / 2])) {
      set(position, heap_[(position - 1) / 2]);
      position = (position - 1) / 2;
    }
    set(position, job);
  }

  void sift_down(std::size_t position) {
    const JobIndex job = heap_[position];
    while (true) {
      std::size_t child = 2 * position + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && is_before(heap_[child + 1], heap_[child])) ++child;
      if (!is_before(heap_[child], job)) break;
      if constexpr (kFault == Fault::kForgetsPosition) {
        heap_[position] = heap_[child];
      } else {
        set(position, heap_[child]);
      }
      position = child;
    }
    set(position, job);
  }

  Pool& pool_;
  std::vector<JobIndex> heap_;
  CountedWork work_;
};

template <Fault kFault>
Mutant wheel(std::string_view fault) {
  Mutant mutant{fault, {}};
  mutant.entry.info.name = "mutant_wheel";
  mutant.entry.info.parameter = kWheelParameter;
  mutant.entry.capabilities.location = true;
  mutant.entry.make = +[](const SchedulerConfig& config,
                          std::optional<std::uint32_t> parameter) -> std::unique_ptr<AnyScheduler> {
    const std::uint32_t size = kWheelParameter.checked(parameter);
    return std::make_unique<Wheel<kFault>>(config, size);
  };
  return mutant;
}

/// A mutant that is only a queue: the rest of the contract is the project's own.
template <class Queue, const Parameter& kParameter>
Mutant queue(std::string_view fault, std::string_view name) {
  Mutant mutant{fault, {}};
  mutant.entry.info.name = name;
  mutant.entry.info.parameter = kParameter;
  mutant.entry.make = +[](const SchedulerConfig& config,
                          std::optional<std::uint32_t> parameter) -> std::unique_ptr<AnyScheduler> {
    return std::make_unique<SchedulerModel<KeyedScheduler<Queue>>>(config,
                                                                   kParameter.checked(parameter));
  };
  return mutant;
}

constexpr Parameter kNoParameter{};

template <Fault kFault>
Mutant hashed(std::string_view fault) {
  return queue<HashedSlots<kFault>, kWheelParameter>(fault, "mutant_hashed_wheel");
}

template <Fault kFault>
Mutant heap(std::string_view fault) {
  return queue<PositionHeap<kFault>, kNoParameter>(fault, "mutant_heap");
}

}  // namespace

std::span<const Mutant> faultless() {
  static const std::vector<Mutant> mutants{
      wheel<Fault::kNone>("has no fault"),
      hashed<Fault::kNone>("has no fault"),
      heap<Fault::kNone>("has no fault"),
  };
  return mutants;
}

std::span<const Mutant> faulty() {
  static const std::vector<Mutant> mutants{
      wheel<Fault::kAppendsOnCascade>("orders ties by their place in the slot after a cascade"),
      wheel<Fault::kRoundsDown>("rounds expiries down"),
      wheel<Fault::kTruncates>("rounds away from or towards zero instead of up or down"),
      wheel<Fault::kLooksAtOneLevel>("takes the next expiry from the lowest wheel in use"),
      wheel<Fault::kKeepsStaleMinimum>("keeps the minimum of a job that was cancelled"),
      wheel<Fault::kForgetsDueOnCancel>("does not cancel jobs that are due"),
      wheel<Fault::kTurnsClockBack>("turns the clock back"),
      wheel<Fault::kFiresTwice>("fires a replaced job a second time"),
      wheel<Fault::kKeepsPlaceOnReplacement>("keeps a replaced job's place among ties"),
      wheel<Fault::kIgnoresSameDeadline>("ignores a replacement with the same deadline"),
      wheel<Fault::kFiresLate>("fires when the clock is past the expiry"),
      wheel<Fault::kShrinksLevels>("drops overflow wheels that are empty"),
      wheel<Fault::kPlacesByDistance>("places by distance instead of by window"),
      wheel<Fault::kSkipsCascadesInJumps>("jumps over the cascades of the higher wheels"),
      wheel<Fault::kCancelsBeforeRefusing>("cancels a job and then refuses its new deadline"),
      wheel<Fault::kAcceptsUnrepresentable>("clamps deadlines that it has to refuse"),
      wheel<Fault::kLeavesDueUncounted>("does not count due jobs as pending"),
      hashed<Fault::kStopsAtFutureRound>("stops at the first job of a later round"),
      hashed<Fault::kVisitsOneTurnShort>("leaves out the last slot of a whole turn"),
      heap<Fault::kSiftsDownOnly>("only sifts down what fills a removed job's place"),
      heap<Fault::kForgetsPosition>("does not update positions while sifting down"),
  };
  return mutants;
}

}  // namespace timerbench::mutants
