#include "conformance/check.hpp"

#include <algorithm>
#include <bit>
#include <exception>
#include <type_traits>
#include <unordered_set>
#include <utility>

namespace timerbench::conformance {

namespace {

std::string yes_no(bool yes) { return yes ? "true" : "false"; }

/// What an outside observer knows of a scheduler that answered all steps so far as expected.
class Observer {
 public:
  explicit Observer(const VectorCase& vector_case)
      : tick_(vector_case.tick), current_(Tick{vector_case.start / vector_case.tick}) {}

  Time now() const { return current_.number * tick_; }
  std::size_t pending() const { return ids_.size(); }
  bool is_pending(JobId id) const { return ids_.contains(id); }

  /// How many ticks an advance to `now` crosses.
  std::uint64_t ticks_to(Time now) const {
    const Tick target{floor_div(now, tick_)};
    return target > current_ ? ticks_between(current_, target) : 0;
  }

  void observe(const Step& step) {
    if (const auto* schedule = std::get_if<Schedule>(&step.operation)) {
      ids_.insert(schedule->id);
    } else if (const auto* cancel = std::get_if<Cancel>(&step.operation)) {
      ids_.erase(cancel->id);
    } else if (const auto* advance = std::get_if<Advance>(&step.operation)) {
      current_ = std::max(current_, Tick{floor_div(advance->now, tick_)});
      for (const JobId id : std::get<std::vector<JobId>>(step.expected)) ids_.erase(id);
    }
  }

 private:
  Time tick_;
  Tick current_;
  std::unordered_set<JobId> ids_;
};

/// Whether the expected answer binds a scheduler with these capabilities, and is not the one given.
bool differs(const Capabilities& capabilities, const Step& step, const Answer& got) {
  const bool is_location = std::holds_alternative<Where>(step.operation) ||
                           std::holds_alternative<Levels>(step.operation);
  if (is_location && !capabilities.location) return false;
  if (std::holds_alternative<Next>(step.operation) && !capabilities.exact_next_expiry) {
    const auto& truth = std::get<std::optional<Time>>(step.expected);
    const auto& bound = std::get<std::optional<Time>>(got);
    return truth.has_value() != bound.has_value() || (truth && *bound > *truth);
  }
  return got != step.expected;
}

std::string exception_text(const std::exception& error) {
  return "the exception \"" + std::string(error.what()) + "\"";
}

/// One replay. Steps return the difference they find.
class Replay {
 public:
  Replay(const SchedulerSpec& spec, const VectorCase& vector_case, Invariants invariants)
      : vector_case_(vector_case),
        capabilities_(spec.family->capabilities),
        invariants_(invariants),
        observer_(vector_case),
        scheduler_(spec.make(vector_case.tick, vector_case.start)) {}

  std::optional<Difference> run() {
    for (const Step& step : vector_case_.steps) {
      std::optional<Difference> found;
      try {
        found = take(step);
      } catch (const std::exception& error) {
        found = difference(step, to_text(step.expected), exception_text(error));
      }
      if (found) return found;
    }
    try {
      scheduler_->check_invariants();
      // Following a far job's bounds is too far for a clock that walks.
      if (capabilities_.exact_next_expiry || capabilities_.steps_every_tick) return std::nullopt;
      return follow_bounds();
    } catch (const std::exception& error) {
      return difference(vector_case_.steps.back(), "no error at the case's end",
                        exception_text(error));
    }
  }

 private:
  std::optional<Difference> take(const Step& step) {
    if (const auto* schedule = std::get_if<Schedule>(&step.operation)) {
      const bool expected = observer_.is_pending(schedule->id);
      const bool got = scheduler_->schedule(schedule->id, schedule->deadline);
      if (got != expected) return difference(step, yes_no(expected), yes_no(got), "replaced");
    } else {
      const Answer got = ask(*scheduler_, step.operation);
      if (differs(capabilities_, step, got)) {
        return difference(step, to_text(step.expected), to_text(got));
      }
    }
    observer_.observe(step);
    return observe(step);
  }

  /// What must hold after every step, whatever it was.
  std::optional<Difference> observe(const Step& step) {
    const std::size_t pending = scheduler_->pending();
    if (pending != observer_.pending()) {
      return difference(step, std::to_string(observer_.pending()), std::to_string(pending),
                        "pending afterwards");
    }
    const Time now = scheduler_->now();
    if (now != observer_.now()) {
      return difference(step, std::to_string(observer_.now()), std::to_string(now),
                        "now afterwards");
    }
    if (invariants_ == Invariants::kEachStep) scheduler_->check_invariants();
    return std::nullopt;
  }

  /// A scheduler that only bounds its next expiry has to be reached through its bounds: an advance
  /// to one of them fires a job or moves the clock on, and not too often the latter.
  std::optional<Difference> follow_bounds() {
    constexpr std::size_t kMostEmptyAdvances = 4096;
    const Step& last = vector_case_.steps.back();
    std::size_t empty_advances = 0;
    while (const std::optional<Time> bound = scheduler_->next_expiry()) {
      const Time before = scheduler_->now();
      if (!scheduler_->advance(*bound).empty()) {
        empty_advances = 0;
      } else if (scheduler_->now() == before || ++empty_advances > kMostEmptyAdvances) {
        return difference(last, "that it fires a job", "no job", "then advance to next, repeated");
      }
    }
    const std::size_t left = scheduler_->pending();
    if (left == 0) return std::nullopt;
    return difference(last, "0", std::to_string(left), "then pending when next is none");
  }

  Difference difference(const Step& step, std::string expected, std::string got,
                        const std::string& detail = {}) const {
    std::string operation = to_text(step.operation);
    if (!detail.empty()) operation += " (" + detail + ")";
    if (expected.empty()) expected = "no answer";
    return {vector_case_.name, step.line, std::move(operation), std::move(expected),
            std::move(got)};
  }

  const VectorCase& vector_case_;
  Capabilities capabilities_;
  Invariants invariants_;
  Observer observer_;
  std::unique_ptr<AnyScheduler> scheduler_;
};

/// The case's wheel size where the family takes it, or the next power of two where it takes only those.
std::uint32_t wheel_size_for(const Parameter& parameter, const VectorCase& vector_case) {
  const std::uint32_t size = vector_case.wheel_size;
  constexpr std::uint32_t kLargestPower = std::uint32_t{1} << 31;
  return parameter.power_of_two && size <= kLargestPower ? std::bit_ceil(size) : size;
}

std::string reason_to_skip(const SchedulerSpec& spec, const VectorCase& vector_case) {
  const FamilyInfo& info = spec.family->info;
  if (info.parameter.name == kWheelSize &&
      !info.parameter.allows(wheel_size_for(info.parameter, vector_case))) {
    return "wheel_size " + std::to_string(vector_case.wheel_size) + " is not in " +
           info.parameter.allowed_text();
  }
  if (!info.steps_every_tick) return {};
  Observer observer(vector_case);
  for (const Step& step : vector_case.steps) {
    if (const auto* advance = std::get_if<Advance>(&step.operation)) {
      const std::uint64_t ticks = observer.ticks_to(advance->now);
      if (ticks > kLongestSteppedJump) {
        return "an advance over " + std::to_string(ticks) + " ticks, walked one by one";
      }
    }
    observer.observe(step);
  }
  return {};
}

}  // namespace

std::string to_text(const Difference& difference, const std::string& file_name) {
  std::string text = file_name;
  if (difference.line > 0) text += ":" + std::to_string(difference.line);
  return text + ": case " + difference.case_name + ": " + difference.operation + ": expected " +
         difference.expected + ", got " + difference.got;
}

std::string to_text(const CheckReport::Failure& failure) {
  return to_text(failure.difference, failure.file);
}

Answer ask(AnyScheduler& scheduler, const Operation& operation) {
  return std::visit(
      [&scheduler](const auto& asked) -> Answer {
        using Asked = std::decay_t<decltype(asked)>;
        if constexpr (std::is_same_v<Asked, Schedule>) {
          scheduler.schedule(asked.id, asked.deadline);
          return std::monostate{};
        } else if constexpr (std::is_same_v<Asked, Cancel>) {
          return scheduler.cancel(asked.id);
        } else if constexpr (std::is_same_v<Asked, Advance>) {
          const std::span<const JobId> batch = scheduler.advance(asked.now);
          return std::vector<JobId>(batch.begin(), batch.end());
        } else if constexpr (std::is_same_v<Asked, Where>) {
          return scheduler.where(asked.id);
        } else if constexpr (std::is_same_v<Asked, Levels>) {
          return scheduler.levels();
        } else if constexpr (std::is_same_v<Asked, Pending>) {
          return scheduler.pending();
        } else {
          static_assert(std::is_same_v<Asked, Next>);
          return scheduler.next_expiry();
        }
      },
      operation);
}

CaseResult replay(const SchedulerSpec& spec, const VectorCase& vector_case, Invariants invariants) {
  CaseResult result;
  result.skip_reason = reason_to_skip(spec, vector_case);
  if (result.skipped()) return result;
  SchedulerSpec sized = spec;
  const Parameter& parameter = spec.family->info.parameter;
  if (parameter.name == kWheelSize) sized.parameter = wheel_size_for(parameter, vector_case);
  try {
    result.difference = Replay(sized, vector_case, invariants).run();
  } catch (const std::exception& error) {  // The steps' own are caught where they belong.
    result.difference = {vector_case.name, 0, "making " + sized.name(), "a scheduler",
                         exception_text(error)};
  }
  return result;
}

CheckReport check(const SchedulerSpec& spec, std::span<const VectorFile> files) {
  CheckReport report;
  for (const VectorFile& file : files) {
    for (const VectorCase& vector_case : file.cases) {
      CaseResult result = replay(spec, vector_case);
      if (result.skipped()) {
        report.skips.push_back({file.name, vector_case.name, std::move(result.skip_reason)});
      } else if (result.failed()) {
        report.failures.push_back({file.name, std::move(*result.difference)});
      } else {
        ++report.passed;
      }
    }
  }
  return report;
}

}  // namespace timerbench::conformance
