// Runs a function in a process of its own and brings back its result.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <type_traits>

namespace timerbench::bench {

/// The result of `function`, run in a fork of this process; it leaves no trace in this one.
/// Requires: no other thread is running. Errors: std::runtime_error if the child cannot be made or
/// ends without a result.
template <class Result, class Function>
Result in_child_process(Function function) {
  static_assert(std::is_trivially_copyable_v<Result>, "it comes through a pipe");
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("memory pass: no pipe can be made");
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    throw std::runtime_error("memory pass: no process can be made");
  }
  if (child == 0) {
    close(ends[0]);
    const Result result = function();
    // A pipe takes this little at once. _exit: what is open belongs to the parent.
    const bool written =
        write(ends[1], &result, sizeof(result)) == static_cast<ssize_t>(sizeof(result));
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  Result result{};
  ssize_t bytes = 0;
  do {
    bytes = read(ends[0], &result, sizeof(result));
  } while (bytes < 0 && errno == EINTR);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (bytes != static_cast<ssize_t>(sizeof(result)) || status != 0) {
    throw std::runtime_error("memory pass: the process that weighs ended early");
  }
  return result;
}

}  // namespace timerbench::bench
