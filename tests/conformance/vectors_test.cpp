#include "conformance/vectors.hpp"

#include <filesystem>
#include <fstream>

#include "catch.hpp"

namespace timerbench::conformance {

namespace {

const std::string kHeader = "case a tick=1 wheel_size=4 start=0\n";

struct Malformed {
  std::string text;
  std::size_t line;
  std::string complaint;  ///< Has to be in the message: the value met or the thing missed.
};

std::string message_for(const std::string& text) {
  try {
    parse_vectors(text, "file");
  } catch (const VectorError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("every kind of malformed vector is refused with file, line, value and expectation") {
  const std::vector<Malformed> malformed{
      // Files and cases.
      {"", 1, "no case"},
      {"# nothing\n\n", 2, "no case"},
      {"schedule 1 2\n", 1, "'schedule' outside a case"},
      {kHeader + "levels -> 1\n\nlevels -> 1\n", 4, "'levels' outside a case"},
      {kHeader, 1, "'a' ends"},
      {kHeader + "\n" + "case b tick=1 wheel_size=4 start=0\nlevels -> 1\n", 2, "'a' ends"},
      {kHeader + "levels -> 1\n\n" + kHeader + "levels -> 1\n", 4, "'a' exists, at line 1"},
      // Headers.
      {"case\n", 1, "1 words"},
      {"case a tick=1 wheel_size=4\n", 1, "4 words"},
      {"case a tick=1 wheel_size=4 start=0 more\n", 1, "6 words"},
      {"case a wheel_size=4 tick=1 start=0\n", 1, "'tick=NUMBER'"},
      {"case a tick= wheel_size=4 start=0\n", 1, "tick is ''"},
      {"case a tick=x wheel_size=4 start=0\n", 1, "tick is 'x'"},
      {"case a tick=1.5 wheel_size=4 start=0\n", 1, "tick is '1.5'"},
      {"case a tick=0 wheel_size=4 start=0\n", 1, "tick is 0; expected at least 1"},
      {"case a tick=-1 wheel_size=4 start=0\n", 1, "tick is -1"},
      {"case a tick=1 wheel_size=1 start=0\n", 1, "wheel_size is 1; expected at least 2"},
      {"case a tick=1 wheel_size=-4 start=0\n", 1, "wheel_size is '-4'"},
      {"case a tick=1 wheel_size=4294967296 start=0\n", 1, "of 32 bits"},
      {"case a tick=10 wheel_size=4 start=5\n", 1,
       "start is 5; expected a multiple of the tick, 10"},
      {"case a tick=10 wheel_size=4 start=-5\n", 1, "start is -5"},
      {"case a tick=1 wheel_size=4 start=9223372036854775808\n", 1, "of 64 bits"},
      // Operations.
      {kHeader + "delete 1\n", 2, "unknown operation 'delete'; expected schedule, cancel"},
      {kHeader + "Schedule 1 2\n", 2, "unknown operation 'Schedule'"},
      {kHeader + "schedule 1\n", 2, "1 arguments"},
      {kHeader + "schedule 1 2 3\n", 2, "3 arguments"},
      {kHeader + "schedule 1 2 -> true\n", 2, "an answer to schedule"},
      {kHeader + "schedule -1 2\n", 2,
       "ID is '-1'; expected an unsigned decimal number of 64 bits"},
      {kHeader + "schedule 18446744073709551616 2\n", 2, "ID is '18446744073709551616'"},
      {kHeader + "schedule 1 9223372036854775808\n", 2, "DEADLINE is '9223372036854775808'"},
      {kHeader + "schedule 1 -9223372036854775809\n", 2, "DEADLINE is"},
      {kHeader + "schedule 1 +2\n", 2, "DEADLINE is '+2'"},
      {kHeader + "schedule 1 2x\n", 2, "DEADLINE is '2x'"},
      {kHeader + "cancel 1\n", 2, "no '->'"},
      {kHeader + "cancel -> true\n", 2, "0 arguments"},
      {kHeader + "cancel 1 ->\n", 2, "no answer after '->'"},
      {kHeader + "cancel 1 -> yes\n", 2, "answer 'yes'; expected true or false"},
      {kHeader + "cancel 1 -> true false\n", 2, "2 answers"},
      {kHeader + "cancel 1 = true\n", 2, "no '->'"},
      {kHeader + "advance -> -\n", 2, "0 arguments"},
      {kHeader + "advance 1 2 -> -\n", 2, "2 arguments"},
      {kHeader + "advance 1\n", 2, "no '->'"},
      {kHeader + "advance 1 -> - 2\n", 2, "ID is '-'"},
      {kHeader + "advance 1 -> none\n", 2, "ID is 'none'"},
      {kHeader + "where 1 -> 0\n", 2, "1 answers; expected WHEEL SLOT | none"},
      {kHeader + "where 1 -> 0 1 2\n", 2, "3 answers"},
      {kHeader + "where 1 -> 0 -1\n", 2, "SLOT is '-1'"},
      {kHeader + "where 1 -> -\n", 2, "1 answers"},
      {kHeader + "levels 1 -> 1\n", 2, "1 arguments"},
      {kHeader + "levels -> none\n", 2, "N is 'none'"},
      {kHeader + "pending\n", 2, "no '->'"},
      {kHeader + "pending -> -1\n", 2, "N is '-1'"},
      {kHeader + "next -> soon\n", 2, "TIME is 'soon'"},
      {kHeader + "next -> 1 2\n", 2, "2 answers"},
      {kHeader + "levels -> 1\n# all well\nlevels ->\n", 4, "no answer"},
  };
  for (const Malformed& one : malformed) {
    INFO(one.text);
    const std::string message = message_for(one.text);
    CHECK_THAT(message, Catch::StartsWith("file:" + std::to_string(one.line) + ": "));
    CHECK_THAT(message, Catch::Contains(one.complaint) && Catch::Contains("; expected "));
  }
}

TEST_CASE("a file that cannot be read is refused by name") {
  CHECK_THROWS_WITH(read_vectors("no/such/file.vectors"), Catch::Contains("no/such/file.vectors"));
  CHECK_THROWS_AS(read_vectors(std::filesystem::current_path()), VectorError);
}

TEST_CASE("vectors are read with comments, blanks and line ends of either kind") {
  const VectorFile file = parse_vectors(
      "# A file.\r\n"
      "\r\n"
      "case first tick=10 wheel_size=4 start=-20  # note\r\n"
      "schedule 18446744073709551615\t-9223372036854775808\r\n"
      "# A comment alone does not end a case.\r\n"
      "cancel 0      -> false\r\n"
      "advance 7 -> 3 4\r\n"
      "   \r\n"
      "case second tick=1 wheel_size=2 start=0\n"
      "advance 7 -> -\n"
      "where 1 -> none\n"
      "where 1 -> 2 1\n"
      "levels -> 3\n"
      "pending -> 0\n"
      "next -> none\n"
      "next -> -5",
      "file");
  REQUIRE(file.cases.size() == 2);
  const VectorCase& first = file.cases[0];
  CHECK(first.name == "first");
  CHECK(first.tick == 10);
  CHECK(first.wheel_size == 4);
  CHECK(first.start == -20);
  REQUIRE(first.steps.size() == 3);
  CHECK(to_text(first.steps[0].operation) == "schedule 18446744073709551615 -9223372036854775808");
  CHECK(first.steps[1].line == 6);
  CHECK(first.steps[1].expected == Answer(false));
  CHECK(first.steps[2].expected == Answer(std::vector<JobId>{3, 4}));
  const auto& steps = file.cases[1].steps;
  REQUIRE(steps.size() == 7);
  CHECK(steps[0].expected == Answer(std::vector<JobId>{}));
  CHECK(steps[1].expected == Answer(std::optional<Location>()));
  CHECK(steps[2].expected == Answer(std::optional<Location>({2, 1})));
  CHECK(steps[3].expected == Answer(std::size_t{3}));
  CHECK(steps[4].expected == Answer(std::size_t{0}));
  CHECK(steps[5].expected == Answer(std::optional<Time>()));
  CHECK(steps[6].expected == Answer(std::optional<Time>(-5)));
}

TEST_CASE("what is written is read back the same") {
  for (const VectorFile& file : built_in_vectors()) {
    for (const VectorCase& vector_case : file.cases) {
      const std::string text = to_text(vector_case);
      const VectorFile again = parse_vectors(text, "again");
      REQUIRE(again.cases.size() == 1);
      CHECK(again.cases[0].steps.size() == vector_case.steps.size());
      CHECK(to_text(again.cases[0]) == text);
    }
  }
}

TEST_CASE("the built-in vectors are the files beside the library's source") {
  const auto files = built_in_vectors();
  REQUIRE(files.size() == 2);
  CHECK(files[0].name == "named.vectors");
  CHECK(files[1].name == "random.vectors");
  CHECK(files[0].cases.size() >= 50);
  CHECK(files[1].cases.size() >= 40);
  CHECK(files[0].cases.front().name == "worked-example");
}

}  // namespace timerbench::conformance
