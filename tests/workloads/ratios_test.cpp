// The numbers that make each workload what it says it is.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "caches.hpp"
#include "catch.hpp"
#include "support.hpp"

namespace timerbench::workloads {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

/// Calls visit(op, now) for each timed operation, with the time of the last advance before it.
template <class Visit>
void for_each_timed(const OpStream& stream, Visit visit) {
  Time now = stream.start;
  for (const Op& op : stream.ops) {
    if (op.kind == OpKind::kAdvance) now = op.time;
    visit(op, now);
  }
}

TEST_CASE("rpc_timeouts cancels 99.9 % of its timers") {
  const Outcome outcome = make("rpc_timeouts", 10'000, 1'000'000).outcome;
  CHECK(ratio(outcome.cancel_hits, outcome.schedules) == Approx(0.9990).margin(0.0003));
  CHECK(ratio(outcome.fired, outcome.schedules) == Approx(0.001).margin(0.0003));
  const Outcome half = make("rpc_timeouts{cancel=0.5,timeout=5s}", 10'000, 1'000'000).outcome;
  CHECK(ratio(half.cancel_hits, half.schedules) == Approx(0.5).margin(0.02));
}

TEST_CASE("rpc_timeouts has timeouts of four lengths, by the calls of their methods") {
  std::map<Time, std::uint64_t> timeouts;
  std::uint64_t calls = 0;
  for_each_timed(make("rpc_timeouts", 10'000, 200'000), [&](const Op& op, Time now) {
    if (op.kind != OpKind::kSchedule) return;
    ++timeouts[op.time - now];
    ++calls;
  });
  REQUIRE(timeouts.size() == 4);
  for (const Time timeout : {1'000, 5'000, 15'000, 30'000})
    CHECK(ratio(timeouts[timeout], calls) > 0.1);
}

TEST_CASE(
    "idle_sessions re-arms at almost every sign of life, and a fifth of its sessions are closed") {
  const Outcome outcome = make("idle_sessions", 1'000, 500'000).outcome;
  CHECK(ratio(outcome.reschedules, outcome.schedules + outcome.reschedules) > 0.95);
  CHECK(ratio(outcome.cancel_hits, outcome.cancel_hits + outcome.fired) ==
        Approx(0.2).margin(0.01));
}

TEST_CASE("idle_sessions has gaps of 5 s in the middle and 18 s at the third quartile") {
  // From the times of a session's signs of life, which are known to a step of 100 ms. Gaps that a
  // timeout ends are longer than a minute, so that they count as long ones.
  std::map<std::uint32_t, Time> last;
  std::vector<Time> gaps;
  for_each_timed(make("idle_sessions", 1'000, 500'000), [&](const Op& op, Time now) {
    if (op.kind == OpKind::kCancel || op.kind == OpKind::kReschedule) {
      if (const auto found = last.find(op.job); found != last.end())
        gaps.push_back(now - found->second);
    } else if (op.kind == OpKind::kSchedule) {
      if (last.contains(op.job)) gaps.push_back(60'000);
    } else {
      return;
    }
    last[op.job] = now;
  });
  std::sort(gaps.begin(), gaps.end());
  CHECK(static_cast<double>(gaps[gaps.size() / 2]) == Approx(5'000).epsilon(0.05));
  CHECK(static_cast<double>(gaps[gaps.size() * 3 / 4]) == Approx(18'000).epsilon(0.05));
}

TEST_CASE(
    "retry_fixed cancels a tenth of its retries, repeats 30 % of those that fire, up to three "
    "tries") {
  const OpStream stream = make("retry_fixed", 10'000, 1'000'000);
  CHECK(ratio(stream.outcome.cancel_hits, stream.outcome.schedules) == Approx(0.1).margin(0.005));
  // 1, 0.27 and 0.27^2 of the failures come to their first, second and third try; what an advance
  // fires and the same job number waits for once more is a repetition.
  const double repeated = 0.3 * (1 + 0.27) / (1 + 0.27 + 0.27 * 0.27);
  std::uint64_t repetitions = 0;
  bool after_advance = false;
  for_each_timed(stream, [&](const Op& op, Time now) {
    if (op.kind == OpKind::kAdvance) after_advance = true;
    // Only what an advance re-arms, and the fresh failures of an outage, have deadlines of whole
    // seconds.
    if (op.kind == OpKind::kSchedule && after_advance && op.time == now + 5'000) ++repetitions;
  });
  const double outage_failures = 0.2 * 10'000 / (1 + 0.27 + 0.27 * 0.27);
  const double outages = static_cast<double>(stream.ops.back().time) / 5'000;
  const double measured = (static_cast<double>(repetitions) - outages * outage_failures) /
                          static_cast<double>(stream.outcome.fired);
  CHECK(measured == Approx(repeated).margin(0.01));
}

TEST_CASE("retry_fixed fires a herd of a fifth of its jobs every five seconds") {
  constexpr std::uint64_t kPopulation = 10'000;
  const OpStream stream = make("retry_fixed", kPopulation, 100'000);
  Reference reference(stream);
  reference.replay(stream.preload);
  std::vector<std::uint64_t> fired;
  for (const Op& op : stream.ops) {
    const Outcome outcome = reference.replay({op});
    if (op.kind == OpKind::kAdvance) fired.push_back(outcome.fired);
  }
  REQUIRE(fired.size() > 10);
  // 90 % of a herd of 2,000 and of a second's share of the others, who are 8,000 and wait for 5 s.
  for (const std::size_t outage : {0u, 5u, 10u}) {
    CHECK(static_cast<double>(fired[outage]) == Approx(3'300).margin(200));
    CHECK(static_cast<double>(fired[outage + 1]) == Approx(1'500).margin(200));
  }
}

TEST_CASE("reminders are spread over a year and crowded on the full and the half hour") {
  const OpStream stream = make("reminders", 50'000, 1);
  constexpr Time kHour = 3'600'000;
  constexpr Time kDay = 24 * kHour;
  std::uint64_t on_the_hour = 0;
  std::uint64_t on_the_half = 0;
  std::uint64_t beyond_day = 0;
  std::uint64_t beyond_month = 0;
  for (const Op& op : stream.preload) {
    on_the_hour += static_cast<std::uint64_t>(op.time % kHour == 0);
    on_the_half += static_cast<std::uint64_t>(op.time % kHour == kHour / 2);
    beyond_day += static_cast<std::uint64_t>(op.time > kDay);
    beyond_month += static_cast<std::uint64_t>(op.time > 30 * kDay);
  }
  // Three quarters are hourly or rarer. Of the more frequent ones, the next is soon after the
  // start.
  CHECK(ratio(on_the_hour, 50'000) == Approx(0.75 * 0.50).margin(0.01));
  CHECK(ratio(on_the_half, 50'000) == Approx(0.75 * 0.15).margin(0.01));
  // Of 7, 30 and 365 days, all but the first day, and of 365 all but the first 30.
  CHECK(ratio(beyond_day, 50'000) ==
        Approx(0.15 * 6 / 7 + 0.08 * 29 / 30 + 0.02 * 364 / 365).margin(0.01));
  CHECK(ratio(beyond_month, 50'000) == Approx(0.02 * 335 / 365).margin(0.003));
}

TEST_CASE(
    "reminders edits and deletes a twentieth as many as fire, and every one that fires comes "
    "again") {
  const Outcome outcome = make("reminders", 1'000, 500'000).outcome;
  CHECK(ratio(outcome.reschedules, outcome.fired) == Approx(0.05).margin(0.005));
  CHECK(ratio(outcome.cancel_hits, outcome.fired) == Approx(0.05).margin(0.005));
  CHECK(outcome.schedules == outcome.fired + outcome.cancel_hits);
  CHECK(outcome.nexts == outcome.advances);
}

// ---------------------------------------------------------------------------- cache_ttl

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// "1.8h" in seconds, rounded: the table's digits do not go further.
double ttl_seconds(const std::string& text) {
  static const std::map<char, double> kUnits{{'s', 1}, {'m', 60}, {'h', 3'600}, {'d', 86'400}};
  return std::round(std::stod(text) * kUnits.at(text.back()));
}

/// The share of each time to live in all writes, derived from the carried table.
std::map<double, double> derive_mixture() {
  std::ifstream in(std::string(TIMERBENCH_TRACES_DIR) + "/twitter_cache_stat_2020Mar.md");
  REQUIRE(in);
  std::map<double, double> mixture;
  double total = 0;
  std::string line;
  while (std::getline(in, line)) {
    std::vector<std::string> columns = split(line, '|');
    if (columns.size() < 14) continue;
    for (std::string& column : columns) column = trimmed(column);
    const std::string& rate = columns[6];
    const std::string& ttls = columns[10];
    if (columns[1].rfind("cluster", 0) != 0 || columns[1] == "cluster" || rate == "N/A" ||
        ttls == "N/A") {
      continue;
    }
    double writes = 0;
    for (const std::string& operation : split(columns[13], ' ')) {
      const std::vector<std::string> name_and_share = split(operation, ':');
      if (name_and_share.size() != 2) continue;
      for (const char* write : {"set", "add", "cas", "replace", "append", "prepend"}) {
        if (name_and_share[0] == write) writes += std::stod(name_and_share[1]);
      }
    }
    std::vector<std::array<double, 2>> shares;
    double listed = 0;
    for (const std::string& item : split(ttls, ',')) {
      const std::vector<std::string> ttl_and_share = split(trimmed(item), ':');
      if (ttl_and_share.size() != 2) continue;
      shares.push_back({ttl_seconds(ttl_and_share[0]), std::stod(ttl_and_share[1])});
      listed += shares.back()[1];
    }
    for (const auto& [seconds, share] : shares) {
      // Only the common ones are listed: the others are taken to be like them.
      const double weight = std::stod(rate) * writes * share / listed;
      mixture[seconds] += weight;
      total += weight;
    }
  }
  for (auto& [seconds, share] : mixture) share /= total;
  return mixture;
}

TEST_CASE("cache_ttl's mixture is what the carried table of Twitter's caches gives") {
  std::map<double, double> derived = derive_mixture();
  std::erase_if(derived, [](const auto& one) { return one.second == 0; });
  const std::span<const TtlShare> mixture = twitter_ttl_mixture();
  REQUIRE(mixture.size() == derived.size());
  std::size_t i = 0;
  for (const auto& [seconds, share] : derived) {
    CHECK(mixture[i].seconds == seconds);
    CHECK(mixture[i].millionths == Approx(share * 1e6).margin(0.51));
    ++i;
  }
}

TEST_CASE("cache_ttl's writes have the quantiles of Twitter's, and 30 % of them overwrite") {
  const OpStream stream = make("cache_ttl", 10'000, 400'000);
  std::vector<Time> ttls;
  for_each_timed(stream, [&](const Op& op, Time now) {
    if (op.kind != OpKind::kSchedule && op.kind != OpKind::kReschedule) return;
    ttls.push_back(floor_div(op.time - now, 1'000));  // The write came within the second after now.
  });
  std::sort(ttls.begin(), ttls.end());
  const auto quantile = [&](double u) {
    return ttls[static_cast<std::size_t>(u * static_cast<double>(ttls.size()))];
  };
  CHECK(quantile(0.50) == 23 * 60);
  CHECK(quantile(0.75) == 8 * 3'600);
  CHECK(quantile(0.90) == 86'400);
  CHECK(quantile(0.99) == 8'000'640);  // 92.6 days
  const auto share_above = [&](Time seconds) {
    const auto above = ttls.end() - std::upper_bound(ttls.begin(), ttls.end(), seconds);
    return static_cast<double>(above) / static_cast<double>(ttls.size());
  };
  CHECK(share_above(3'600) == Approx(0.43).margin(0.01));
  CHECK(1 - share_above(60) == Approx(0.38).margin(0.01));

  const Outcome& outcome = stream.outcome;
  CHECK(ratio(outcome.reschedules, ttls.size()) == Approx(0.3).margin(0.01));
  CHECK(ratio(outcome.cancel_hits, ttls.size()) == Approx(0.02).margin(0.002));
  CHECK(ratio(outcome.fired, ttls.size()) == Approx(0.68).margin(0.01));
}

// ---------------------------------------------------------------------------- the others

TEST_CASE("far_horizon cancels half of its jobs, and its delays have every magnitude") {
  const OpStream stream = make("far_horizon", 1'000, 200'000);
  CHECK(ratio(stream.outcome.cancel_hits, stream.outcome.schedules) == Approx(0.5).margin(0.01));
  std::array<std::uint64_t, 12> decades{};
  for_each_timed(stream, [&](const Op& op, Time now) {
    if (op.kind != OpKind::kSchedule) return;
    std::size_t decade = 0;
    for (Time delay = op.time - now; delay >= 10; delay /= 10) ++decade;
    ++decades.at(decade);
  });
  const double per_decade = 1 / std::log10(365.0 * 24 * 3'600 * 1'000);
  for (std::size_t decade = 0; decade < 10; ++decade) {
    CHECK(ratio(decades[decade], stream.outcome.schedules) == Approx(per_decade).margin(0.01));
  }
}

TEST_CASE(
    "hold_exponential has increments of 1000 ticks on average, and as many wait as are scheduled") {
  const OpStream stream = make("hold_exponential", 2'000, 200'000);
  double sum = 0;
  for_each_timed(stream, [&](const Op& op, Time now) {
    if (op.kind == OpKind::kSchedule) sum += static_cast<double>(op.time - now);
  });
  CHECK(sum / static_cast<double>(stream.outcome.schedules) == Approx(1'000.5).epsilon(0.02));
  // In a steady state, N jobs of mean 1000 fire at a rate of N / 1000.
  CHECK(ratio(stream.outcome.fired, stream.outcome.advances) == Approx(2).epsilon(0.02));
  CHECK(stream.outcome.schedules == stream.outcome.fired);
}

TEST_CASE("sparse sleeps from job to job, and once for 30 days") {
  const OpStream stream = make("sparse", 10, 20'000);
  Time last = 0;
  Time longest = 0;
  for_each_timed(stream, [&](const Op&, Time now) {
    longest = std::max(longest, now - last);
    last = now;
  });
  CHECK(longest >= Time{30} * 24 * 3'600 * 1'000);
  CHECK(stream.outcome.nexts == stream.outcome.advances);
  CHECK(stream.outcome.fired >= stream.outcome.advances);
}

TEST_CASE("sparse can be told of an hour, and never to oversleep") {
  const OpStream stream = make("sparse{shortest=30m,longest=90m,oversleep=0}", 100, 20'000);
  constexpr Time kMinute = 60'000;
  Time shortest = 1'000 * kMinute;
  Time longest = 0;
  double sum = 0;
  Time last = 0;
  Time longest_sleep = 0;
  for_each_timed(stream, [&](const Op& op, Time now) {
    longest_sleep = std::max(longest_sleep, now - last);
    last = now;
    if (op.kind != OpKind::kSchedule) return;
    shortest = std::min(shortest, op.time - now);
    longest = std::max(longest, op.time - now);
    sum += static_cast<double>(op.time - now);
  });
  CHECK(shortest >= 30 * kMinute);
  CHECK(longest <= 90 * kMinute);
  // Log-uniform: the mean is the width over the logarithm of the ratio.
  CHECK(sum / static_cast<double>(stream.outcome.schedules) ==
        Approx(60.0 * kMinute / std::log(3.0)).epsilon(0.02));
  CHECK(longest_sleep < 30 * kMinute);
}

TEST_CASE("fill_and_drain schedules N jobs, a tick each on average, and fires them tick by tick") {
  constexpr std::uint64_t kPopulation = 1'000;
  const OpStream stream = make("fill_and_drain", kPopulation, 20'000);
  CHECK(stream.preload.empty());
  CHECK(stream.pending_peak == kPopulation);
  CHECK(stream.pending_before == 0);
  CHECK(stream.pending_after == 0);
  CHECK(stream.outcome.schedules == stream.outcome.fired);
  CHECK(stream.outcome.schedules % kPopulation == 0);
  CHECK(ratio(stream.outcome.advances, stream.outcome.schedules) == Approx(1).margin(0.01));
  // Within a round, no two neighbours in the stream are often neighbours in memory or in time.
  Time last = 0;
  double delays = 0;
  std::uint64_t neighbours = 0;
  for (std::size_t i = 0; i < stream.ops.size(); ++i) {
    const Op& op = stream.ops[i];
    if (op.kind == OpKind::kAdvance) {
      CHECK(op.time == last + 1);
      last = op.time;
      continue;
    }
    delays += static_cast<double>(op.time - last);
    if (i > 0 && op.job == stream.ops[i - 1].job + 1) ++neighbours;
  }
  CHECK(delays / static_cast<double>(stream.outcome.schedules) == Approx(500.5).epsilon(0.02));
  CHECK(ratio(neighbours, stream.outcome.schedules) < 0.01);

  const Outcome crowded = make("fill_and_drain{horizon=10}", kPopulation, 20'000).outcome;
  CHECK(crowded.advances * kPopulation == crowded.schedules * 10);
}

TEST_CASE("ties has few deadlines, and cancels the share that it says of each burst") {
  const OpStream stream = make("ties{cancel=0.5}", 1'000, 20'000);
  std::map<Time, int> deadlines;
  for (const Op& op : stream.preload) ++deadlines[op.time];
  CHECK(deadlines.size() == 4);
  CHECK(stream.outcome.cancel_hits == stream.outcome.fired);
  CHECK(make("ties", 1'000, 20'000).outcome.cancel_hits == 0);
}

TEST_CASE("cancel_share cancels the share that it is told to") {
  for (const double share : {0.0, 0.25, 0.9, 1.0}) {
    const Outcome outcome =
        make("cancel_share{cancel=" + std::to_string(share) + "}", 1'000, 200'000).outcome;
    CHECK(ratio(outcome.cancel_hits, outcome.cancel_hits + outcome.fired) ==
          Approx(share).margin(0.01));
  }
}

TEST_CASE("horizon's delays are uniform up to it, from the first job on") {
  const OpStream stream = make("horizon{horizon=1M}", 10'000, 100'000);
  // A waiting job's remaining delay x has the density (1 - x / H) 2 / H: a third of H on average.
  double sum = 0;
  for (const Op& op : stream.preload) sum += static_cast<double>(op.time);
  CHECK(sum / 10'000 == Approx(1e6 / 3).epsilon(0.02));
  double delays = 0;
  for_each_timed(stream, [&](const Op& op, Time now) {
    if (op.kind == OpKind::kSchedule) delays += static_cast<double>(op.time - now);
  });
  CHECK(delays / static_cast<double>(stream.outcome.schedules) == Approx(5e5).epsilon(0.02));
}

TEST_CASE("empty_ticks fires one job an advance, gap ticks after the last") {
  const OpStream stream = make("empty_ticks{gap=50}", 10, 300);
  CHECK(stream.outcome.fired == stream.outcome.advances);
  CHECK(stream.ops[0].time == 50);
  CHECK(stream.ops[2].time == 100);
}

}  // namespace
}  // namespace timerbench::workloads
