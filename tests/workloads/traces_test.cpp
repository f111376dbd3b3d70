#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "support.hpp"
#include "trace_reader.hpp"

namespace timerbench::workloads {
namespace {

std::string carried(const std::string& file) {
  std::ifstream in(std::string(TIMERBENCH_TRACES_DIR) + "/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST_CASE("the traces that are built in are the carried files") {
  for (const char* file :
       {"web_requests.csv", "llm_code.csv", "llm_conv.csv", "flights_2001.csv"}) {
    INFO(file);
    const std::string text = carried(file);
    CHECK(text.size() > 100'000);
    CHECK((embedded_trace(file) == text));
  }
  CHECK(contains(error_of([] { embedded_trace("other.csv"); }),
                 "trace \"other.csv\": expected one of"));
}

TEST_CASE("a table of whole numbers is read") {
  CHECK((read_trace("a,b\n1,-2\n30,4", "f", "a,b") == std::vector<TraceRow>{{1, -2}, {30, 4}}));
}

TEST_CASE("errors in a table name file, line and what was expected") {
  const auto error = [](std::string_view text) {
    return error_of([&] { read_trace(text, "f.csv", "a,b"); });
  };
  CHECK(error("") == "f.csv:1: expected the columns a,b, found \"\"");
  CHECK(error("b,a\n1,2\n") == "f.csv:1: expected the columns a,b, found \"b,a\"");
  CHECK(error("a,b\n") == "f.csv:2: expected a row of numbers, found \"the end of the file\"");
  CHECK(error("a,b\n1\n") == "f.csv:2: expected 2 values (a,b), found \"1\"");
  CHECK(error("a,b\n1,2\n1,2,3\n") == "f.csv:3: expected 2 values (a,b), found \"1,2,3\"");
  CHECK(error("a,b\n1,2\n\n1,2\n") == "f.csv:3: expected 2 values (a,b), found \"\"");
  CHECK(error("a,b\n1,x\n") == "f.csv:2: expected a whole number, found \"x\"");
  CHECK(error("a,b\n1,\n") == "f.csv:2: expected a whole number, found \"\"");
  CHECK(error("a,b\n1, 2\n") == "f.csv:2: expected a whole number, found \" 2\"");
  CHECK(error("a,b\n1,2\r\n") == "f.csv:2: expected a whole number, found \"2\r\"");
  CHECK(error("a,b\n1,99999999999999999999\n") ==
        "f.csv:2: expected a 64-bit number, found \"99999999999999999999\"");
}

TEST_CASE("a trace is what it is, whatever is asked for, and leaves nothing behind") {
  for (const char* name : {"web_requests", "llm_code", "llm_conv", "flights"}) {
    INFO(name);
    const OpStream stream = make(name, 7, 1);
    CHECK(digest(stream) == digest(make(name, 70'000, 1'000'000)));
    CHECK(stream.population == stream.pending_peak);
    CHECK(stream.pending_after == 0);
  }
}

/// Of all requests, the share that found their client's timer pending.
double share_of_rearms(std::string_view workload) {
  const Outcome outcome = make(workload, 1, 1).outcome;
  CHECK(outcome.schedules + outcome.reschedules == 10'000);
  return static_cast<double>(outcome.reschedules) / 10'000;
}

TEST_CASE("web_requests re-arms 60 % of its timers at 15 s and 69.5 % at 60 s") {
  CHECK(share_of_rearms("web_requests") == Approx(0.60).margin(0.005));
  CHECK(share_of_rearms("web_requests{timeout=60s}") == Approx(0.695).margin(0.001));
  CHECK(make("web_requests", 1, 1).jobs == 1'753);  // One for each client.
}

double share_that_expires(std::string_view workload) {
  const Outcome outcome = make(workload, 1, 1).outcome;
  return static_cast<double>(outcome.fired) / static_cast<double>(outcome.schedules);
}

TEST_CASE("llm_conv expires to a third at 10 s and to 3.5 % at 15 s, llm_code to 2.5 % at 5 s") {
  CHECK(share_that_expires("llm_conv") == Approx(0.33).margin(0.005));
  CHECK(share_that_expires("llm_conv{timeout=15s}") == Approx(0.035).margin(0.0005));
  CHECK(share_that_expires("llm_code") == Approx(0.025).margin(0.0005));
}

TEST_CASE("flights loads all of its reminders at once and moves each of them") {
  const OpStream stream = make("flights", 1, 1);
  CHECK(stream.pending_before == 20'000);
  CHECK(stream.outcome.reschedules == 20'000);
  CHECK(stream.outcome.fired == 20'000);
}

}  // namespace
}  // namespace timerbench::workloads
