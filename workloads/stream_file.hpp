// Op streams as text, for people and for other programs; README.md in this folder has the format as
// a table.
//
//   timerbench-stream 1 workload=ties tick=1 start=0 seed=1 population=2 jobs=2
//   schedule 0 30
//   schedule 1 30
//   timed
//   advance 30
//
// The file holds what is asked, not what comes of it: reading computes the outcomes anew.
#pragma once

#include <iosfwd>
#include <stdexcept>
#include <string>

#include "op_stream.hpp"

namespace timerbench::workloads {

/// Something in a file that the format does not allow. what() is "FILE:LINE: expected ..., found
/// ...".
class StreamFileError : public std::invalid_argument {
 public:
  StreamFileError(const std::string& file, std::size_t line, const std::string& message)
      : std::invalid_argument(file + ":" + std::to_string(line) + ": " + message) {}
};

/// A job number in a file must be below this, so that a mistyped one does not fill the memory.
inline constexpr std::uint64_t kMaxJobsInFile = 100'000'000;

/// Errors: std::invalid_argument for a stream that the format cannot hold (a blank in the
/// workload's name, too many jobs); whether writing worked, the stream's state tells.
void write_stream(std::ostream& out, const OpStream& stream);

/// Reads line by line; `file` is for messages. Everything that write_stream writes reads back as it
/// was. Errors: StreamFileError.
OpStream read_stream(std::istream& in, const std::string& file);

/// The same from a file. Errors: std::invalid_argument if it cannot be opened, StreamFileError.
OpStream read_stream_file(const std::string& path);

}  // namespace timerbench::workloads
