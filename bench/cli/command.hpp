// The subcommands of the timerbench program. Each file of this folder is one of them.
//
// Exit status: 0 good, 1 the answer is no (a check failed), 2 bad input. A command throws for bad
// input, and main() prints the message as one line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace timerbench::cli {

/// What to do once the command line is read; returns the exit status.
using Action = std::function<int()>;

inline constexpr int kGood = 0;
inline constexpr int kNo = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 130;  ///< As shells report a program that Ctrl-C ended.

/// Each adds its subcommand; if it is the one given, `action` is what it does.
void add_list(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action, const std::string& command_line);
void add_generate(CLI::App& app, Action& action);
void add_replay(CLI::App& app, Action& action);

}  // namespace timerbench::cli
