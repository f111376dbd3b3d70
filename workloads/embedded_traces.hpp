// What cmake/embed_traces.cmake makes of the files in traces/, so that a program needs no files
// where it runs.
#pragma once

#include <span>
#include <string_view>

namespace timerbench::workloads {

struct EmbeddedTrace {
  std::string_view file;
  /// In this order they are the file's text; in pieces because compilers limit string literals.
  std::span<const std::string_view> pieces;
};

std::span<const EmbeddedTrace> embedded_traces();

}  // namespace timerbench::workloads
