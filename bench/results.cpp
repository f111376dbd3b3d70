#include "results.hpp"

#include <cmath>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace timerbench::bench {

namespace {

/// JSON has no infinity and no NaN, and a row that has one is not a measurement.
void check_finite(const Json& value, const std::string& where) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    throw std::logic_error("results: " + where + " is not a finite number");
  }
  if (!value.is_structured()) return;
  for (const auto& [key, part] : value.items())
    check_finite(part, where + '/' + key);  // NOLINT(performance-inefficient-string-concatenation)
}

}  // namespace

std::string_view name_of(workloads::WorkloadKind kind) {
  switch (kind) {
    case workloads::WorkloadKind::kSynthetic:
      return "synthetic";
    case workloads::WorkloadKind::kTrace:
      return "trace";
    case workloads::WorkloadKind::kOperation:
      return "operation";
    case workloads::WorkloadKind::kSweep:
      break;
  }
  return "sweep";
}

Json row_keys(const Group& group, const RowSpec& row, std::uint64_t population) {
  const workloads::Workload& workload = *group.workload.workload;
  Json parameters = Json::object();
  for (const workloads::WorkloadParameter& parameter : workload.parameters) {
    const double value = group.workload.parameters.at(std::string(parameter.name));
    // A sweep's first parameter is its point: named also where it happens to be the default.
    const bool is_point = workload.kind == workloads::WorkloadKind::kSweep &&
                          &parameter == &workload.parameters.front();
    if (value != parameter.default_value || is_point) {
      parameters[std::string(parameter.name)] = value;
    }
  }
  return {{"scheduler", row.scheduler.name()},
          {"family", row.scheduler.family->info.name},
          {"role", row.role()},
          {"level", name_of(row.level)},
          {"workload", workload.name},
          {"parameters", std::move(parameters)},
          {"kind", name_of(workload.kind)},
          {"population", population}};
}

std::string row_name(const Group& group, const RowSpec& row, std::uint64_t population) {
  std::string name = group.workload.name + "/n:" + std::to_string(population) + "/" +
                     row.scheduler.name() + "/" + std::string(name_of(row.level));
  if (row.repeat) name += "/repeat";
  return name;
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::path temporary = path;
  temporary += ".tmp";
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file << text;
    file.flush();
    if (!file) throw std::runtime_error(temporary.string() + ": cannot be written");
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) throw std::runtime_error(path.string() + ": cannot be written: " + error.message());
}

void write_results(const std::filesystem::path& path, const Results& results) {
  const Json all{{"context", results.context}, {"benchmarks", results.benchmarks},
                 {"latency", results.latency}, {"memory", results.memory},
                 {"work", results.work},       {"skipped", results.skipped}};
  check_finite(all, "");
  write_file(path, all.dump(1) + "\n");
}

}  // namespace timerbench::bench
