#include "results.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
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

namespace {

[[noreturn]] void throw_unwritable(const std::filesystem::path& path, const std::string& why) {
  throw std::runtime_error("'" + path.string() + "': cannot be written: " + why);
}

/// A new file beside `target`, under a name that nothing else has; gone again unless it is renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target)
      : path_((target.parent_path() / ".timerbench-XXXXXX").string()),
        descriptor_(mkstemp(path_.data())) {
    if (descriptor_ < 0) throw_unwritable(target, std::strerror(errno));
  }
  ~TemporaryFile() {
    close(descriptor_);
    if (!renamed_) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write_all(const std::string& text, const std::filesystem::path& target) const {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t now = write(descriptor_, text.data() + done, text.size() - done);
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) throw_unwritable(target, std::strerror(errno));
      done += static_cast<std::size_t>(now);
    }
  }

  void become(const std::filesystem::path& target) {
    struct stat old {};
    mode_t mode = 0;
    if (stat(target.c_str(), &old) == 0) {
      mode = old.st_mode & 07777;
    } else {  // What a file made in the ordinary way would get.
      const mode_t mask = umask(0);
      umask(mask);
      mode = 0666 & ~mask;
    }
    if (fchmod(descriptor_, mode) != 0 || rename(path_.c_str(), target.c_str()) != 0) {
      throw_unwritable(target, std::strerror(errno));
    }
    renamed_ = true;
  }

 private:
  std::string path_;
  int descriptor_;
  bool renamed_ = false;
};

/// Where a write to `path` goes, through all links, and whether that is an ordinary file, now or to be.
struct Target {
  explicit Target(const std::filesystem::path& given) {
    if (given.empty()) throw std::runtime_error("'': cannot be written: the path is empty");
    std::error_code error;
    path = std::filesystem::weakly_canonical(given, error);
    if (error) throw_unwritable(given, error.message());
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::is_directory(status)) throw_unwritable(given, "it is a folder");
    is_ordinary = !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
  }

  std::filesystem::path path;
  bool is_ordinary = true;
};

}  // namespace

void write_file(const std::filesystem::path& path, const std::string& text) {
  const Target target(path);
  if (target.is_ordinary) {
    TemporaryFile file(target.path);
    file.write_all(text, path);
    file.become(target.path);
    return;
  }
  std::ofstream device(target.path, std::ios::binary);
  device << text << std::flush;
  if (!device) throw_unwritable(path, "the device took not all of it");
}

void check_writable(const std::filesystem::path& path) {
  const Target target(path);
  if (target.is_ordinary) TemporaryFile file(target.path);
}

std::string to_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

void write_results(const std::filesystem::path& path, const Results& results) {
  // One entry a line: there are thousands, and so they can be searched and compared by line.
  std::string text = "{\n\"context\": " + to_text(results.context, 1);
  const auto add = [&text](const char* name, const Json& entries) {
    check_finite(entries, name);
    text += std::string(",\n\"") + name + "\": [";
    const char* separator = "\n";
    for (const Json& entry : entries) {
      text += separator + to_text(entry, -1);
      separator = ",\n";
    }
    text += "\n]";
  };
  check_finite(results.context, "context");
  add("benchmarks", results.benchmarks);
  add("latency", results.latency);
  add("memory", results.memory);
  add("work", results.work);
  add("skipped", results.skipped);
  write_file(path, text + "\n}\n");
}

}  // namespace timerbench::bench
