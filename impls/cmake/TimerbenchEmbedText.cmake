# timerbench_embed_text(TARGET NAME FILES...)
#
# Compiles the texts of FILES into TARGET: timerbench::embedded_NAME() returns them, as
# support/embedded_text.hpp says. The source is written anew whenever a file changes, by this file as a script:
#   cmake -DOUTPUT=source.cpp -DNAME=name "-DFILES=a.csv;b.csv" -P TimerbenchEmbedText.cmake

function(timerbench_embed_text target name)
  set(files "")
  foreach(file IN LISTS ARGN)
    get_filename_component(file "${file}" ABSOLUTE)
    list(APPEND files "${file}")
  endforeach()
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_FILE}")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp")
  add_custom_command(
    OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${source}" "-DNAME=${name}" "-DFILES=${files}" -P "${script}"
    DEPENDS ${files} "${script}"
    COMMENT "Embedding the ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
  target_link_libraries(${target} PRIVATE timerbench_support)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

set(part_length 60000)  # Compilers need not take literals beyond 65,536 characters.
set(arrays "")
set(list "")
set(number 0)
foreach(file IN LISTS FILES)
  file(READ "${file}" text)
  get_filename_component(file_name "${file}" NAME)
  string(FIND "${text}" ")text\"" end_of_literal)
  if(NOT end_of_literal EQUAL -1)
    message(FATAL_ERROR "${file}: a text that contains )text\" cannot be embedded")
  endif()
  string(LENGTH "${text}" length)
  set(parts "")
  set(count 0)
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} ${part_length} part)
    # The suffix sv gives each its length: counting characters exceeds what clang computes in a constant.
    string(APPEND parts "    R\"text(${part})text\"sv,\n")
    math(EXPR begin "${begin} + ${part_length}")
    math(EXPR count "${count} + 1")
  endwhile()
  string(APPEND arrays "constexpr std::array<std::string_view, ${count}> kParts${number}{\n${parts}};\n")
  string(APPEND list "    EmbeddedText{\"${file_name}\", kParts${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}" "// Made by TimerbenchEmbedText.cmake.
#include \"support/embedded_text.hpp\"

#include <array>

namespace timerbench {

std::span<const EmbeddedText> embedded_${NAME}();

namespace {
using namespace std::string_view_literals;

${arrays}
constexpr std::array<EmbeddedText, ${number}> kTexts{
${list}};
}  // namespace

std::span<const EmbeddedText> embedded_${NAME}() { return kTexts; }

}  // namespace timerbench
")
