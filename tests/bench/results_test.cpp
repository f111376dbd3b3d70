// The results file: valid, whole or absent, and true to results/README.md.
#include "results.hpp"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "catch.hpp"
#include "context.hpp"

using namespace timerbench;
using namespace timerbench::bench;

namespace {
class ScratchFolder {
 public:
  ScratchFolder()
      : path_(std::filesystem::temp_directory_path() / ("timerbench-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}
}  // namespace

TEST_CASE("results are written whole, without a temporary file left") {
  const ScratchFolder folder;
  const auto path = folder.path() / "results.json";
  Results results;
  results.context = {{"date", "today"}};
  write_results(path, results);
  const Json read = Json::parse(contents(path));
  for (const char* list : {"benchmarks", "latency", "memory", "work", "skipped"})
    CHECK(read.at(list).is_array());
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a number that is not finite is refused and the old file stays") {
  const ScratchFolder folder;
  const auto path = folder.path() / "results.json";
  write_file(path, "old");
  for (const double bad : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    Results results;
    results.latency.push_back({{"mean_ns", bad}});
    CHECK_THROWS_AS(write_results(path, results), std::logic_error);
    CHECK(contents(path) == "old");
  }
}

TEST_CASE("a path that cannot be written is named") {
  CHECK_THROWS_WITH(write_file("/nowhere/at/all.json", "x"),
                    Catch::Contains("/nowhere/at/all.json"));
  CHECK_THROWS_WITH(check_writable("/nowhere/at/all.json"),
                    Catch::Contains("/nowhere/at/all.json"));
}

TEST_CASE("an entry says which scheduler it is about, on what") {
  Group group;
  group.workload = workloads::parse_workload("cancel_share{cancel=0.25}");
  const RowSpec row{parse_specs("hashed_wheel/64").front(), Level::kId};
  const Json keys = row_keys(group, row, 1000);
  CHECK(keys.at("scheduler") == "hashed_wheel/64");
  CHECK(keys.at("family") == "hashed_wheel");
  CHECK(keys.at("role") == "scheduler");
  CHECK(keys.at("level") == "id");
  CHECK(keys.at("workload") == "cancel_share");
  CHECK(keys.at("kind") == "sweep");
  CHECK(keys.at("parameters").at("cancel") == 0.25);
  CHECK(keys.at("population") == 1000);
  CHECK(row_name(group, row, 1000) == "cancel_share{cancel=0.25}/n:1000/hashed_wheel/64/id");
}

TEST_CASE("the context says where, how and from what") {
  const Json context = make_context(make_plan(Profile::kSmoke, 42, {}), "timerbench run");
  for (const char* key : {"date", "executable", "num_cpus", "mhz_per_cpu", "caches", "load_avg",
                          "library_build_type"}) {
    CHECK(context.contains(key));
  }
  const Json& ours = context.at("timerbench");
  for (const char* key :
       {"version", "profile", "seed", "revision", "dirty", "build_type", "compiler", "flags",
        "cpu_model", "kernel", "governor", "allocator", "libraries", "command", "interrupted"}) {
    CHECK(ours.contains(key));
  }
  CHECK(ours.at("seed") == 42);
  CHECK(ours.at("profile") == "smoke");
  // No path of the machine that measured goes into a file that others read.
  CHECK(context.dump().find(std::filesystem::current_path().parent_path().string()) ==
        std::string::npos);
}
