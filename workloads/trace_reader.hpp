// Traces: tables of whole numbers, carried in traces/ and built into the library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace timerbench::workloads {

/// A row of a trace, one number for each column.
using TraceRow = std::vector<std::int64_t>;

/// Reads comma-separated values: a line with the columns' names, then rows of whole numbers.
/// Nothing else is allowed: no blanks, quotes, missing or further values, nor an empty table.
/// Errors: std::invalid_argument "FILE:LINE: expected ..., found ...", with `file` for the name.
std::vector<TraceRow> read_trace(std::string_view text, std::string_view file,
                                 std::string_view columns);

/// The text of a file in traces/ that is built in: "web_requests.csv", ...
/// Errors: std::invalid_argument for any other.
std::string embedded_trace(std::string_view file);

}  // namespace timerbench::workloads
