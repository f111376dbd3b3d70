#include "context.hpp"

#include <absl/base/config.h>
#include <benchmark/benchmark.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <CLI/Version.hpp>
#include <array>
#include <boost/version.hpp>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>

#include "build_info.hpp"

namespace timerbench::bench {

std::string unfit_build() {
  std::string reasons;
  const auto add = [&reasons](const std::string& reason) {
    reasons += (reasons.empty() ? "" : ", ") + reason;
  };
  if (std::string_view(kSanitizers) != "") add("built with -fsanitize=" + std::string(kSanitizers));
#ifndef NDEBUG
  add("assertions are on");
#endif
#ifndef __OPTIMIZE__
  add("built without optimisation");
#endif
  return reasons;
}

namespace {

std::string first_line_of(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    if (line.rfind("model name", 0) == 0) {
      const std::size_t value = line.find(": ");
      if (value != std::string::npos) return line.substr(value + 2);
    }
  }
  return "unknown";
}

std::string kernel() {
  utsname names{};
  return uname(&names) == 0 ? std::string(names.sysname) + " " + names.release : "unknown";
}

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__GNUC__)
  return "g++ " __VERSION__;
#else
  return "unknown";
#endif
}

/// What `git` answers in the source folder; empty where it does not.
std::string git(const std::string& arguments) {
  const std::string command =
      "git -C '" + std::string(kSourceFolder) + "' " + arguments + " 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT: a fixed command, no input of the user's.
  if (pipe == nullptr) return "";
  std::string text;
  std::array<char, 256> part{};
  while (fgets(part.data(), static_cast<int>(part.size()), pipe) != nullptr) text += part.data();
  pclose(pipe);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S%z", &parts);
  std::string iso(text.data());
  iso.insert(iso.size() - 2, ":");  // RFC 3339 wants +00:00.
  return iso;
}

/// Google Benchmark reads the kernel's list; where a virtual machine has none, the C library asks
/// the processor.
Json caches() {
  Json list = Json::array();
  const auto add = [&list](const std::string& type, int level, long size, int sharing) {
    list.push_back({{"type", type}, {"level", level}, {"size", size}, {"num_sharing", sharing}});
  };
  for (const auto& cache : benchmark::CPUInfo::Get().caches) {
    add(cache.type, cache.level, cache.size, cache.num_sharing);
  }
  if (!list.empty()) return list;
  struct Known {
    const char* type;
    int level;
    int name;
  };
  for (const Known& known :
       {Known{"Data", 1, _SC_LEVEL1_DCACHE_SIZE}, Known{"Instruction", 1, _SC_LEVEL1_ICACHE_SIZE},
        Known{"Unified", 2, _SC_LEVEL2_CACHE_SIZE}, Known{"Unified", 3, _SC_LEVEL3_CACHE_SIZE}}) {
    const long size = sysconf(known.name);
    if (size > 0) add(known.type, known.level, size, 0);
  }
  return list;
}

std::string boost_version() {
  return std::to_string(BOOST_VERSION / 100'000) + "." +
         std::to_string(BOOST_VERSION / 100 % 1000) + "." + std::to_string(BOOST_VERSION % 100);
}

std::string abseil_version() {
#ifdef ABSL_LTS_RELEASE_VERSION
  return std::to_string(ABSL_LTS_RELEASE_VERSION) + "." +
         std::to_string(ABSL_LTS_RELEASE_PATCH_LEVEL);
#else
  return "head";
#endif
}

/// Whose each family is, for the tables that set our own against others.
Json family_origins() {
  Json origins = Json::object();
  for (const SchedulerEntry& entry : all_families())
    origins[std::string(entry.info.name)] = name_of(entry.info.origin);
  return origins;
}

}  // namespace

Json make_context(const Plan& plan, const std::string& command) {
  const benchmark::CPUInfo& cpu = benchmark::CPUInfo::Get();
  const std::string started = now_text();
  const std::string revision = git("rev-parse --short=12 HEAD");
  const std::string governor =
      first_line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  return {{"date", started},
          {"executable", "timerbench"},
          {"num_cpus", cpu.num_cpus},
          {"mhz_per_cpu", cpu.cycles_per_second / 1e6},
          {"cpu_scaling_enabled", cpu.scaling == benchmark::CPUInfo::ENABLED},
          {"caches", caches()},
          {"load_avg", cpu.load_avg},
          // Ours, as unfit_build() has let it pass. Debian's libbenchmark is built with assertions
          // and calls itself a debug build, which concerns its own code and not the timed loops.
          {"library_build_type", "release"},
          {"timerbench",
           {{"version", kVersion},
            {"profile", name_of(plan.profile)},
            {"seed", plan.seed},
            {"repetitions", plan.repetitions},
            {"revision", revision.empty() ? "unknown" : revision},
            {"dirty", !git("status --porcelain --untracked-files=no").empty()},
            {"build_type", kBuildType},
            {"compiler", compiler()},
            {"flags", kFlags},
            {"cpu_model", cpu_model()},
            {"kernel", kernel()},
            {"governor", governor.empty() ? "unknown" : governor},
            {"allocator", "the C library's malloc, counted"},
            {"libraries",
             {{"absl", abseil_version()},
              {"benchmark", kBenchmarkVersion},
              {"boost", boost_version()},
              {"cli11", CLI11_VERSION},
              {"nlohmann_json", std::to_string(NLOHMANN_JSON_VERSION_MAJOR) + "." +
                                    std::to_string(NLOHMANN_JSON_VERSION_MINOR) + "." +
                                    std::to_string(NLOHMANN_JSON_VERSION_PATCH)}}},
            {"families", family_origins()},
            {"command", command},
            {"started", started},
            {"seconds", 0},
            {"interrupted", false}}}};
}

}  // namespace timerbench::bench
