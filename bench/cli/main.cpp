// timerbench: lists, checks, measures and replays the schedulers of this project.
#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>
#include <stdexcept>

#include "build_info.hpp"
#include "command.hpp"

namespace {

std::string names_of_subcommands(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return names;
}

bool has_subcommand(const CLI::App& app, const std::string& name) {
  const auto commands = app.get_subcommands({});
  return std::any_of(commands.begin(), commands.end(),
                     [&name](const CLI::App* command) { return command->get_name() == name; });
}

std::string joined(int count, char** words) {
  std::string text = "timerbench";
  for (int i = 1; i < count; ++i) text += std::string(" ") + words[i];
  return text;
}

int run(int count, char** words) {
  using namespace timerbench::cli;
  CLI::App app("The reference comparison of delayed-job schedulers.", "timerbench");
  app.set_version_flag("--version", std::string("timerbench ") + timerbench::bench::kVersion);
  app.require_subcommand(1);
  app.footer("Exit status: 0 good, 1 the answer is no, 2 bad input.");

  Action action;
  add_list(app, action);
  add_check(app, action);
  add_run(app, action, joined(count, words));
  add_generate(app, action);
  add_replay(app, action);
  // CLI11 would call a mistyped subcommand a missing one.
  if (count < 2 || (words[1][0] != '-' && !has_subcommand(app, words[1]))) {
    std::cerr << "timerbench: "
              << (count < 2 ? "a subcommand is missing"
                            : std::string("'") + words[1] + "' is no subcommand")
              << "; there are " << names_of_subcommands(app) << "\n";
    return kBadInput;
  }
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version.
    std::cerr << "timerbench: " << error.what() << " (timerbench --help tells what is allowed)\n";
    return kBadInput;
  }
  return action();
}

}  // namespace

int main(int count, char** words) {
  // Writing into a closed pipe (timerbench list | head) ends the program quietly.
  std::signal(SIGPIPE, SIG_DFL);
  try {
    const int status = run(count, words);
    std::cout.flush();
    if (!std::cout) throw std::runtime_error("standard output: cannot be written");
    return status;
  } catch (const std::bad_alloc&) {
    std::cerr << "timerbench: out of memory; a smaller population needs less\n";
    return timerbench::cli::kBadInput;
  } catch (const std::exception& error) {
    std::cerr << "timerbench: " << error.what() << "\n";
    return timerbench::cli::kBadInput;
  }
}
