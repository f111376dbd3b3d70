// The text of the vectors files, as embed.cmake puts it into the library.
#pragma once

#include <span>
#include <string_view>

namespace timerbench::conformance {

/// A file in parts, because compilers need not accept longer literals.
struct EmbeddedFile {
  std::string_view name;
  std::span<const std::string_view> parts;
};

std::span<const EmbeddedFile> embedded_vectors();

}  // namespace timerbench::conformance
