#include "conformance/walk.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>

#include "conformance/model.hpp"

namespace timerbench::conformance {

namespace {

constexpr Time kFirstTime = std::numeric_limits<Time>::min();
constexpr Time kLastTime = std::numeric_limits<Time>::max();
constexpr Int128 kLongestShortJump = 100'000;
constexpr Int128 kUsualShortJump = 500;

/// The expected answers, from two sources that have to agree.
class Oracle {
 public:
  explicit Oracle(const VectorCase& header) : model_(header) {
    const SchedulerSpec reference{find_family("scan_list"), 0};
    if (reference.family == nullptr) throw std::logic_error("scan_list, the reference, is missing");
    reference_ = reference.make(header.tick, header.start);
  }

  Answer answer(const Operation& operation) {
    Answer answer = model_.answer(operation);
    if (std::holds_alternative<Where>(operation) || std::holds_alternative<Levels>(operation)) {
      return answer;  // A list has no wheels.
    }
    const Answer reference_answer = ask(*reference_, operation);
    if (reference_answer != answer) {
      throw std::logic_error("the reference disagrees with the model: " + to_text(operation) +
                             ": model " + to_text(answer) + ", scan_list " +
                             to_text(reference_answer));
    }
    return answer;
  }

  const Model& model() const { return model_; }

 private:
  Model model_;
  std::unique_ptr<AnyScheduler> reference_;
};

/// Integer draws that are the same everywhere; the standard's distributions are not.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : engine_(seed) {}

  /// 0 ... count - 1. The remainder's bias does not matter here.
  std::uint64_t below(std::uint64_t count) { return engine_() % count; }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  bool percent(std::uint64_t chance) { return below(100) < chance; }

  template <class Choices>
  auto one_of(const Choices& choices) {
    return choices[below(std::size(choices))];
  }

 private:
  std::mt19937_64 engine_;
};

/// Makes one case.
class CaseMaker {
 public:
  CaseMaker(std::uint64_t seed, Jumps jumps)
      : draws_(seed), jumps_(jumps), case_(header(seed)), oracle_(case_) {
    horizon_bits_ = draws_.one_of(std::array{4, 8, 12, 16, 20, 32, 40, 62});
    goes_far_ = draws_.percent(25);
    // Mostly few jobs, so that their boundaries meet; now and then enough to fill slots and heaps.
    const bool is_large = draws_.percent(6);
    id_count_ = is_large ? 400 : draws_.one_of(std::array<std::uint64_t, 4>{3, 8, 20, 50});
    length_ = is_large ? 1500 : 20 + draws_.below(200);
    schedule_percent_ = is_large ? 60 : 45;
  }

  VectorCase make() && {
    for (std::uint64_t i = 0; i < length_; ++i) {
      Step step;
      step.operation = operation();
      step.expected = oracle_.answer(step.operation);
      case_.steps.push_back(std::move(step));
    }
    return std::move(case_);
  }

 private:
  VectorCase header(std::uint64_t seed) {
    VectorCase header;
    header.name = (jumps_ == Jumps::kShort ? "short-walk-" : "walk-") + std::to_string(seed);
    header.tick = draws_.one_of(std::array<Time, 5>{1, 2, 3, 10, 1000});
    header.wheel_size =
        draws_.one_of(std::array<std::uint32_t, 9>{2, 3, 4, 7, 8, 20, 64, 256, 512});
    // Truncated towards zero, so that it is a multiple of the tick and still fits into 64 bits.
    header.start = start(header) / header.tick * header.tick;
    return header;
  }

  Time start(const VectorCase& header) {
    const Time turn = header.tick * header.wheel_size;
    switch (draws_.below(10)) {
      case 0:
        return turn * draws_.between(-2, 2) + header.tick * draws_.between(-2, 2);
      case 1:
        return turn * header.wheel_size + header.tick * draws_.between(-2, 2);
      case 2:
        return (Time{1} << 36) + header.tick * draws_.between(-1, 1);
      case 3:
        return 1'700'000'000'000'000'000 + draws_.between(0, 100'000);
      case 4:
        return -1'700'000'000'000'000'000 - draws_.between(0, 100'000);
      case 5:
        return draws_.between(-100'000, 100'000);
      case 6:
        return draws_.percent(50) ? kFirstTime + draws_.between(0, 10'000)
                                  : kLastTime - draws_.between(0, 1'000'000);
      default:
        return 0;
    }
  }

  Operation operation() {
    if (draws_.percent(schedule_percent_)) {
      last_scheduled_ = any_id();
      return Schedule{last_scheduled_, deadline()};
    }
    switch (draws_.below(12)) {
      case 0:
      case 1:
        return Cancel{known_id()};
      case 2:
      case 3:
        return Where{known_id()};
      case 4:
        return Levels{};
      case 5:
        return Pending{};
      case 6:
        return Next{};
      default:
        return Advance{now()};
    }
  }

  /// The extreme ids are among the first two, so nearly every case has them.
  JobId any_id() {
    const std::uint64_t number = draws_.below(id_count_);
    return number == 1 ? std::numeric_limits<JobId>::max() : number;
  }

  /// One that is often pending: where there are many, a random one seldom is.
  JobId known_id() { return draws_.percent(40) ? last_scheduled_ : any_id(); }

  Time deadline() {
    if (!recent_deadlines_.empty() && draws_.percent(25)) {
      const Time tie = draws_.one_of(recent_deadlines_);
      return clamp_deadline(Int128{tie} + (draws_.percent(70) ? 0 : draws_.between(-1, 1)));
    }
    const Time fresh =
        clamp_deadline(goes_far_ && draws_.percent(5) ? extreme_time() : near_time());
    if (recent_deadlines_.size() == 8) recent_deadlines_.erase(recent_deadlines_.begin());
    recent_deadlines_.push_back(fresh);
    return fresh;
  }

  Time now() {
    const Int128 current = oracle_.model().current_tick() * case_.tick;
    Int128 now = current;
    const std::uint64_t kind = draws_.below(100);
    const auto next = oracle_.model().next_expiry();
    if (kind < 30 && next) {
      now = Int128{*next} + draws_.one_of(std::array<Time, 4>{0, 0, -1, case_.tick - 1});
    } else if (kind < 45) {
      now = current + case_.tick;
    } else if (kind < 55) {
      now = current - draws_.one_of(std::array<Time, 4>{0, 1, case_.tick, 1'000'000});
    } else if (goes_far_ && kind < 57) {
      now = extreme_time();
    } else {
      now = near_time();
    }
    if (jumps_ == Jumps::kShort) {
      const Int128 longest = draws_.percent(3) ? kLongestShortJump : kUsualShortJump;
      now = std::min(now, current + longest * case_.tick);
    }
    return static_cast<Time>(std::clamp(now, Int128{kFirstTime}, Int128{kLastTime}));
  }

  /// A time at, or a little beside, a tick where something changes for a wheel.
  Int128 near_time() {
    const Time last = case_.tick - 1;
    const std::array<Time, 6> offsets{0, 0, -1, 1, -last, last};
    const Time offset = draws_.percent(90) ? draws_.one_of(offsets) : draws_.between(-last, last);
    return near_tick() * case_.tick + offset;
  }

  Int128 near_tick() {
    const Int128 current = oracle_.model().current_tick();
    const Time size = case_.wheel_size;
    switch (draws_.below(8)) {
      case 0:
      case 1: {
        const std::array<Time, 12> steps{
            0, -1, -5, 1, 2, size - 1, size, size + 1, 2 * size, size - 2, 2 * size + 1, 3 * size};
        return current + draws_.one_of(steps);
      }
      case 2:
      case 3: {  // Where the slots of an overflow wheel begin, this turn, the next or the last.
        const Int128 span = power_of_size();
        return (floor_div128(current, span) + slots_ahead()) * span + draws_.between(-1, 1);
      }
      case 4:  // As far ahead as such a slot is long.
        return current + slots_ahead() * power_of_size() + draws_.between(-1, 1);
      case 5:
      case 6:
        return current + draws_.between(0, 3 * size);
      default:  // Every order of magnitude is as likely.
        return current + draws_.between(0, (Time{1} << draws_.below(horizon_bits())) - 1);
    }
  }

  std::uint64_t horizon_bits() const { return static_cast<std::uint64_t>(horizon_bits_); }

  Time slots_ahead() {
    const Time size = case_.wheel_size;
    return draws_.one_of(
        std::array<Time, 6>{1, 1, size - 1, size, size + 1, draws_.between(1, size)});
  }

  /// W^k for some k >= 1, within the case's horizon where that leaves any.
  Int128 power_of_size() {
    const Int128 size = case_.wheel_size;
    std::uint64_t powers = 1;
    for (Int128 span = size * size; span <= Int128{1} << horizon_bits_; span *= size) ++powers;
    Int128 span = size;
    for (std::uint64_t k = draws_.below(powers); k > 0; --k) span *= size;
    return span;
  }

  Int128 extreme_time() {
    switch (draws_.below(4)) {
      case 0:
        return Int128{kLastTime} - draws_.between(0, 3 * case_.tick);
      case 1:
        return Int128{kFirstTime} + draws_.between(0, 3 * case_.tick);
      default: {
        const Int128 power = Int128{1} << (40 + draws_.below(23));
        return (draws_.percent(75) ? power : -power) + draws_.between(-1, 1);
      }
    }
  }

  /// Into the deadlines whose expiry can be represented: others are no matter for a vector.
  Time clamp_deadline(Int128 deadline) const {
    const Int128 last = kLastTime / case_.tick * case_.tick;
    return static_cast<Time>(std::clamp(deadline, Int128{kFirstTime}, last));
  }

  Draws draws_;
  Jumps jumps_;
  VectorCase case_;
  Oracle oracle_;
  int horizon_bits_ = 0;  ///< How far deadlines usually lie ahead, in ticks.
  bool goes_far_ = false;
  std::uint64_t id_count_ = 0;
  std::uint64_t length_ = 0;
  std::uint64_t schedule_percent_ = 0;
  JobId last_scheduled_ = 0;
  std::vector<Time> recent_deadlines_;
};

/// Delta debugging: drops operations as long as the rest still fails, in ever smaller pieces.
class Shrinker {
 public:
  Shrinker(const SchedulerSpec& spec, const VectorCase& failing, Difference difference)
      : spec_(spec), smallest_(failing), difference_(std::move(difference)) {}

  /// A scheduler that fails only now and then may leave the case as it is.
  WalkFailure shrink() && {
    std::size_t piece = smallest_.steps.size();
    while (piece > 0) {
      bool dropped_any = false;
      for (std::size_t begin = 0; begin < smallest_.steps.size();) {
        dropped_any |= drop(begin, piece);
        if (!dropped_here_) begin += piece;
      }
      // Single operations may become superfluous through each other: until none is.
      if (piece > 1 || !dropped_any) piece /= 2;
    }
    WalkFailure failure;
    failure.difference = std::move(difference_);
    failure.shrunk = std::move(smallest_);
    return failure;
  }

 private:
  bool drop(std::size_t begin, std::size_t count) {
    const auto& steps = smallest_.steps;
    std::vector<Step> rest(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(begin));
    const std::size_t end = std::min(begin + count, steps.size());
    rest.insert(rest.end(), steps.begin() + static_cast<std::ptrdiff_t>(end), steps.end());
    dropped_here_ = !rest.empty() && try_steps(std::move(rest));
    return dropped_here_;
  }

  /// Keeps the steps, with the answers that they now must get, if the scheduler still fails.
  bool try_steps(std::vector<Step> steps) {
    VectorCase candidate = smallest_;
    candidate.steps = std::move(steps);
    Oracle oracle(candidate);
    for (Step& step : candidate.steps) step.expected = oracle.answer(step.operation);
    CaseResult result = replay(spec_, candidate, Invariants::kEachStep);
    if (!result.failed()) return false;
    difference_ = std::move(*result.difference);
    smallest_ = std::move(candidate);
    return true;
  }

  const SchedulerSpec& spec_;
  VectorCase smallest_;
  Difference difference_;
  bool dropped_here_ = false;
};

}  // namespace

VectorCase walk_case(std::uint64_t seed, Jumps jumps) { return CaseMaker(seed, jumps).make(); }

std::string to_text(const WalkFailure& failure) {
  return to_text(failure.difference, "walk of seed " + std::to_string(failure.seed)) + "\n\n# " +
         std::to_string(failure.operations) + " operations of seed " +
         std::to_string(failure.seed) + ", shrunk\n" + to_text(failure.shrunk);
}

WalkReport walk(const SchedulerSpec& spec, const WalkOptions& options) {
  const Jumps jumps = spec.family->info.steps_every_tick ? Jumps::kShort : Jumps::kAny;
  WalkReport report;
  for (std::uint64_t seed = options.first_seed; report.operations < options.operations; ++seed) {
    const VectorCase vector_case = walk_case(seed, jumps);
    const CaseResult result = replay(spec, vector_case, Invariants::kEachStep);
    ++report.cases;
    report.operations += vector_case.steps.size();
    if (result.skipped()) continue;
    if (result.failed()) {
      report.failure = Shrinker(spec, vector_case, *result.difference).shrink();
      report.failure->seed = seed;
      report.failure->operations = vector_case.steps.size();
      break;
    }
  }
  return report;
}

}  // namespace timerbench::conformance
