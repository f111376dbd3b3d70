// Text files as parts of a library, so that a program needs no files where it runs.
//
// timerbench_embed_text(TARGET NAME FILES...) of cmake/TimerbenchEmbedText.cmake compiles the files
// into a target and defines there
//
//   namespace timerbench { std::span<const EmbeddedText> embedded_NAME(); }
//
// which the one source that reads them declares.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace timerbench {

struct EmbeddedText {
  std::string_view file;  ///< The file's name, without its folder.
  /// In this order they are the text; in parts because compilers limit string literals.
  std::span<const std::string_view> parts;

  std::string text() const {
    std::string whole;
    for (const std::string_view part : parts) whole += part;
    return whole;
  }
};

}  // namespace timerbench
