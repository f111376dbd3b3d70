#include "trace_reader.hpp"

#include <algorithm>
#include <charconv>
#include <span>
#include <stdexcept>

#include "support/embedded_text.hpp"

namespace timerbench {
std::span<const EmbeddedText> embedded_traces();
}

namespace timerbench::workloads {

namespace {

[[noreturn]] void fail(std::string_view file, std::size_t line, const std::string& expected,
                       std::string_view found) {
  throw std::invalid_argument(std::string(file) + ":" + std::to_string(line) + ": expected " +
                              expected + ", found \"" + std::string(found) + "\"");
}

/// Takes the text up to the next separator off the front; what is left begins behind it.
std::string_view take_until(std::string_view& text, char separator) {
  const std::string_view taken = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(taken.size() + 1, text.size()));
  return taken;
}

}  // namespace

std::vector<TraceRow> read_trace(std::string_view text, std::string_view file,
                                 std::string_view columns) {
  const std::string header = "the columns " + std::string(columns);
  std::size_t line_number = 1;
  const std::string_view first = take_until(text, '\n');
  if (first != columns) fail(file, line_number, header, first);

  const auto count = static_cast<std::size_t>(std::count(columns.begin(), columns.end(), ',')) + 1;
  std::vector<TraceRow> rows;
  while (!text.empty()) {
    ++line_number;
    const std::string_view line = take_until(text, '\n');
    if (static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1 != count) {
      fail(file, line_number, std::to_string(count) + " values (" + std::string(columns) + ")",
           line);
    }
    TraceRow row;
    for (std::string_view rest = line; row.size() < count;) {
      const std::string_view value = take_until(rest, ',');
      std::int64_t number = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (error == std::errc::result_out_of_range)
        fail(file, line_number, "a 64-bit number", value);
      if (error != std::errc() || end != value.data() + value.size()) {
        fail(file, line_number, "a whole number", value);
      }
      row.push_back(number);
    }
    rows.push_back(std::move(row));
  }
  if (rows.empty()) fail(file, line_number + 1, "a row of numbers", "the end of the file");
  return rows;
}

std::string embedded_trace(std::string_view file) {
  std::string known;
  for (const EmbeddedText& trace : embedded_traces()) {
    if (trace.file == file) return trace.text();
    known += (known.empty() ? "" : ", ") + std::string(trace.file);
  }
  throw std::invalid_argument("trace \"" + std::string(file) + "\": expected one of " + known);
}

}  // namespace timerbench::workloads
