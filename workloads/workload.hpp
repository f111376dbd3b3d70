// All workloads, by name. See README.md in this folder for what each models and where its numbers
// come from.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "op_stream.hpp"

namespace timerbench::workloads {

/// What a parameter's number counts, and so which suffixes may follow it.
enum class ParameterUnit {
  kNumber,        ///< A share, a flag, a ratio: no suffix.
  kCount,         ///< Of jobs or ticks: k, M, G.
  kMilliseconds,  ///< ms, s, m, h, d.
};

/// A knob of a workload: a number, given as in "rpc_timeouts{cancel=0.95}".
struct WorkloadParameter {
  std::string_view name;
  double default_value = 0;
  double minimum = 0;
  double maximum = 0;
  std::string_view meaning;  ///< One line, with the unit.
  ParameterUnit unit = ParameterUnit::kNumber;
};

enum class WorkloadKind {
  kSynthetic,  ///< Generated, for any population.
  kTrace,      ///< A real trace: its population is its own.
  kOperation,  ///< One kind of operation alone, to see its cost: fills, cancels, ...
  kSweep,      ///< Made to vary one parameter (cancel share, horizon, empty ticks).
};

/// A value for every parameter that a workload has.
using ParameterValues = std::map<std::string, double, std::less<>>;

/// What a workload is asked for; `parameters` holds a value for every parameter the workload has.
struct WorkloadRequest {
  std::string name;                 ///< Goes into OpStream::workload.
  std::uint64_t population = 1000;  ///< Live jobs in steady state, at least 1.
  std::uint64_t seed = 1;
  std::uint64_t min_ops = 65536;  ///< Operations to time, at least about; a trace ignores it.
  ParameterValues parameters;
};

struct Workload {
  std::string_view name;
  std::string_view summary;  ///< One line: what it models.
  WorkloadKind kind = WorkloadKind::kSynthetic;
  std::span<const WorkloadParameter> parameters;
  OpStream (*make)(const WorkloadRequest& request);
  /// What is wrong with values that are each allowed but not together; empty if nothing is.
  std::string (*contradiction)(const ParameterValues& values) = nullptr;
};

/// Beyond it a stream does not fit into the memory of an ordinary machine.
inline constexpr std::uint64_t kMaxPopulation = 50'000'000;

/// Every workload, synthetic ones first, then traces, operations and sweeps.
std::span<const Workload> all_workloads();

/// "rpc_timeouts" or "rpc_timeouts{cancel=0.95,timeout=30s}", read and checked.
struct WorkloadSpec {
  const Workload* workload = nullptr;
  std::string
      name;  ///< As in OpStream::workload: parameters only where they differ from the default.
  ParameterValues parameters;

  /// Errors: std::invalid_argument if the population is 0 or beyond kMaxPopulation.
  OpStream make(std::uint64_t population, std::uint64_t seed, std::uint64_t min_ops) const;
};

/// Reads "name" or "name{key=value,...}". A value may carry a suffix of its parameter's unit, as in
/// "timeout=30s" or "gap=10k".
/// Errors: std::invalid_argument naming the part that is wrong and what is allowed.
WorkloadSpec parse_workload(std::string_view text);

}  // namespace timerbench::workloads
