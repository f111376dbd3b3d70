// Conformance vectors: the contract as data, in text that people and other languages can read.
//
// A case makes one scheduler and puts operations to it, one a line, each with the answer that every
// scheduler has to give. README.md describes the format. The reader is strict: a vector that it
// half understood would pass for the wrong reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "timerbench/keyed_scheduler.hpp"

namespace timerbench::conformance {

/// One type per kind of operation. The answers follow the contract: ids in a batch are in order.
struct Schedule {
  JobId id;
  Time deadline;
};
struct Cancel {
  JobId id;
};
struct Advance {
  Time now;
};
struct Where {
  JobId id;
};
struct Levels {};
struct Pending {};
struct Next {};
using Operation = std::variant<Schedule, Cancel, Advance, Where, Levels, Pending, Next>;

/// What a scheduler answers. schedule answers nothing.
using Answer = std::variant<std::monostate,           // schedule
                            bool,                     // cancel
                            std::vector<JobId>,       // advance
                            std::optional<Location>,  // where
                            std::size_t,              // levels, pending
                            std::optional<Time>>;     // next

/// As the vectors write them: "advance 16", "3 4". An empty batch is "-", a missing answer "none".
std::string to_text(const Operation& operation);
std::string to_text(const Answer& answer);

/// An operation and the answer it must get.
struct Step {
  Operation operation;
  Answer expected;
  std::size_t line = 0;  ///< In the file it was read from; 0 if it was made in memory.
};

struct VectorCase {
  std::string name;
  Time tick = 1;
  std::uint32_t wheel_size = 2;  ///< For schedulers with wheels; others ignore it.
  Time start = 0;
  std::vector<Step> steps;
};

struct VectorFile {
  std::string name;  ///< As errors show it.
  std::vector<VectorCase> cases;
};

/// Malformed text. what() is "FILE:LINE: " and what is wrong, the value met and what is expected.
class VectorError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Reads a whole file's text. Errors: VectorError.
VectorFile parse_vectors(std::string_view text, std::string file_name);

/// Reads a file. Errors: VectorError, also (then without a line) if the file cannot be read.
VectorFile read_vectors(const std::filesystem::path& path);

/// The case as text that parse_vectors() reads, without a blank line at its end.
std::string to_text(const VectorCase& vector_case);

/// The vectors of this project, compiled in so that an installed program has them wherever it runs.
std::span<const VectorFile> built_in_vectors();

}  // namespace timerbench::conformance
