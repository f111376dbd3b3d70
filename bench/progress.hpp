// A line of progress with an estimate, for long work on a terminal; silent in a pipe.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace timerbench::bench {

class Progress {
 public:
  /// `total` is the work in any unit; it shows only if standard error is a terminal.
  explicit Progress(double total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of `total` is behind us, `title` begins.
  void show(double done, const std::string& title);

 private:
  double total_;
  bool visible_;
  std::chrono::steady_clock::time_point begin_;
};

/// "1:05" or "0:07".
std::string minutes_text(double seconds);

}  // namespace timerbench::bench
