# Writes a C++ source that holds the text of files:
#   cmake -DOUTPUT=source.cpp -DFILES="a.csv|b.csv" -P embed_traces.cmake
# Plain text without backslashes, so that raw string literals hold it as it is.
# The suffix sv gives each its length: counting characters exceeds what clang computes in a constant.
set(piece_size 60000)  # Compilers need not take literals beyond 65,536 characters.
string(REPLACE "|" ";" files "${FILES}")
set(arrays "")
set(list "")
set(index 0)
foreach(file IN LISTS files)
  file(READ "${file}" text)
  get_filename_component(name "${file}" NAME)
  string(LENGTH "${text}" length)
  string(APPEND arrays "constexpr std::string_view kFile${index}[] = {\n")
  set(offset 0)
  while(offset LESS length)
    string(SUBSTRING "${text}" ${offset} ${piece_size} piece)
    string(APPEND arrays "R\"trace(${piece})trace\"sv,\n")
    math(EXPR offset "${offset} + ${piece_size}")
  endwhile()
  string(APPEND arrays "};\n")
  string(APPEND list "    {\"${name}\", kFile${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUTPUT}" "// Made by embed_traces.cmake.
#include \"embedded_traces.hpp\"

namespace timerbench::workloads {
namespace {
using namespace std::string_view_literals;

${arrays}
constexpr EmbeddedTrace kTraces[] = {
${list}};
}  // namespace

std::span<const EmbeddedTrace> embedded_traces() { return kTraces; }
}  // namespace timerbench::workloads
")
