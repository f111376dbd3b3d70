#include <iostream>
#include <memory>

#include "../measure.hpp"
#include "../replay.hpp"
#include "command.hpp"
#include "stream_file.hpp"
#include "timerbench/registry.hpp"

namespace timerbench::cli {

namespace {

using bench::Json;
using workloads::Outcome;

struct Options {
  std::string file;
  std::string scheduler = "hierarchical_wheel";
  bool quiet = false;
  bool json = false;
};

/// The contract's interface under the replay loop, with the stream's job numbers as ids; tells what
/// fires.
class PrintingLevel {
 public:
  PrintingLevel(AnyScheduler& scheduler, std::ostream* out) : scheduler_(scheduler), out_(out) {}

  bool schedule(std::uint32_t job, Time deadline) { return scheduler_.schedule(job, deadline); }
  bool cancel(std::uint32_t job) { return scheduler_.cancel(job); }

  template <class OnFired>
  void advance(Time now, OnFired on_fired) {
    const std::span<const JobId> fired = scheduler_.advance(now);
    for (const JobId id : fired) on_fired(static_cast<std::uint32_t>(id));
    if (out_ == nullptr || fired.empty()) return;
    *out_ << "advance " << now << " ->";
    for (const JobId id : fired) *out_ << ' ' << id;
    *out_ << '\n';
  }

  std::optional<Time> next_expiry() { return scheduler_.next_expiry(); }

 private:
  AnyScheduler& scheduler_;
  std::ostream* out_;
};

Json outcome_json(const Outcome& outcome) {
  return {{"schedules", outcome.schedules},
          {"reschedules", outcome.reschedules},
          {"cancel_hits", outcome.cancel_hits},
          {"cancel_misses", outcome.cancel_misses},
          {"advances", outcome.advances},
          {"fired", outcome.fired},
          {"nexts", outcome.nexts},
          {"fired_checksum", outcome.fired_checksum},
          {"next_checksum", outcome.next_checksum}};
}

workloads::OpStream read(const std::string& path) {
  if (path == "-") return workloads::read_stream(std::cin, "standard input");
  return workloads::read_stream_file(path);
}

int replay_file(const Options& options) {
  const std::vector<SchedulerSpec> specs = parse_specs(options.scheduler);
  if (specs.size() != 1) throw std::invalid_argument("replay: --scheduler must name one scheduler");
  const SchedulerSpec& spec = specs.front();
  const workloads::OpStream stream = read(options.file);

  constexpr std::uint64_t kLongestWalk = 10'000'000'000;  // Half a minute.
  if (const std::uint64_t ticks = workloads::ticks_crossed(stream);
      spec.family->info.steps_every_tick && ticks > kLongestWalk) {
    throw std::invalid_argument(
        options.file + ": crosses " + std::to_string(ticks) + " ticks, which " + spec.name() +
        " would walk one by one; at most " + std::to_string(kLongestWalk) + " are allowed");
  }

  const std::unique_ptr<AnyScheduler> scheduler = spec.make(stream.tick, stream.start);
  PrintingLevel level(*scheduler, options.quiet || options.json ? nullptr : &std::cout);
  const Outcome preload = bench::replay(level, stream.preload);
  const Outcome timed = bench::replay(level, stream.ops);

  const bool exact = spec.family->capabilities.exact_next_expiry;
  const bool same = bench::same_work(stream.preload_outcome, preload, exact) &&
                    bench::same_work(stream.outcome, timed, exact);
  const auto first_difference = [&] {
    return bench::same_work(stream.preload_outcome, preload, exact)
               ? "in the timed part, " + bench::difference(stream.outcome, timed)
               : "in the preload, " + bench::difference(stream.preload_outcome, preload);
  };
  const std::uint64_t fired = preload.fired + timed.fired;
  if (options.json) {
    std::cout << bench::to_text(Json{{"scheduler", spec.name()},
                                     {"workload", stream.workload},
                                     {"same_as_reference", same},
                                     {"pending", scheduler->pending()},
                                     {"preload", outcome_json(preload)},
                                     {"timed", outcome_json(timed)}})
              << "\n";
  } else {
    std::cout << spec.name() << ": " << stream.preload.size() + stream.ops.size() << " operations, "
              << fired << " jobs fired, " << scheduler->pending() << " pending, "
              << (same ? "the same as the reference"
                       : "NOT the reference's work: " + first_difference())
              << "\n";
  }
  return same ? kGood : kNo;
}

}  // namespace

void add_replay(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "replay", "Replay an op-stream file through a scheduler and print what fires");
  const auto options = std::make_shared<Options>();
  command
      ->add_option("file", options->file,
                   "An op-stream file (see generate), or - for standard input")
      ->required();
  command->add_option("--scheduler", options->scheduler, "NAME[/PARAMETER]")->capture_default_str();
  command->add_flag("-q,--quiet", options->quiet, "Print the closing line only");
  command->add_flag("--json", options->json, "Print a summary as JSON");
  command->footer("Exit status 1 if the scheduler did not do what the reference does.");
  command->callback([&action, options] { action = [options] { return replay_file(*options); }; });
}

}  // namespace timerbench::cli
