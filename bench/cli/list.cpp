#include <iomanip>
#include <iostream>
#include <memory>

#include "../results.hpp"
#include "command.hpp"
#include "timerbench/registry.hpp"
#include "workload.hpp"

namespace timerbench::cli {

namespace {

using bench::Json;
using workloads::Workload;
using workloads::WorkloadKind;

Json schedulers_json() {
  Json list = Json::array();
  for (const SchedulerEntry& entry : all_families()) {
    const FamilyInfo& info = entry.info;
    Json item{{"name", info.name},
              {"summary", info.summary},
              {"source", info.source},
              {"origin", name_of(info.origin)},
              {"role", info.role == Role::kFloor ? "floor" : "scheduler"},
              {"costs",
               {{"schedule", info.costs.schedule},
                {"cancel", info.costs.cancel},
                {"advance", info.costs.advance},
                {"next_expiry", info.costs.next_expiry}}},
              {"capabilities",
               {{"where", entry.capabilities.location},
                {"next_expiry", entry.capabilities.exact_next_expiry ? "exact" : "lower_bound"},
                {"steps_every_tick", entry.capabilities.steps_every_tick}}}};
    if (info.parameter.exists()) {
      item["parameter"] = {{"name", info.parameter.name},
                           {"default", info.parameter.default_value},
                           {"allowed", info.parameter.allowed_text()},
                           {"sweep", std::vector<std::uint32_t>(info.parameter.sweep.begin(),
                                                                info.parameter.sweep.end())}};
    }
    list.push_back(std::move(item));
  }
  return list;
}

Json workloads_json() {
  Json list = Json::array();
  for (const Workload& workload : workloads::all_workloads()) {
    Json parameters = Json::array();
    for (const auto& parameter : workload.parameters) {
      parameters.push_back({{"name", parameter.name},
                            {"default", parameter.default_value},
                            {"minimum", parameter.minimum},
                            {"maximum", parameter.maximum},
                            {"meaning", parameter.meaning}});
    }
    list.push_back({{"name", workload.name},
                    {"kind", bench::name_of(workload.kind)},
                    {"summary", workload.summary},
                    {"parameters", std::move(parameters)}});
  }
  return list;
}

void print_schedulers(std::ostream& out) {
  out << "Schedulers (N pending jobs, W wheel size, L wheels in use, d arity):\n\n";
  for (const SchedulerEntry& entry : all_families()) {
    const FamilyInfo& info = entry.info;
    out << "  " << info.name;
    if (info.parameter.exists()) {
      out << "/" << info.parameter.default_value << "  (" << info.parameter.name << ": "
          << info.parameter.allowed_text() << ")";
    }
    out << "\n      " << info.summary << "\n";
    if (info.role == Role::kFloor) continue;
    out << "      schedule " << info.costs.schedule << ", cancel " << info.costs.cancel
        << ", advance " << info.costs.advance << ", next_expiry " << info.costs.next_expiry
        << "\n      origin " << name_of(info.origin) << "; next_expiry "
        << (entry.capabilities.exact_next_expiry ? "exact" : "lower bound")
        << (entry.capabilities.location ? ", where and levels" : "")
        << (entry.capabilities.steps_every_tick ? ", walks over every tick" : "") << "\n";
  }
}

void print_workloads(std::ostream& out) {
  out << "\nWorkloads:\n\n";
  for (const Workload& workload : workloads::all_workloads()) {
    out << "  " << std::left << std::setw(18) << workload.name << std::setw(11)
        << bench::name_of(workload.kind) << workload.summary << "\n";
    for (const auto& parameter : workload.parameters) {
      out << "      " << parameter.name << "=" << parameter.default_value << "  "
          << parameter.meaning << " (" << parameter.minimum << " to " << parameter.maximum << ")\n";
    }
  }
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("list", "Name all schedulers and workloads, with what they claim");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON");
  command->callback([&action, json] {
    action = [json] {
      if (*json) {
        std::cout << bench::to_text(
                         {{"schedulers", schedulers_json()}, {"workloads", workloads_json()}})
                  << "\n";
      } else {
        print_schedulers(std::cout);
        print_workloads(std::cout);
      }
      return kGood;
    };
  });
}

}  // namespace timerbench::cli
