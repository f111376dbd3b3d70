// Are the draws what they say? All seeds are fixed, so these tests cannot fail by chance: they
// failed or passed once and for all when they were written. The bounds are those of a test at the
// 0.1 % level.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "catch.hpp"
#include "generator.hpp"
#include "random.hpp"
#include "support.hpp"

namespace timerbench::workloads {
namespace {

constexpr std::size_t kDraws = 50'000;

/// Kolmogorov and Smirnov's statistic, scaled so that 1.95 is its 99.9 % quantile.
double distance(const std::function<double(Random&)>& draw,
                const std::function<double(double)>& cdf) {
  Random random(7);
  std::vector<double> values(kDraws);
  for (double& value : values) value = draw(random);
  std::sort(values.begin(), values.end());
  double worst = 0;
  for (std::size_t i = 0; i < kDraws; ++i) {
    const double expected = cdf(values[i]);
    worst = std::max({worst, static_cast<double>(i + 1) / kDraws - expected,
                      expected - static_cast<double>(i) / kDraws});
  }
  return worst * std::sqrt(static_cast<double>(kDraws));
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

/// Chi-square of counts against probabilities, as a standard normal (Wilson and Hilferty).
double chi_square_as_normal(const std::vector<double>& counts,
                            const std::vector<double>& probabilities) {
  const double draws = std::accumulate(counts.begin(), counts.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = draws * probabilities[i];
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  const double freedom = static_cast<double>(counts.size() - 1);
  const double variance = 2 / (9 * freedom);
  return (std::cbrt(sum / freedom) - (1 - variance)) / std::sqrt(variance);
}

TEST_CASE("the engine is the standard's, to the bit") {
  Random random(5489);
  for (int i = 0; i < 9999; ++i) random.bits();
  CHECK(random.bits() == 9981545732273789042u);  // [rand.predef]
}

TEST_CASE("draws follow their distributions") {
  CHECK(distance([](Random& r) { return r.uniform(); }, [](double x) { return x; }) < 1.95);
  CHECK(distance([](Random& r) { return r.uniform_open(); }, [](double x) { return x; }) < 1.95);
  CHECK(distance([](Random& r) { return r.exponential(3); },
                 [](double x) { return 1 - std::exp(-x / 3); }) < 1.95);
  CHECK(distance([](Random& r) { return r.log_normal(10, 1.3); },
                 [](double x) { return normal_cdf(std::log(x / 10) / 1.3); }) < 1.95);
  CHECK(distance([](Random& r) { return r.pareto(18, 1.2); },
                 [](double x) { return 1 - std::pow(18 / x, 1.2); }) < 1.95);
  CHECK(distance([](Random& r) { return r.log_uniform(1, 1e9); },
                 [](double x) { return std::log(x) / std::log(1e9); }) < 1.95);
}

TEST_CASE("a wrong distribution is noticed") {
  CHECK(distance([](Random& r) { return r.exponential(3.1); },
                 [](double x) { return 1 - std::exp(-x / 3); }) > 1.95);
}

TEST_CASE("integers below a bound are equally likely") {
  Random random(3);
  std::vector<double> counts(7);
  for (std::size_t i = 0; i < kDraws; ++i) ++counts[random.below(7)];
  CHECK(std::fabs(chi_square_as_normal(counts, std::vector<double>(7, 1.0 / 7))) < 3.3);
  CHECK(random.below(1) == 0);
  // Half of 2^64, plus one: a modulo without rejection would draw the low numbers twice as often.
  const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;
  int low = 0;
  for (int i = 0; i < 10'000; ++i) low += static_cast<int>(random.below(bound) < bound / 2);
  CHECK(std::abs(low - 5'000) < 165);
}

TEST_CASE(
    "Zipf's law: each rank by its weight, and the top ten methods of rpc_timeouts are 58 % of "
    "calls") {
  std::vector<double> weights = zipf_weights(100, 1.0245);
  const WeightedChoice choice(weights);
  for (double& weight : weights) weight /= choice.total();
  Random random(4);
  std::vector<double> counts(100);
  for (std::size_t i = 0; i < kDraws; ++i) ++counts[choice.draw(random)];
  CHECK(std::fabs(chi_square_as_normal(counts, weights)) < 3.3);
  CHECK(std::accumulate(weights.begin(), weights.begin() + 10, 0.0) == Approx(0.58).margin(0.001));
}

TEST_CASE("a weighted choice never draws what has no weight, at either end") {
  const std::vector<double> weights{0, 2, 0, 1, 0};
  const WeightedChoice choice(weights);
  CHECK(choice.at(0) == 1);
  CHECK(choice.at(0.66) == 1);
  CHECK(choice.at(0.67) == 3);
  CHECK(choice.at(1 - 0x1p-53) == 3);
}

TEST_CASE("a shuffle reaches every order equally often") {
  Random random(5);
  std::vector<double> counts(6);
  for (int i = 0; i < 6'000; ++i) {
    std::vector<int> order{0, 1, 2};
    random.shuffle(order);
    ++counts[static_cast<std::size_t>(order[0] * 2 + (order[1] > order[2] ? 1 : 0))];
  }
  CHECK(std::fabs(chi_square_as_normal(counts, std::vector<double>(6, 1.0 / 6))) < 3.3);
}

TEST_CASE("jobs one meets: exponential lifetimes have no memory, and the mean is that at birth") {
  // Cut off far out, since a table needs a bound.
  const LifeTable table([](double u) { return std::min(exponential_quantile(u, 10), 200.0); });
  CHECK(table.mean() == Approx(10).epsilon(0.001));
  const auto remaining = [&](Random& random) {
    const LifeTable::Found found = table.draw(random);
    return found.lifetime - found.age;
  };
  CHECK(distance(remaining, [](double x) { return 1 - std::exp(-x / 10); }) < 1.95);
  CHECK(distance([&](Random& random) { return table.draw(random).age; },
                 [](double x) { return 1 - std::exp(-x / 10); }) < 1.95);
}

TEST_CASE("the queue of events sorts by time, and equal times by the order in which they came") {
  struct Event {
    double time;
    int number;
  };
  Random random(6);
  EventQueue<Event> queue;
  std::vector<Event> expected;
  int number = 0;
  double now = 0;
  const auto add = [&] {
    // Coarse, so that there are many ties, with each other and with the present.
    const double time = now + static_cast<double>(random.below(50)) * 0.25;
    queue.add(time, {time, number});
    expected.push_back({time, number++});
  };
  for (int i = 0; i < 100; ++i) add();
  for (int step = 0; step < 20'000; ++step) {
    const auto first =
        std::min_element(expected.begin(), expected.end(), [](const Event& a, const Event& b) {
          return a.time != b.time ? a.time < b.time : a.number < b.number;
        });
    REQUIRE(queue.next_time() == first->time);
    const Event event = queue.take();
    REQUIRE(event.number == first->number);
    now = event.time;
    expected.erase(first);
    // Both growing and shrinking, down to nothing.
    for (std::uint64_t more = random.below(step % 1000 < 500 ? 3 : 2); more > 0; --more) add();
    REQUIRE(queue.empty() == expected.empty());
    if (queue.empty()) add();
  }
}

}  // namespace
}  // namespace timerbench::workloads
