#include "conformance/bad_input.hpp"

#include <array>
#include <functional>
#include <limits>
#include <stdexcept>

namespace timerbench::conformance {

namespace {

constexpr Time kLastTime = std::numeric_limits<Time>::max();

class BadInputCheck {
 public:
  explicit BadInputCheck(const SchedulerSpec& spec) : spec_(spec) {}

  std::vector<std::string> run() && {
    check_tick();
    check_start();
    check_parameter();
    for (const Time tick :
         std::array<Time, 7>{2, 3, 10, 1000, Time{1} << 62, kLastTime - 1, kLastTime}) {
      check_deadlines(tick);
    }
    return std::move(faults_);
  }

 private:
  void check_tick() {
    for (const Time tick : {Time{0}, Time{-1}, std::numeric_limits<Time>::min()}) {
      must_refuse("tick", std::to_string(tick), "at least 1", [&] { spec_.make(tick, 0); });
    }
  }

  void check_start() {
    for (const Time start : {Time{5}, Time{-5}, Time{11}, Time{-1}, kLastTime}) {
      must_refuse("start", std::to_string(start), "a multiple of the tick, 10",
                  [&] { spec_.make(10, start); });
    }
  }

  void check_parameter() {
    const Parameter& parameter = spec_.family->info.parameter;
    const auto make_with = [this](std::uint32_t value) {
      spec_.family->make({.tick = 1, .start = 0}, value);
    };
    if (!parameter.exists()) {
      must_refuse("parameter", "2", "has none", [&] { make_with(2); });
      return;
    }
    constexpr std::uint32_t kLargest = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint32_t value :
         {std::uint32_t{0}, parameter.minimum - 1, parameter.minimum + 1, parameter.maximum - 1,
          parameter.maximum + 1, kLargest}) {
      if (parameter.allows(value)) continue;
      must_refuse(std::string(parameter.name), std::to_string(value), parameter.allowed_text(),
                  [&] { make_with(value); });
    }
  }

  /// Around the last deadline whose expiry, rounded up to a tick, fits into 64 bits.
  void check_deadlines(Time tick) {
    const Time last = kLastTime / tick * tick;
    const auto scheduler = spec_.make(tick, 0);
    const std::string where = "tick " + std::to_string(tick) + ": ";
    scheduler->schedule(1, last);
    scheduler->schedule(2, last);
    if (last < kLastTime) {
      for (const Time deadline : {last + 1, kLastTime}) {
        for (const JobId id : {JobId{1}, JobId{3}}) {  // One that is pending, one that is unknown.
          must_refuse("deadline", std::to_string(deadline), std::to_string(last),
                      [&] { scheduler->schedule(id, deadline); });
        }
      }
    }
    must_be(scheduler->pending() == 2, where + "a refused deadline changes pending");
    must_be(scheduler->now() == 0, where + "a refused deadline moves the clock");
    must_be(!scheduler->cancel(3), where + "a refused job is pending");
    const auto next = scheduler->next_expiry();
    const bool is_exact = spec_.family->capabilities.exact_next_expiry;
    must_be(next && (is_exact ? *next == last : *next <= last),
            where + "next_expiry is wrong after a refused deadline");
    scheduler->check_invariants();
    // Of two ties the one refused anew is still the first. Too far for a clock that walks there.
    if (!spec_.family->info.steps_every_tick) {
      const auto batch = scheduler->advance(kLastTime);
      must_be(batch.size() == 2 && batch[0] == 1 && batch[1] == 2,
              where + "a refused deadline changes what fires");
    }
  }

  void must_be(bool holds, const std::string& fault) {
    if (!holds) faults_.push_back(fault);
  }

  /// The action must throw std::invalid_argument that names the argument, its value and the bound.
  void must_refuse(const std::string& argument, const std::string& value, const std::string& bound,
                   const std::function<void()>& action) {
    const std::string input = argument + " " + value;
    try {
      action();
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      for (const std::string& part : {argument, value, bound}) {
        if (message.find(part) == std::string::npos) {
          faults_.push_back(input + ": the error does not say '" + part + "': " + message);
        }
      }
      return;
    } catch (const std::exception& error) {
      faults_.push_back(input + ": refused, but not as std::invalid_argument: " + error.what());
      return;
    }
    faults_.push_back(input + ": accepted; must be " + bound);
  }

  const SchedulerSpec& spec_;
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> check_bad_input(const SchedulerSpec& spec) {
  try {
    return BadInputCheck(spec).run();
  } catch (const std::exception& error) {
    return {"good input beside bad input: " + std::string(error.what())};
  }
}

}  // namespace timerbench::conformance
