#include "stream_file.hpp"

#include <array>
#include <charconv>
#include <fstream>
#include <istream>
#include <optional>
#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "stream_builder.hpp"

namespace timerbench::workloads {

namespace {

constexpr std::string_view kMagic = "timerbench-stream";
constexpr std::string_view kVersion = "1";
constexpr std::string_view kHeaderForm =
    "\"timerbench-stream 1 workload=NAME tick=T start=S seed=N population=N jobs=N\"";

void write_ops(std::ostream& out, std::span<const Op> ops) {
  for (const Op& op : ops) {
    switch (op.kind) {
      case OpKind::kSchedule:
        out << "schedule " << op.job << ' ' << op.time << '\n';
        break;
      case OpKind::kReschedule:
        out << "reschedule " << op.job << ' ' << op.time << '\n';
        break;
      case OpKind::kCancel:
        out << "cancel " << op.job << '\n';
        break;
      case OpKind::kAdvance:
        out << "advance " << op.time << '\n';
        break;
      case OpKind::kNext:
        out << "next\n";
        break;
    }
  }
}

/// The words of a line up to a comment, separated by blanks.
std::vector<std::string_view> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    words.push_back(line.substr(0, line.find_first_of(" \t\r")));
    line.remove_prefix(words.back().size());
  }
}

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

class Reader {
 public:
  Reader(std::istream& in, const std::string& file) : in_(in), file_(file) {}

  OpStream read() {
    if (!next_line()) fail("expected " + std::string(kHeaderForm) + ", found the end of the file");
    StreamBuilder stream = read_header();
    bool timed = false;
    while (next_line()) {
      if (words_[0] == "timed") {
        expect_words(1, "timed");
        if (timed) fail("expected one line \"timed\", found a second");
        timed = true;
        stream.begin_timed();
      } else {
        read_op(stream);
      }
    }
    if (!timed) {
      fail("expected a line \"timed\" that ends the preload, found the end of the file");
    }
    OpStream result = std::move(stream).finish();
    // The header's values stand, also where no job came near them.
    result.jobs = static_cast<std::uint32_t>(jobs_);
    result.population = population_;
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw StreamFileError(file_, line_number_, message);
  }

  /// Goes to the next line with a word on it; at the end, to the line after the last.
  bool next_line() {
    while (true) {
      ++line_number_;
      if (!std::getline(in_, line_)) {
        if (in_.bad()) fail("the file cannot be read");
        return false;
      }
      words_ = words_of(line_);
      if (!words_.empty()) return true;
    }
  }

  void expect_words(std::size_t count, std::string_view form) const {
    if (words_.size() != count) fail("expected " + quoted(form) + ", found " + quoted(line_));
  }

  template <class Number>
  Number number(std::string_view what, std::string_view text) const {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range) {
      fail(std::string(what) + ": expected a number of 64 bits, found " + quoted(text));
    }
    if (error != std::errc() || end != text.data() + text.size()) {
      fail(std::string(what) + ": expected a whole number, found " + quoted(text));
    }
    return value;
  }

  /// Errors of the contract get the line that caused them.
  template <class Action>
  auto checked(Action action) const {
    try {
      return action();
    } catch (const std::logic_error& error) {
      fail(error.what());
    }
  }

  StreamBuilder read_header() {
    static constexpr std::array<std::string_view, 6> kKeys{"workload", "tick",       "start",
                                                           "seed",     "population", "jobs"};
    if (words_[0] != kMagic)
      fail("expected " + std::string(kHeaderForm) + ", found " + quoted(line_));
    if (words_.size() < 2 || words_[1] != kVersion) {
      fail("expected version 1 of the format, found " +
           quoted(words_.size() < 2 ? std::string_view() : words_[1]));
    }
    std::array<std::optional<std::string_view>, kKeys.size()> values;
    for (const std::string_view word : std::span(words_).subspan(2)) {
      const std::size_t equals = word.find('=');
      std::size_t key = 0;
      while (key < kKeys.size() && word.substr(0, equals) != kKeys[key]) ++key;
      if (equals == std::string_view::npos || key == kKeys.size()) {
        fail("expected " + std::string(kHeaderForm) + ", found " + quoted(word));
      }
      if (values[key]) fail("expected " + std::string(kKeys[key]) + " once, found it again");
      values[key] = word.substr(equals + 1);
    }
    for (std::size_t key = 0; key < kKeys.size(); ++key) {
      if (!values[key])
        fail("expected " + std::string(kKeys[key]) + "=... in the header, found none");
    }
    population_ = number<std::uint64_t>("population", *values[4]);
    jobs_ = number<std::uint64_t>("jobs", *values[5]);
    if (jobs_ > kMaxJobsInFile) {
      fail("jobs: expected at most " + std::to_string(kMaxJobsInFile) + ", found " +
           std::to_string(jobs_));
    }
    const StreamSettings settings{.tick = number<Time>("tick", *values[1]),
                                  .start = number<Time>("start", *values[2]),
                                  .seed = number<std::uint64_t>("seed", *values[3]),
                                  .population = population_};
    return checked([&] { return StreamBuilder(std::string(*values[0]), settings); });
  }

  void read_op(StreamBuilder& stream) const {
    const std::string_view verb = words_[0];
    if (verb == "schedule" || verb == "reschedule") {
      const bool again = verb == "reschedule";
      expect_words(3, again ? "reschedule JOB DEADLINE" : "schedule JOB DEADLINE");
      const JobNumber job = job_number();
      const auto deadline = number<Time>("deadline", words_[2]);
      if (stream.is_pending(job) != again) {
        const std::string name = std::to_string(job);
        fail(again ? "expected \"schedule\", since job " + name +
                         " is not pending, found \"reschedule\""
                   : "expected \"reschedule\", since job " + name +
                         " is pending, found \"schedule\"");
      }
      checked([&] { stream.schedule(job, deadline); });
    } else if (verb == "cancel") {
      expect_words(2, "cancel JOB");
      stream.cancel(job_number());
    } else if (verb == "advance") {
      expect_words(2, "advance NOW");
      stream.advance(number<Time>("now", words_[1]));
    } else if (verb == "next") {
      expect_words(1, "next");
      stream.next();
    } else {
      fail("expected schedule, reschedule, cancel, advance, next or timed, found " + quoted(verb));
    }
  }

  JobNumber job_number() const {
    const auto job = number<std::uint64_t>("job", words_[1]);
    if (job >= jobs_) {
      fail("job: expected a number below " + std::to_string(jobs_) + ", the header's jobs, found " +
           std::to_string(job));
    }
    return static_cast<JobNumber>(job);
  }

  std::istream& in_;
  const std::string& file_;
  std::size_t line_number_ = 0;
  std::string line_;
  std::vector<std::string_view> words_;  ///< Of line_.
  std::uint64_t jobs_ = 0;
  std::uint64_t population_ = 0;
};

}  // namespace

void write_stream(std::ostream& out, const OpStream& stream) {
  if (stream.workload.empty() || stream.workload.find_first_of(" \t\r\n#") != std::string::npos) {
    throw std::invalid_argument("workload: " + quoted(stream.workload) +
                                " is not allowed; must be a name without blanks and #");
  }
  if (stream.jobs > kMaxJobsInFile) throw_limit("jobs of a stream file", kMaxJobsInFile);
  out << kMagic << ' ' << kVersion << " workload=" << stream.workload << " tick=" << stream.tick
      << " start=" << stream.start << " seed=" << stream.seed << " population=" << stream.population
      << " jobs=" << stream.jobs << '\n';
  write_ops(out, stream.preload);
  out << "timed\n";
  write_ops(out, stream.ops);
}

OpStream read_stream(std::istream& in, const std::string& file) { return Reader(in, file).read(); }

OpStream read_stream_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::invalid_argument(path + ": cannot be opened for reading");
  return read_stream(in, path);
}

}  // namespace timerbench::workloads
