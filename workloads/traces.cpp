// Real traces, as the timers that a server would have kept for them.
//
// A trace is what it is: it ignores the population, the seed and the number of operations that were
// asked for, and its population is the most jobs that were pending at once. See
// traces/ATTRIBUTION.md for what the files are and where they come from.
#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include "generator.hpp"
#include "generators.hpp"
#include "trace_reader.hpp"

namespace timerbench::workloads {

namespace {

constexpr Time kSecond = 1'000;  // ms
constexpr Time kMinute = 60 * kSecond;

StreamSettings trace_settings(Time tick) {
  return {.tick = tick, .start = 0, .seed = 0, .population = 0};
}

std::vector<TraceRow> rows_of(std::string_view file, std::string_view columns) {
  std::vector<TraceRow> rows = read_trace(embedded_trace(file), file, columns);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i][0] < rows[i - 1][0]) {
      throw std::invalid_argument(std::string(file) + ":" + std::to_string(i + 2) +
                                  ": expected rows in the order of their time, found " +
                                  std::to_string(rows[i][0]) + " after " +
                                  std::to_string(rows[i - 1][0]));
    }
  }
  return rows;
}

/// Lets everything that is still pending fire, each job at its own tick.
void drain(StreamBuilder& stream) {
  while (const auto next = stream.next_expiry()) stream.advance(*next);
}

// ---------------------------------------------------------------------------- web_requests

constexpr WorkloadParameter kWebParameters[] = {
    {"timeout", 15'000, 1'000, 3.6e6, "idle timeout of a client, in ms",
     ParameterUnit::kMilliseconds},
};

/// Each request arms its client's idle timer, or arms it anew. The times are whole seconds; in each
/// second the loop reads the requests first and looks at its timers then, as nginx's does, so that
/// a request in the second in which its client would time out is in time. It wakes in seconds with
/// requests or timeouts.
OpStream make_web_requests(const WorkloadRequest& request) {
  const Time timeout = whole(parameter(request, "timeout"));
  StreamBuilder stream(request.name, trace_settings(kSecond));
  StepClock clock(stream, kSecond);
  std::unordered_map<std::int64_t, JobNumber> job_of_client;
  const auto on_fire = [](JobNumber, Time) {};  // The client keeps its job for its next visit.

  stream.begin_timed();
  const std::vector<TraceRow> requests = rows_of("web_requests.csv", "t_s,client");
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Time now = requests[i][0] * kSecond;
    clock.fire_until(static_cast<double>(now - kSecond), on_fire);
    const auto [client, is_new] = job_of_client.try_emplace(requests[i][1], 0);
    if (is_new) client->second = stream.acquire();
    stream.schedule(client->second, now + timeout);
    const bool last_of_second = i + 1 == requests.size() || requests[i + 1][0] != requests[i][0];
    if (last_of_second) clock.advance_to(static_cast<double>(now), on_fire);
  }
  drain(stream);
  return std::move(stream).finish();
}

// ---------------------------------------------------------------------------- llm_code, llm_conv

constexpr WorkloadParameter kLlmCodeParameters[] = {
    {"timeout", 5'000, 1, 3.6e6, "timeout of a request, in ms", ParameterUnit::kMilliseconds},
};
constexpr WorkloadParameter kLlmConvParameters[] = {
    {"timeout", 10'000, 1, 3.6e6, "timeout of a request, in ms", ParameterUnit::kMilliseconds},
};

// How long a request takes (assumption): reading its context, then writing one token after the
// other.
constexpr std::int64_t kUsPerContextToken = 200;
constexpr std::int64_t kUsPerGeneratedToken = 30'000;

/// Each arrival arms its request's timeout, and the answer cancels it if it comes in time.
OpStream make_llm(const WorkloadRequest& request, std::string_view file) {
  constexpr double kUsPerMs = 1'000;
  const Time timeout = whole(parameter(request, "timeout"));
  StreamBuilder stream(request.name, trace_settings(1));
  StepClock clock(stream, 1);
  EventQueue<JobNumber> answers;
  const auto release = [&](JobNumber job, Time) { stream.release(job); };
  const auto answer_all_until = [&](double time) {
    while (!answers.empty() && answers.next_time() <= time) {
      clock.advance_to(answers.next_time(), release);
      const JobNumber job = answers.take();
      stream.cancel(job);
      stream.release(job);
    }
  };

  stream.begin_timed();
  double last_answer = 0;
  for (const TraceRow& row : rows_of(file, "t_us,context_tokens,generated_tokens")) {
    const double arrival = static_cast<double>(row[0]) / kUsPerMs;
    answer_all_until(arrival);
    clock.advance_to(arrival, release);
    const JobNumber job = stream.acquire();
    const Time deadline = whole(arrival) + timeout;
    stream.schedule(job, deadline);
    const std::int64_t service = kUsPerContextToken * row[1] + kUsPerGeneratedToken * row[2];
    const double answer = arrival + static_cast<double>(service) / kUsPerMs;
    if (whole(answer) < deadline) {
      answers.add(answer, job);
      last_answer = std::max(last_answer, answer);
    }
  }
  answer_all_until(last_answer);
  drain(stream);
  return std::move(stream).finish();
}

OpStream make_llm_code(const WorkloadRequest& request) { return make_llm(request, "llm_code.csv"); }
OpStream make_llm_conv(const WorkloadRequest& request) { return make_llm(request, "llm_conv.csv"); }

// ---------------------------------------------------------------------------- flights

constexpr WorkloadParameter kFlightsParameters[] = {
    {"notice", 1.8e6, 0, 8.64e7, "how long before the planned time the new one is known, in ms",
     ParameterUnit::kMilliseconds},
};

/// A reminder of each flight is loaded at the start. Some time before it is planned the delay is
/// known, and the reminder is moved to the time when it will be. Reminders that are moved into the
/// past fire at once.
OpStream make_flights(const WorkloadRequest& request) {
  const Time notice = whole(parameter(request, "notice"));
  StreamBuilder stream(request.name, trace_settings(kMinute));
  StepClock clock(stream, kMinute);
  const std::vector<TraceRow> flights = rows_of("flights_2001.csv", "planned_min,delay_min");
  for (const TraceRow& flight : flights) stream.schedule(stream.acquire(), flight[0] * kMinute);

  stream.begin_timed();
  for (std::size_t i = 0; i < flights.size(); ++i) {
    const Time planned = flights[i][0] * kMinute;
    clock.advance_to(static_cast<double>(planned - notice), [](JobNumber, Time) {});
    const auto job = static_cast<JobNumber>(i);
    // With a very short notice it has fired as planned.
    if (stream.is_pending(job)) stream.schedule(job, planned + flights[i][1] * kMinute);
  }
  drain(stream);
  return std::move(stream).finish();
}

}  // namespace

constinit const Workload kWebRequests{
    .name = "web_requests",
    .summary = "trace: idle timers of a web server's clients, ten thousand requests in bursts",
    .kind = WorkloadKind::kTrace,
    .parameters = kWebParameters,
    .make = make_web_requests,
};

constinit const Workload kLlmCode{
    .name = "llm_code",
    .summary = "trace: timeouts of requests to a code model, bursty; 2.5 % expire",
    .kind = WorkloadKind::kTrace,
    .parameters = kLlmCodeParameters,
    .make = make_llm_code,
};

constinit const Workload kLlmConv{
    .name = "llm_conv",
    .summary = "trace: timeouts of requests to a chat model; a third expire",
    .kind = WorkloadKind::kTrace,
    .parameters = kLlmConvParameters,
    .make = make_llm_conv,
};

constinit const Workload kFlights{
    .name = "flights",
    .summary = "trace: reminders of 20,000 flights, loaded at once, each moved by its delay",
    .kind = WorkloadKind::kTrace,
    .parameters = kFlightsParameters,
    .make = make_flights,
};

}  // namespace timerbench::workloads
