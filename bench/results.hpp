// What a run found, and its file: Google Benchmark's JSON schema with added keys; results/README.md
// lists them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "plan.hpp"

namespace timerbench::bench {

using Json = nlohmann::ordered_json;

/// The lists of the results file, filled as the run goes.
struct Results {
  Json context;
  Json benchmarks = Json::array();
  Json latency = Json::array();
  Json memory = Json::array();
  Json work = Json::array();
  Json skipped = Json::array();
  int failed_rows = 0;
};

std::string_view name_of(workloads::WorkloadKind kind);

/// The keys that every entry has: which scheduler, on what.
Json row_keys(const Group& group, const RowSpec& row, std::uint64_t population);

/// "rpc_timeouts/n:1000/hierarchical_wheel/256/handle".
std::string row_name(const Group& group, const RowSpec& row, std::uint64_t population);

/// Writes a temporary file beside `path` and renames it, so that the file is whole or the old one is
/// still there; links are followed, permissions stay. Devices and pipes are written to as they are.
/// Errors: std::runtime_error naming the path and why; no temporary file is left.
void write_file(const std::filesystem::path& path, const std::string& text);

/// Finds out before long work whether write_file() will be able to. Changes nothing.
/// Errors: std::runtime_error naming the path and why.
void check_writable(const std::filesystem::path& path);

/// JSON as text; bytes that are not UTF-8, as a file's name may have, become replacement characters.
std::string to_text(const Json& json, int indent = 2);

/// Errors: std::runtime_error naming the path; std::logic_error if a number is not finite.
void write_results(const std::filesystem::path& path, const Results& results);

}  // namespace timerbench::bench
