#include "progress.hpp"

#include <unistd.h>

#include <cstdio>
#include <iostream>

namespace timerbench::bench {

namespace {
constexpr const char* kClearLine = "\r\x1b[K";
}

Progress::Progress(double total)
    : total_(total),
      visible_(isatty(STDERR_FILENO) == 1),
      begin_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  if (visible_) std::cerr << kClearLine << std::flush;
}

void Progress::show(double done, const std::string& title) {
  if (!visible_) return;
  const double elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  std::cerr << kClearLine << static_cast<int>(100 * done / total_) << " %  "
            << minutes_text(elapsed) << " elapsed";
  if (done > 0 && elapsed > 2)
    std::cerr << ", about " << minutes_text(elapsed / done * (total_ - done)) << " left";
  std::cerr << "  " << title << std::flush;
}

std::string minutes_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  const std::string rest = std::to_string(whole % 60);
  return std::to_string(whole / 60) + ":" + (rest.size() == 1 ? "0" : "") + rest;
}

}  // namespace timerbench::bench
