#include "stream_file.hpp"

#include <sstream>

#include "catch.hpp"
#include "support.hpp"

namespace timerbench::workloads {
namespace {

const std::string kHeader =
    "timerbench-stream 1 workload=test tick=10 start=0 seed=1 population=2 jobs=2\n";

OpStream read(const std::string& text) {
  std::istringstream in(text);
  return read_stream(in, "test.stream");
}

TEST_CASE("every stream reads back as it was written, with the same outcomes") {
  for (const std::string& workload : workloads_to_test()) {
    INFO(workload);
    const OpStream stream = make(workload, 50, 500);
    std::ostringstream out;
    write_stream(out, stream);
    const OpStream again = read(out.str());
    CHECK(again.workload == stream.workload);
    CHECK(again.tick == stream.tick);
    CHECK(again.start == stream.start);
    CHECK(again.seed == stream.seed);
    CHECK(again.population == stream.population);
    CHECK(again.jobs == stream.jobs);
    CHECK((again.preload == stream.preload));
    CHECK((again.ops == stream.ops));
    CHECK((again.preload_outcome == stream.preload_outcome));
    CHECK((again.outcome == stream.outcome));
    CHECK(again.pending_before == stream.pending_before);
    CHECK(again.pending_after == stream.pending_after);
    CHECK(again.pending_peak == stream.pending_peak);
    CHECK(digest(again) == digest(stream));
  }
}

TEST_CASE("a written stream is the text one would expect") {
  OpStream stream;
  stream.workload = "test{x=1}";
  stream.tick = 10;
  stream.start = -20;
  stream.seed = 3;
  stream.population = 2;
  stream.jobs = 2;
  stream.preload = {{-5, 0, OpKind::kSchedule}, {30, 1, OpKind::kSchedule}};
  stream.ops = {{40, 1, OpKind::kReschedule},
                {0, 0, OpKind::kCancel},
                {0, 0, OpKind::kNext},
                {40, 0, OpKind::kAdvance}};
  std::ostringstream out;
  write_stream(out, stream);
  CHECK(out.str() ==
        "timerbench-stream 1 workload=test{x=1} tick=10 start=-20 seed=3 population=2 jobs=2\n"
        "schedule 0 -5\n"
        "schedule 1 30\n"
        "timed\n"
        "reschedule 1 40\n"
        "cancel 0\n"
        "next\n"
        "advance 40\n");
}

TEST_CASE("comments, blank lines and blanks are free, as is the order of the header") {
  const OpStream stream = read(
      "# made by hand\n\n"
      "timerbench-stream 1 jobs=2 population=2 seed=1\tstart=0 tick=10 workload=test # all six\r\n"
      "  schedule\t0   5 # due at 10\n"
      "timed\n"
      "   # nothing\n"
      "advance 10\n"
      "cancel 1\n"
      "advance -5");
  CHECK(stream.outcome.fired == 1);
  CHECK(stream.outcome.cancel_misses == 1);  // A cancel may miss,
  CHECK(stream.outcome.advances == 2);  // and a clock may be told to go back, which it does not.
}

TEST_CASE("errors name file, line and what was expected") {
  struct Case {
    std::string text;
    std::vector<std::string_view> parts;
  };
  const std::string timed = kHeader + "timed\n";
  for (const Case& one : {
           Case{"",
                {"test.stream:1: expected \"timerbench-stream 1 workload=", "the end of the file"}},
           Case{"# nothing\n\n", {"test.stream:3: ", "the end of the file"}},
           Case{"schedule 0 1\n",
                {"test.stream:1: expected \"timerbench-stream", "found \"schedule 0 1\""}},
           Case{"timerbench-stream\n", {":1: expected version 1", "found \"\""}},
           Case{"timerbench-stream 2 tick=1\n", {":1: expected version 1", "found \"2\""}},
           Case{"timerbench-stream 1 tick=1 start=0 seed=1 population=1 jobs=1\n",
                {":1: expected workload=... in the header"}},
           Case{"timerbench-stream 1 workload=a tick=1 start=0 seed=1 population=1 jobs=1 tick=1\n",
                {":1: expected tick once"}},
           Case{"timerbench-stream 1 speed=1\n",
                {":1: expected \"timerbench-stream 1", "found \"speed=1\""}},
           Case{"timerbench-stream 1 tick\n",
                {":1: expected \"timerbench-stream 1", "found \"tick\""}},
           Case{"timerbench-stream 1 workload=a tick=x start=0 seed=1 population=1 jobs=1\n",
                {":1: tick: expected a whole number, found \"x\""}},
           Case{"timerbench-stream 1 workload=a tick=0 start=0 seed=1 population=1 jobs=1\n",
                {":1: tick: 0 is not allowed; must be at least 1"}},
           Case{"timerbench-stream 1 workload=a tick=10 start=5 seed=1 population=1 jobs=1\n",
                {":1: start: 5 is not allowed; must be a multiple of the tick"}},
           Case{"timerbench-stream 1 workload=a tick=10 start=0 seed=1 population=1 "
                "jobs=100000001\n",
                {":1: jobs: expected at most 100000000"}},
           Case{kHeader, {"test.stream:2: expected a line \"timed\""}},
           Case{timed + "timed\n", {":3: expected one line \"timed\""}},
           Case{timed + "timed 5\n", {":3: expected \"timed\", found \"timed 5\""}},
           Case{timed + "fire 1\n",
                {":3: expected schedule, reschedule, cancel", "found \"fire\""}},
           Case{timed + "schedule 0\n",
                {":3: expected \"schedule JOB DEADLINE\", found \"schedule 0\""}},
           Case{timed + "schedule 0 1 2\n", {":3: expected \"schedule JOB DEADLINE\""}},
           Case{timed + "cancel\n", {":3: expected \"cancel JOB\""}},
           Case{timed + "advance\n", {":3: expected \"advance NOW\""}},
           Case{timed + "next 1\n", {":3: expected \"next\""}},
           Case{timed + "schedule 2 1\n", {":3: job: expected a number below 2", "found 2"}},
           Case{timed + "cancel -1\n", {":3: job: expected a whole number, found \"-1\""}},
           Case{timed + "schedule 0 1.5\n",
                {":3: deadline: expected a whole number, found \"1.5\""}},
           Case{timed + "schedule 0 99999999999999999999\n",
                {":3: deadline: expected a number of 64 bits"}},
           Case{timed + "schedule 0 9223372036854775807\n",
                {":3: deadline: 9223372036854775807 is not allowed"}},
           Case{timed + "advance soon\n", {":3: now: expected a whole number, found \"soon\""}},
           Case{timed + "schedule 0 1\nschedule 0 2\n",
                {":4: expected \"reschedule\", since job 0 is pending"}},
           Case{timed + "reschedule 0 1\n",
                {":3: expected \"schedule\", since job 0 is not pending"}},
           Case{timed + "schedule 0 1\nadvance 10\nreschedule 0 20\n",
                {":5: expected \"schedule\", since job 0 is not pending"}},
       }) {
    const std::string error = error_of([&] { read(one.text); });
    for (const std::string_view part : one.parts) {
      INFO(error);
      CHECK(contains(error, part));
    }
  }
}

TEST_CASE("a file that is not there is named") {
  CHECK(error_of([] { read_stream_file("no/such.stream"); }) ==
        "no/such.stream: cannot be opened for reading");
}

TEST_CASE("what the format cannot hold is not written") {
  OpStream stream;
  stream.workload = "two words";
  std::ostringstream out;
  CHECK(contains(error_of([&] { write_stream(out, stream); }),
                 "workload: \"two words\" is not allowed"));
  CHECK(out.str().empty());
}

}  // namespace
}  // namespace timerbench::workloads
