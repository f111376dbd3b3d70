#include "conformance/check.hpp"

#include <iostream>
#include <memory>

#include "../results.hpp"
#include "command.hpp"

namespace timerbench::cli {

namespace {

using bench::Json;
using conformance::CheckReport;
using conformance::VectorFile;

struct Options {
  std::string schedulers = "all";
  std::vector<std::string> files;
  bool json = false;
};

std::string counts_text(std::size_t passed, std::size_t failed, std::size_t skipped) {
  std::string text = std::to_string(passed) + " passed, " + std::to_string(failed) + " failed";
  if (skipped > 0) text += ", " + std::to_string(skipped) + " skipped";
  return text;
}

Json report_json(const SchedulerSpec& spec, const CheckReport& report) {
  Json failures = Json::array();
  for (const CheckReport::Failure& failure : report.failures) {
    failures.push_back({{"file", failure.file},
                        {"case", failure.difference.case_name},
                        {"line", failure.difference.line},
                        {"operation", failure.difference.operation},
                        {"expected", failure.difference.expected},
                        {"got", failure.difference.got}});
  }
  Json skips = Json::array();
  for (const CheckReport::Skip& skip : report.skips) {
    skips.push_back({{"file", skip.file}, {"case", skip.case_name}, {"reason", skip.reason}});
  }
  return {{"scheduler", spec.name()},         {"passed", report.passed},
          {"failed", report.failures.size()}, {"skipped", report.skips.size()},
          {"failures", std::move(failures)},  {"skips", std::move(skips)}};
}

void print_report(const SchedulerSpec& spec, const CheckReport& report) {
  for (const CheckReport::Failure& failure : report.failures) {
    std::cout << spec.name() << ": " << conformance::to_text(failure) << "\n";
  }
  std::cout << spec.name() << ": "
            << counts_text(report.passed, report.failures.size(), report.skips.size());
  if (!report.skips.empty()) std::cout << " (" << report.skips.front().reason << ")";
  std::cout << "\n";
}

int check(const Options& options) {
  const std::vector<SchedulerSpec> specs = parse_specs(options.schedulers);
  std::vector<VectorFile> read;
  for (const std::string& path : options.files) read.push_back(conformance::read_vectors(path));
  const std::span<const VectorFile> files = read.empty() ? conformance::built_in_vectors() : read;

  std::size_t passed = 0;
  std::size_t failed = 0;
  std::size_t skipped = 0;
  Json reports = Json::array();
  for (const SchedulerSpec& spec : specs) {
    const CheckReport report = conformance::check(spec, files);
    passed += report.passed;
    failed += report.failures.size();
    skipped += report.skips.size();
    if (options.json) {
      reports.push_back(report_json(spec, report));
    } else {
      print_report(spec, report);
    }
  }
  if (options.json) {
    std::cout << bench::to_text(Json{{"schedulers", std::move(reports)},
                                     {"passed", passed},
                                     {"failed", failed},
                                     {"skipped", skipped}})
              << "\n";
  } else {
    std::cout << counts_text(passed, failed, skipped) << "\n";
  }
  return failed == 0 ? kGood : kNo;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("check", "Replay conformance vectors and show the first differences");
  const auto options = std::make_shared<Options>();
  command->add_option("--scheduler", options->schedulers, "NAME[/PARAMETER][,...] or all")
      ->capture_default_str();
  command->add_option("--vectors", options->files,
                      "A vectors file, may be given several times; default: the built-in ones");
  command->add_flag("--json", options->json, "Print JSON");
  command->footer(
      "Schedulers with wheels run at each case's own wheel size. A scheduler that walks over every "
      "tick skips cases\n"
      "that advance over more than 10^7 of them. The format is described in "
      "impls/conformance/README.md.");
  command->callback([&action, options] { action = [options] { return check(*options); }; });
}

}  // namespace timerbench::cli
