// Reminders and cron jobs: loaded at once, spread over a year, and crowded on the full hour.
#include <array>

#include "generator.hpp"
#include "generators.hpp"

namespace timerbench::workloads {

namespace {

constexpr WorkloadParameter kParameters[] = {
    {"edit", 0.05, 0, 1, "reminders moved to another time, for each that fires"},
    {"delete", 0.05, 0, 1, "reminders deleted and replaced by new ones, for each that fires"},
};

constexpr Time kSecond = 1'000;  // ms, and the tick
constexpr Time kHour = 3'600;    // s, as all below
constexpr Time kDay = 24 * kHour;

struct Period {
  Time seconds;
  double share;
};

// 40 % every few minutes or hourly, 35 % daily, 15 % weekly, 8 % monthly, 2 % yearly: assumptions,
// as is how the first group divides. Months of 30 and years of 365 days will do.
constexpr std::array<Period, 8> kPeriods{{
    {60, 0.05},
    {5 * 60, 0.10},
    {15 * 60, 0.10},
    {kHour, 0.15},
    {kDay, 0.35},
    {7 * kDay, 0.15},
    {30 * kDay, 0.08},
    {365 * kDay, 0.02},
}};

// People and crontabs like round times (assumption).
constexpr double kOnTheHour = 0.50;
constexpr double kOnTheHalfHour = 0.15;

struct Reminder {
  Time period;
  Time first;

  /// The first occurrence after `now`, all in seconds.
  Time next(Time now) const { return first + (floor_div(now - first, period) + 1) * period; }
};

Reminder draw_reminder(Random& random, const WeightedChoice& periods) {
  const Time period = kPeriods[periods.draw(random)].seconds;
  // Hourly jobs, and more frequent ones, take their minute from an hour; the others from their
  // period.
  Time first = static_cast<Time>(random.below(static_cast<std::uint64_t>(std::max(period, kHour))));
  const double roundness = random.uniform();
  if (roundness < kOnTheHour) {
    first -= first % kHour;
  } else if (roundness < kOnTheHour + kOnTheHalfHour) {
    first += kHour / 2 - first % kHour;
  }
  return {period, first};
}

/// The process sleeps until the next expiry, advances to it, and lets every reminder that fires
/// wait for its next occurrence.
OpStream make_reminders(const WorkloadRequest& request) {
  const double edited = parameter(request, "edit");
  const double deleted = parameter(request, "delete");
  std::array<double, kPeriods.size()> shares;
  std::transform(kPeriods.begin(), kPeriods.end(), shares.begin(),
                 [](const Period& period) { return period.share; });
  const WeightedChoice periods(shares);

  Random random(request.seed);
  StreamBuilder stream(request.name, settings(request, kSecond));
  std::vector<Reminder> reminders(request.population);
  const auto schedule = [&](JobNumber job, Time now) {
    stream.schedule(job, reminders[job].next(now / kSecond) * kSecond);
  };
  for (Reminder& reminder : reminders) {
    reminder = draw_reminder(random, periods);
    schedule(stream.acquire(), 0);
  }
  stream.begin_timed();
  while (stream.timed_operations() < request.min_ops) {
    const Time now = *stream.next();
    const std::span<const JobNumber> fired = stream.advance(now);
    for (const JobNumber job : fired) schedule(job, now);
    // Only when all are pending again: a change may hit one of those that have just fired.
    for (std::size_t i = 0; i < fired.size(); ++i) {
      const bool edit = random.chance(edited);
      const bool erase = random.chance(deleted);
      if (edit) {
        const auto job = static_cast<JobNumber>(random.below(reminders.size()));
        const Time period = reminders[job].period;
        reminders[job].first += static_cast<Time>(random.below(static_cast<std::uint64_t>(period)));
        schedule(job, now);
      }
      if (erase) {
        const auto job = static_cast<JobNumber>(random.below(reminders.size()));
        stream.cancel(job);
        reminders[job] = draw_reminder(random, periods);
        schedule(job, now);
      }
    }
  }
  return std::move(stream).finish();
}

}  // namespace

constinit const Workload kReminders{
    .name = "reminders",
    .summary = "cron jobs and reminders, minutes to a year apart, crowded on :00 and :30; all fire",
    .kind = WorkloadKind::kSynthetic,
    .parameters = kParameters,
    .make = make_reminders,
};

}  // namespace timerbench::workloads
