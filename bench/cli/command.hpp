// The subcommands of the timerbench program. Each file of this folder is one of them.
//
// Exit status: 0 good, 1 the answer is no (a check failed), 2 bad input. A command throws for bad
// input, and main() prints the message as one line.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <functional>
#include <string>
#include <system_error>

namespace timerbench::cli {

/// What to do once the command line is read; returns the exit status.
using Action = std::function<int()>;

inline constexpr int kGood = 0;
inline constexpr int kNo = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 130;  ///< As shells report a program that Ctrl-C ended.

/// Digits of a 64-bit number and nothing else: CLI11 alone would take 010 for eight, -1 for the largest
/// number, and what is too large for the largest.
inline const CLI::Validator kDecimal(
    [](const std::string& text) {
      std::uint64_t value = 0;
      const char* end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data(), end, value);
      const bool is_decimal =
          error == std::errc{} && stop == end && (text == "0" || text[0] != '0');
      return is_decimal ? std::string() : "'" + text + "' is no decimal number of 64 bits";
    },
    "DECIMAL");

/// Each adds its subcommand; if it is the one given, `action` is what it does.
void add_list(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action, const std::string& command_line);
void add_generate(CLI::App& app, Action& action);
void add_replay(CLI::App& app, Action& action);

}  // namespace timerbench::cli
