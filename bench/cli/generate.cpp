#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>

#include "../results.hpp"
#include "command.hpp"
#include "stream_file.hpp"
#include "workload.hpp"

namespace timerbench::cli {

namespace {

struct Options {
  std::string workload;
  std::uint64_t population = 1000;
  std::uint64_t seed = 1;
  std::uint64_t min_ops = 65'536;
  std::string out = "-";
  bool digest = false;
};

int generate(const Options& options) {
  const workloads::OpStream stream = workloads::parse_workload(options.workload)
                                         .make(options.population, options.seed, options.min_ops);
  if (options.digest) {
    std::ostringstream text;
    text << std::hex << workloads::digest(stream);
    std::cout << text.str() << "  " << stream.workload << " population=" << stream.population
              << " seed=" << stream.seed << "\n";
    return kGood;
  }
  if (options.out == "-") {
    workloads::write_stream(std::cout, stream);
    return kGood;
  }
  std::ostringstream text;
  workloads::write_stream(text, stream);
  bench::write_file(options.out, text.str());
  return kGood;
}

}  // namespace

void add_generate(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("generate", "Write a workload as an op-stream file");
  const auto options = std::make_shared<Options>();
  command
      ->add_option("workload", options->workload,
                   "NAME or NAME{key=value,...}; `timerbench list` has them")
      ->required();
  command->add_option("--population", options->population, "Pending jobs; a trace has its own")
      ->check(kDecimal)
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{50'000'000}))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed")->check(kDecimal)->capture_default_str();
  command->add_option("--ops", options->min_ops, "Timed operations, at least about")
      ->check(kDecimal)
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
      ->capture_default_str();
  command->add_option("-o,--out", options->out, "The file, or - for standard output")
      ->capture_default_str();
  command->add_flag("--digest", options->digest,
                    "Print only the stream's digest, equal on every platform");
  command->footer("The format is described in workloads/README.md.");
  command->callback([&action, options] { action = [options] { return generate(*options); }; });
}

}  // namespace timerbench::cli
