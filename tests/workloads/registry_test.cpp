#include <set>

#include "catch.hpp"
#include "support.hpp"

namespace timerbench::workloads {
namespace {

double value(std::string_view workload, std::string_view parameter) {
  return parse_workload(workload).parameters.find(parameter)->second;
}

TEST_CASE("workloads have names, summaries and parameters that make sense") {
  std::set<std::string_view> names;
  WorkloadKind last_kind = WorkloadKind::kSynthetic;
  for (const Workload& workload : all_workloads()) {
    INFO(workload.name);
    CHECK(names.insert(workload.name).second);
    CHECK(workload.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
          std::string_view::npos);
    CHECK(workload.summary.size() > 20);
    CHECK(workload.summary.size() < 100);
    CHECK(workload.kind >= last_kind);  // In the order that workload.hpp promises.
    last_kind = workload.kind;
    for (const WorkloadParameter& parameter : workload.parameters) {
      INFO(parameter.name);
      CHECK(parameter.minimum <= parameter.default_value);
      CHECK(parameter.default_value <= parameter.maximum);
      CHECK_FALSE(parameter.meaning.empty());
    }
  }
  for (const std::string_view expected :
       {"rpc_timeouts", "idle_sessions",    "retry_fixed",   "reminders",     "cache_ttl",
        "far_horizon",  "hold_exponential", "sparse",        "ties",          "web_requests",
        "llm_code",     "llm_conv",         "flights",       "only_schedule", "only_cancel",
        "only_advance", "only_reschedule",  "only_next",     "cold_start",    "cancel_share",
        "horizon",      "empty_ticks",      "fill_and_drain"}) {
    CHECK(names.count(expected) == 1);
  }
}

TEST_CASE("a name alone has all defaults, and every default can be given") {
  for (const Workload& workload : all_workloads()) {
    INFO(workload.name);
    const WorkloadSpec spec = parse_workload(workload.name);
    CHECK(spec.workload->name == workload.name);
    CHECK(spec.name == workload.name);
    CHECK(spec.parameters.size() == workload.parameters.size());
  }
}

TEST_CASE("names hold the parameters that differ from the default, in a form that reads back") {
  CHECK(parse_workload("rpc_timeouts{timeout=30000,cancel=0.95}").name ==
        "rpc_timeouts{cancel=0.95,timeout=30000}");
  CHECK(parse_workload("rpc_timeouts{cancel=0.999}").name == "rpc_timeouts");
  CHECK(parse_workload("rpc_timeouts{timeout=1.5s}").name == "rpc_timeouts{timeout=1500}");
  CHECK(parse_workload("horizon{horizon=1000G}").name == "horizon{horizon=1000000000000}");
  for (const std::string& workload : workloads_to_test()) {
    const std::string name = parse_workload(workload).name;
    CHECK(parse_workload(name).name == name);
    CHECK(parse_workload(name).parameters == parse_workload(workload).parameters);
  }
}

TEST_CASE("numbers may have a suffix of their unit") {
  CHECK(value("rpc_timeouts{timeout=250ms}", "timeout") == 250);
  CHECK(value("rpc_timeouts{timeout=15s}", "timeout") == 15'000);
  CHECK(value("rpc_timeouts{timeout=2m}", "timeout") == 120'000);
  CHECK(value("rpc_timeouts{timeout=1h}", "timeout") == 3'600'000);
  CHECK(value("rpc_timeouts{timeout=1d}", "timeout") == 86'400'000);
  CHECK(value("empty_ticks{gap=10k}", "gap") == 10'000);
  CHECK(value("empty_ticks{gap=2M}", "gap") == 2'000'000);
  CHECK(value("horizon{horizon=1e9}", "horizon") == 1e9);
}

TEST_CASE("errors name the part that is wrong, its value and what is allowed") {
  struct Case {
    std::string_view text;
    std::vector<std::string_view> parts;
  };
  for (const Case& one : {
           Case{"", {"there is no workload \"\"", "rpc_timeouts", "empty_ticks"}},
           Case{"rpc", {"workload \"rpc\"", "there is no workload \"rpc\"", "rpc_timeouts"}},
           Case{"rpc_timeouts{", {"expected \"}\""}},
           Case{"rpc_timeouts{cancel=0.5", {"expected \"}\""}},
           Case{"rpc_timeouts{cancel=0.5}x", {"expected \"}\""}},
           Case{"rpc_timeouts{}", {"\"\": expected key=value"}},
           Case{"rpc_timeouts{cancel}", {"\"cancel\": expected key=value"}},
           Case{"rpc_timeouts{cancel=0.5,}", {"\"\": expected key=value"}},
           Case{"rpc_timeouts{cancle=0.5}", {"no parameter \"cancle\"", "cancel, timeout, step"}},
           Case{"sparse{step=1}",
                {"sparse has no parameter \"step\"", "shortest, longest, oversleep"}},
           Case{"rpc_timeouts{cancel=}", {"cancel=: expected a number"}},
           Case{"rpc_timeouts{cancel=half}", {"cancel=half: expected a number"}},
           Case{"rpc_timeouts{cancel=0.5s}", {"cancel=0.5s: expected a number"}},
           Case{"rpc_timeouts{timeout=5k}", {"timeout=5k: expected a number", "ms, s, m, h, d"}},
           Case{"empty_ticks{gap=5ms}", {"gap=5ms: expected a number", "k, M, G"}},
           Case{"rpc_timeouts{cancel=1.5}", {"cancel=1.5: must be 0 to 1", "share of calls"}},
           Case{"rpc_timeouts{cancel=-1}", {"cancel=-1: must be 0 to 1"}},
           Case{"rpc_timeouts{cancel=nan}", {"cancel=nan: must be 0 to 1"}},
           Case{"rpc_timeouts{cancel=1e999}", {"cancel=1e999: expected a number"}},
           Case{"only_schedule{step=1}", {"no parameter \"step\"; it has horizon"}},
           Case{"cache_ttl{step=0}", {"step=0: must be 1"}},
           Case{"sparse{shortest=2h,longest=1h}", {"shortest must not be longer than longest"}},
           Case{"sparse{longest=10}", {"shortest must not be longer than longest"}},
           Case{"rpc_timeouts{cancel=0.5,cancel=0.6}", {"cancel is given twice"}},
       }) {
    const std::string error = error_of([&] { parse_workload(one.text); });
    for (const std::string_view part : one.parts) {
      INFO(one.text << ": " << error);
      CHECK(contains(error, part));
    }
  }
}

TEST_CASE("populations are checked") {
  const WorkloadSpec spec = parse_workload("ties");
  CHECK(contains(error_of([&] { spec.make(0, 1, 1); }),
                 "ties: population 0 is not allowed; must be 1 to"));
  CHECK(contains(error_of([&] { spec.make(kMaxPopulation + 1, 1, 1); }),
                 "is not allowed; must be 1 to 50000000"));
}

}  // namespace
}  // namespace timerbench::workloads
