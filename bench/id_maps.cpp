// What looking a job up by its id costs, with one map or another: id_maps [--population N]...
//
// Replays streams on the default wheel by handle and, over each map, by id, and prints the medians
// and how much of an operation by id is the map's. All rows of a stream take turns, so that whatever
// the machine does meanwhile meets all of them. Exit status: 0 measured, 1 a row did other work than
// its stream says, 2 bad input.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <boost/unordered_map.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <random>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "memory_policy.hpp"
#include "progress.hpp"
#include "subject_passes.hpp"
#include "timerbench/dense_id_map.hpp"
#include "timerbench/schedulers/lazy_wheel.hpp"
#include "workload.hpp"

namespace {

using namespace timerbench;
using namespace timerbench::bench;

constexpr std::uint32_t kWheel = LazyWheelFamily::kInfo.parameter.default_value;

template <class Map, bool kDense = false>
using ById = IdLevel<LazyWheel<>, Map, kDense>;

struct Way {
  std::string_view name;
  TimedReplay (*replay)(const Request& request);
};

const std::array<Way, 6> kWays{{
    {"by handle, no map", timed_pass<HandleLevel<LazyWheel<>>>},
    {"absl::flat_hash_map", timed_pass<ById<absl::flat_hash_map<JobId, JobIndex>>>},
    {"std::unordered_map", timed_pass<ById<std::unordered_map<JobId, JobIndex>>>},
    {"boost::unordered_map", timed_pass<ById<boost::unordered_map<JobId, JobIndex>>>},
    {"absl::flat_hash_map, dense", timed_pass<ById<absl::flat_hash_map<JobId, JobIndex>, true>>},
    {"DenseIdMap, dense", timed_pass<ById<DenseIdMap, true>>},
}};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/// Prints a stream's rows. Returns whether each did the stream's work.
bool measure(const workloads::WorkloadSpec& workload, std::uint64_t population, int rounds,
             Progress& progress, double& done) {
  const std::uint64_t min_ops = std::max<std::uint64_t>(262'144, 4 * population);
  const workloads::OpStream stream = workload.make(population, 1, min_ops);
  const Request request{.stream = stream, .level = Level::kId, .parameter = kWheel};
  std::array<std::vector<double>, kWays.size()> times;
  std::array<std::size_t, kWays.size()> turns{};
  for (std::size_t way = 0; way < turns.size(); ++way) turns[way] = way;
  std::mt19937_64 random(1);
  for (int round = 0; round < rounds; ++round) {
    progress.show(done, workload.name);
    std::shuffle(turns.begin(), turns.end(), random);
    for (const std::size_t way : turns) {
      const TimedReplay replay = kWays[way].replay(request);
      if (!(replay.outcome == stream.outcome)) {
        std::cerr << "id_maps: " << workload.name << ", " << kWays[way].name
                  << ": did other work than the stream says\n";
        return false;
      }
      times[way].push_back(replay.seconds * 1e9 / static_cast<double>(stream.outcome.operations()));
    }
    done += static_cast<double>(min_ops);
  }
  std::printf("\n%s, N = %llu\n", workload.name.c_str(),
              static_cast<unsigned long long>(population));
  const double handle = median(times[0]);
  for (std::size_t way = 0; way < kWays.size(); ++way) {
    const double time = median(times[way]);
    std::printf("  %-28s %8.1f ns  %5.2f x by handle  map's share %3.0f %%\n",
                std::string(kWays[way].name).c_str(), time, time / handle,
                100 * (time - handle) / time);
  }
  std::fflush(stdout);
  return true;
}

}  // namespace

int main(int count, char** words) {
  CLI::App app("What looking a job up by its id costs, with one map or another");
  std::vector<std::string> names{"rpc_timeouts", "idle_sessions", "hold_exponential"};
  std::vector<std::uint64_t> populations{1000, 1'000'000};
  int rounds = 7;
  app.add_option("--workload", names, "NAME or NAME{key=value,...}")->capture_default_str();
  app.add_option("--population", populations, "Pending jobs N[,N...]")
      ->delimiter(',')
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{10'000'000}))
      ->capture_default_str();
  app.add_option("--rounds", rounds, "How often each is replayed")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  try {
    app.parse(count, words);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::cerr << "id_maps: " << error.what() << "\n";
    return 2;
  }
  try {
    keep_freed_memory();
    double total = 0;
    for (const std::uint64_t population : populations)
      total += static_cast<double>(std::max<std::uint64_t>(262'144, 4 * population));
    Progress progress(total * rounds * static_cast<double>(names.size()));
    double done = 0;
    bool good = true;
    for (const std::string& name : names) {
      const workloads::WorkloadSpec workload = workloads::parse_workload(name);
      for (const std::uint64_t population : populations)
        good = measure(workload, population, rounds, progress, done) && good;
    }
    return good ? 0 : 1;
  } catch (const std::invalid_argument& error) {
    std::cerr << "id_maps: " << error.what() << "\n";
    return 2;
  }
}
