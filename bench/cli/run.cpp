#include <benchmark/benchmark.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>

#include "../context.hpp"
#include "../measure.hpp"
#include "../memory_policy.hpp"
#include "../progress.hpp"
#include "command.hpp"
#include "conformance_gate.hpp"

namespace timerbench::cli {

namespace {

using namespace bench;

std::atomic<bool> interrupted{false};

void interrupt(int) {
  interrupted = true;
  // A second one ends the program at once.
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

struct Options {
  std::string profile = "quick";
  std::string schedulers;
  std::vector<std::string> workloads;
  std::vector<std::uint64_t> populations;
  std::string level = "both";
  std::uint64_t seed = 1;
  int repetitions = 0;  ///< 0: the profile's.
  std::string out = "results.json";
  bool once = false;
};

Selection selection_of(const Options& options) {
  Selection selection;
  if (!options.schedulers.empty()) selection.schedulers = parse_specs(options.schedulers);
  for (const std::string& text : options.workloads)
    selection.workloads.push_back(workloads::parse_workload(text));
  selection.populations = options.populations;
  if (options.level == "handle") selection.level = Level::kHandle;
  if (options.level == "id") selection.level = Level::kId;
  return selection;
}

/// Google Benchmark takes its settings from a command line only.
void initialize_google_benchmark() {
  std::string program = "timerbench";
  std::string shuffle = "--benchmark_enable_random_interleaving=true";
  std::array<char*, 3> words{program.data(), shuffle.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, words.data());
}

/// A guess at what a group costs in seconds, for the estimate only.
double weight_of(const Group& group, const Plan& plan) {
  constexpr std::uint64_t kBeyondCaches = 100'000;
  const double operation = group.population < kBeyondCaches ? 4e-8 : 15e-8;
  const double replay = static_cast<double>(group.population + group.min_ops) * operation;
  const double repetition = std::max(replay, plan.min_repetition_seconds);
  return static_cast<double>(group.rows.size()) *
         (group.times ? plan.repetitions * repetition + 3 * replay : 2 * replay);
}

/// Exactly the rows that were asked for: a profiler counts all that is replayed.
void leave_out_companions(Plan& plan, const Selection& selection) {
  const auto is_companion = [&](const RowSpec& row) {
    const auto is_same = [&](const SchedulerSpec& spec) {
      return spec.family == row.scheduler.family && spec.parameter == row.scheduler.parameter;
    };
    return row.repeat ||
           (!selection.schedulers.empty() &&
            std::none_of(selection.schedulers.begin(), selection.schedulers.end(), is_same));
  };
  for (Group& group : plan.groups) std::erase_if(group.rows, is_companion);
  std::erase_if(plan.groups, [](const Group& group) { return group.rows.empty() || !group.times; });
}

/// One line of JSON a row, so that a script can tell what was replayed.
int replay_once(const Plan& plan) {
  Results results;
  Measurement(plan, results, interrupted).replay_once([](Json keys, std::uint64_t operations) {
    keys["operations"] = operations;
    std::cout << to_text(keys, -1) << std::endl;
  });
  for (const Json& failed : results.benchmarks) {
    std::cerr << "timerbench: run: " << failed.at("name").get<std::string>() << ": "
              << failed.at("error_message").get<std::string>() << "\n";
  }
  for (const Json& skipped : results.skipped) {
    std::cerr << "timerbench: run: " << skipped.at("scheduler").get<std::string>() << " on "
              << skipped.at("workload").get<std::string>()
              << ": skipped: " << skipped.at("reason").get<std::string>() << "\n";
  }
  return results.failed_rows == 0 ? kGood : kNo;
}

int measure(const Options& options, const std::string& command_line) {
  if (const std::string unfit = unfit_build(); !unfit.empty()) {
    throw std::invalid_argument("run: this build measures nothing worth publishing (" + unfit +
                                "); use the release preset");
  }
  const Selection selection = selection_of(options);
  Plan plan = make_plan(*find_profile(options.profile), options.seed, selection);
  if (options.repetitions > 0) plan.repetitions = options.repetitions;
  if (options.once) leave_out_companions(plan, selection);
  if (plan.groups.empty())
    throw std::invalid_argument("run: nothing is left to measure with this selection");
  if (options.once) return replay_once(plan);

  Results results;
  results.context = make_context(plan, command_line);
  check_writable(options.out);  // Better said now than after the work.

  std::signal(SIGINT, interrupt);
  std::signal(SIGTERM, interrupt);
  if (!conformance_gate(plan)) return kNo;
  if (interrupted) return kInterrupted;  // Nothing is measured yet: an older file stays as it is.

  keep_freed_memory();
  initialize_google_benchmark();
  const auto begin = std::chrono::steady_clock::now();
  const auto save = [&] {
    results.context["timerbench"]["seconds"] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    results.context["timerbench"]["interrupted"] = interrupted.load();
    write_results(options.out, results);
  };

  double total = 0;
  for (const Group& group : plan.groups) total += weight_of(group, plan);
  {
    Progress progress(total);
    double done = 0;
    progress.show(done, plan.groups.front().title());
    Measurement(plan, results, interrupted).run([&](std::size_t index) {
      done += weight_of(plan.groups[index], plan);
      if (index + 1 < plan.groups.size()) progress.show(done, plan.groups[index + 1].title());
      save();
    });
  }
  save();
  benchmark::Shutdown();

  const double seconds = results.context["timerbench"]["seconds"].get<double>();
  std::cout << options.out << ": " << results.benchmarks.size() << " timed entries, "
            << results.skipped.size() << " rows skipped, " << results.failed_rows << " FAILED, in "
            << minutes_text(seconds) << " min"
            << (interrupted ? "; interrupted, these are partial results" : "") << "\n";
  if (interrupted) return kInterrupted;
  return results.failed_rows == 0 ? kGood : kNo;
}

}  // namespace

void add_run(CLI::App& app, Action& action, const std::string& command_line) {
  CLI::App* command =
      app.add_subcommand("run", "Measure schedulers on workloads and write results.json");
  const auto options = std::make_shared<Options>();
  command
      ->add_option(
          "--profile", options->profile,
          "smoke (half a minute), quick (minutes), full (far longer) or core (a quarter of "
          "an hour: few workloads, 10^3 and 10^6 jobs)")
      ->check(CLI::IsMember({"smoke", "quick", "full", "core"}))
      ->capture_default_str();
  command->add_option("--scheduler", options->schedulers,
                      "NAME[/PARAMETER][,...] or all; default: all with their default parameters");
  command->add_option(
      "--workload", options->workloads,
      "NAME or NAME{key=value,...}, may be given several times; default: the profile's");
  command
      ->add_option("--population", options->populations,
                   "Pending jobs N[,N...]; default: the profile's")
      ->delimiter(',')
      ->check(kDecimal)
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{50'000'000}));
  command->add_option("--level", options->level, "handle, id or both")
      ->check(CLI::IsMember({"handle", "id", "both"}))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the op streams")
      ->check(kDecimal)
      ->capture_default_str();
  command
      ->add_option("--repetitions", options->repetitions,
                   "Repetitions of a row; default: the profile's")
      ->check(kDecimal)
      ->check(CLI::Range(1, 1000));
  CLI::Option* out =
      command->add_option("-o,--out", options->out, "The results file")->capture_default_str();
  command
      ->add_flag(
          "--once", options->once,
          "Replay each row that is asked for once, untimed and without the conformance test, "
          "and print its keys as a line of JSON: for a profiler, which finds the part that "
          "otherwise is timed in the functions *timed_part*. Writes no file")
      ->excludes(out);
  command->footer(
      "Only schedulers that pass the conformance test are measured. Ctrl-C leaves valid partial "
      "results.");
  command->callback([&action, options, command_line] {
    action = [options, command_line] { return measure(*options, command_line); };
  });
}

}  // namespace timerbench::cli
