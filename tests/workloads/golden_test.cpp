// Op streams are the same to the bit on every compiler and platform: their digests are in
// golden_digests.txt. When a change is meant to change streams, write that file anew,
//   TIMERBENCH_WRITE_GOLDEN=tests/workloads/golden_digests.txt build/release/tests/workloads/test_workloads
//   "[golden]"
// and say so in the change log: results from before and after cannot be compared.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "support.hpp"

namespace timerbench::workloads {
namespace {

constexpr std::uint64_t kPopulations[] = {100, 2'000};
constexpr std::uint64_t kMinOps = 4'000;
constexpr const char* kColumns = "# workload population digest";

std::string row(const std::string& workload, std::uint64_t population) {
  std::ostringstream text;
  text << workload << ' ' << population << ' ' << std::hex
       << digest(make(workload, population, kMinOps));
  return text.str();
}

TEST_CASE("digests are the golden ones", "[golden]") {
  std::ostringstream table;
  table << kColumns << '\n';
  for (const std::string& workload : workloads_to_test()) {
    for (const std::uint64_t population : kPopulations) table << row(workload, population) << '\n';
  }
  if (const char* path = std::getenv("TIMERBENCH_WRITE_GOLDEN"); path != nullptr) {
    std::ofstream out(path);
    out << table.str();
    out.close();
    REQUIRE(out);
    return;
  }
  std::ifstream file(TIMERBENCH_GOLDEN_DIGESTS);
  REQUIRE(file);
  // Line by line, so that a failure names the workload.
  std::istringstream actual(table.str());
  std::string line;
  while (std::getline(actual, line)) {
    std::string golden;
    std::getline(file, golden);
    CHECK(line == golden);
  }
  CHECK_FALSE(std::getline(file, line));
}

TEST_CASE("another seed makes another stream, except where nothing is drawn", "[golden]") {
  for (const Workload& workload : all_workloads()) {
    INFO(workload.name);
    const bool drawn = workload.kind != WorkloadKind::kTrace && workload.name != "empty_ticks";
    CHECK((digest(make(workload.name, 100, 1'000, 1)) !=
           digest(make(workload.name, 100, 1'000, 2))) == drawn);
  }
}

}  // namespace
}  // namespace timerbench::workloads
