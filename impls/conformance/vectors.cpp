#include "conformance/vectors.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "support/embedded_text.hpp"

namespace timerbench {
std::span<const EmbeddedText> embedded_vectors();
}

namespace timerbench::conformance {

namespace {

constexpr std::string_view kArrow = "->";
constexpr std::string_view kNone = "none";
constexpr std::string_view kEmptyBatch = "-";
constexpr std::string_view kHeaderForm = "case NAME tick=T wheel_size=W start=S";

template <class... Alternatives>
struct Overloaded : Alternatives... {
  using Alternatives::operator()...;
};
template <class... Alternatives>
Overloaded(Alternatives...) -> Overloaded<Alternatives...>;

/// Reads one file, line by line. Every error names the line being read.
class Parser {
 public:
  Parser(std::string_view text, std::string file_name) : text_(text) {
    file_.name = std::move(file_name);
  }

  VectorFile parse() && {
    while (next_line()) {
      if (words_.empty()) {
        // A comment alone does not end a case, only a line with nothing on it does.
        if (line_is_blank_) end_case();
      } else if (words_.front() == "case") {
        end_case();
        begin_case();
      } else {
        add_step();
      }
    }
    end_case();
    if (file_.cases.empty()) fail("no case in the whole file", "at least one '" + form() + "'");
    return std::move(file_);
  }

 private:
  static std::string form() { return std::string(kHeaderForm); }

  [[noreturn]] void fail(const std::string& what, const std::string& expected) const {
    throw VectorError(file_.name + ":" + std::to_string(std::max<std::size_t>(line_, 1)) + ": " +
                      what + "; expected " + expected);
  }

  static std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

  bool next_line() {
    if (text_.empty()) return false;
    ++line_;
    const std::size_t end = text_.find('\n');
    std::string_view line = text_.substr(0, end);
    text_.remove_prefix(end == std::string_view::npos ? text_.size() : end + 1);

    constexpr std::string_view kSpace = " \t\r";
    line_is_blank_ = line.find_first_not_of(kSpace) == std::string_view::npos;
    line = line.substr(0, line.find('#'));
    words_.clear();
    while (true) {
      const std::size_t begin = line.find_first_not_of(kSpace);
      if (begin == std::string_view::npos) return true;
      line.remove_prefix(begin);
      const std::size_t length = std::min(line.find_first_of(kSpace), line.size());
      words_.push_back(line.substr(0, length));
      line.remove_prefix(length);
    }
  }

  void begin_case() {
    if (words_.size() != 5) fail(std::to_string(words_.size()) + " words", quoted(form()));
    VectorCase header;
    header.name = words_[1];
    header.tick = field<Time>(words_[2], "tick");
    header.wheel_size = field<std::uint32_t>(words_[3], "wheel_size");
    header.start = field<Time>(words_[4], "start");
    if (header.tick < 1) fail("tick is " + std::to_string(header.tick), "at least 1");
    if (header.wheel_size < 2) {
      fail("wheel_size is " + std::to_string(header.wheel_size), "at least 2");
    }
    if (floor_mod(header.start, header.tick) != 0) {
      fail("start is " + std::to_string(header.start),
           "a multiple of the tick, " + std::to_string(header.tick));
    }
    const auto [known, is_new] = case_lines_.try_emplace(header.name, line_);
    if (!is_new) {
      fail("case " + quoted(header.name) + " exists, at line " + std::to_string(known->second),
           "a name of its own for each case");
    }
    file_.cases.push_back(std::move(header));
    in_case_ = true;
  }

  void end_case() {
    if (in_case_ && file_.cases.back().steps.empty()) {
      fail("case " + quoted(file_.cases.back().name) + " ends", "an operation before its end");
    }
    in_case_ = false;
  }

  void add_step() {
    if (!in_case_) fail(quoted(words_.front()) + " outside a case", quoted(form()) + " first");
    Step step;
    step.line = line_;
    const std::string_view name = words_.front();
    if (name == "schedule") {
      expect_arguments(2, "schedule ID DEADLINE");
      if (words_.size() != 3) fail(quoted(words_[3]) + " after the operation", "the line's end");
      step.operation =
          Schedule{number<JobId>(words_[1], "ID"), number<Time>(words_[2], "DEADLINE")};
    } else if (name == "cancel") {
      step.operation = Cancel{id_argument("cancel ID -> true | false")};
      step.expected = parse_bool(only_answer("true | false"));
    } else if (name == "advance") {
      expect_arguments(1, "advance NOW -> ID ID ... | -");
      step.operation = Advance{number<Time>(words_[1], "NOW")};
      step.expected = parse_batch();
    } else if (name == "where") {
      step.operation = Where{id_argument("where ID -> WHEEL SLOT | none")};
      step.expected = parse_location();
    } else if (name == "levels") {
      expect_arguments(0, "levels -> N");
      step.operation = Levels{};
      step.expected = number<std::size_t>(only_answer("a number of wheels"), "N");
    } else if (name == "pending") {
      expect_arguments(0, "pending -> N");
      step.operation = Pending{};
      step.expected = number<std::size_t>(only_answer("a number of jobs"), "N");
    } else if (name == "next") {
      expect_arguments(0, "next -> TIME | none");
      step.operation = Next{};
      const std::string_view answer = only_answer("TIME | none");
      step.expected = answer == kNone ? std::optional<Time>() : number<Time>(answer, "TIME");
    } else {
      fail("unknown operation " + quoted(name),
           "schedule, cancel, advance, where, levels, pending or next");
    }
    file_.cases.back().steps.push_back(std::move(step));
  }

  /// Checks the number of arguments and, for all operations but schedule, that an arrow follows.
  void expect_arguments(std::size_t count, const std::string& usage) {
    std::size_t given = 0;
    while (given + 1 < words_.size() && words_[given + 1] != kArrow) ++given;
    const bool has_arrow = given + 1 < words_.size();
    const bool needs_arrow = words_.front() != "schedule";
    if (needs_arrow && !has_arrow) fail("no '->' and no answer", quoted(usage));
    if (!needs_arrow && has_arrow) fail("an answer to schedule", quoted(usage) + " alone");
    if (given != count) fail(std::to_string(given) + " arguments", quoted(usage));
    answer_ = std::span(words_).subspan(has_arrow ? given + 2 : words_.size());
    if (needs_arrow && answer_.empty()) fail("no answer after '->'", quoted(usage));
  }

  JobId id_argument(const std::string& usage) {
    expect_arguments(1, usage);
    return number<JobId>(words_[1], "ID");
  }

  std::string_view only_answer(const std::string& expected) const {
    if (answer_.size() != 1) fail(std::to_string(answer_.size()) + " answers", expected);
    return answer_.front();
  }

  bool parse_bool(std::string_view word) const {
    if (word != "true" && word != "false") fail("answer " + quoted(word), "true or false");
    return word == "true";
  }

  std::vector<JobId> parse_batch() const {
    std::vector<JobId> batch;
    if (answer_.size() == 1 && answer_.front() == kEmptyBatch) return batch;
    for (const std::string_view word : answer_) batch.push_back(number<JobId>(word, "ID"));
    return batch;
  }

  std::optional<Location> parse_location() const {
    if (answer_.size() == 1 && answer_.front() == kNone) return std::nullopt;
    if (answer_.size() != 2) fail(std::to_string(answer_.size()) + " answers", "WHEEL SLOT | none");
    return Location{number<std::uint32_t>(answer_[0], "WHEEL"),
                    number<std::uint32_t>(answer_[1], "SLOT")};
  }

  template <class Number>
  Number field(std::string_view word, const std::string& key) const {
    const std::string prefix = key + "=";
    if (word.substr(0, prefix.size()) != prefix) fail(quoted(word), quoted(prefix + "NUMBER"));
    return number<Number>(word.substr(prefix.size()), key);
  }

  /// The whole word as a decimal number of that type.
  template <class Number>
  Number number(std::string_view word, const std::string& what) const {
    Number value{};
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stop != end) {
      fail(what + " is " + quoted(word),
           std::string(std::is_signed_v<Number> ? "a" : "an unsigned") + " decimal number of " +
               std::to_string(8 * sizeof(Number)) + " bits");
    }
    return value;
  }

  std::string_view text_;
  VectorFile file_;
  std::size_t line_ = 0;
  bool line_is_blank_ = false;
  bool in_case_ = false;
  std::vector<std::string_view> words_;
  std::span<const std::string_view> answer_;  ///< The words after the arrow.
  std::unordered_map<std::string, std::size_t> case_lines_;
};

}  // namespace

std::string to_text(const Operation& operation) {
  return std::visit(
      Overloaded{
          [](const Schedule& schedule) {
            return "schedule " + std::to_string(schedule.id) + " " +
                   std::to_string(schedule.deadline);
          },
          [](const Cancel& cancel) { return "cancel " + std::to_string(cancel.id); },
          [](const Advance& advance) { return "advance " + std::to_string(advance.now); },
          [](const Where& where) { return "where " + std::to_string(where.id); },
          [](Levels) { return std::string("levels"); },
          [](Pending) { return std::string("pending"); },
          [](Next) { return std::string("next"); },
      },
      operation);
}

std::string to_text(const Answer& answer) {
  return std::visit(Overloaded{
                        [](std::monostate) { return std::string(); },
                        [](bool removed) { return std::string(removed ? "true" : "false"); },
                        [](const std::vector<JobId>& batch) {
                          std::string text;
                          for (const JobId id : batch)
                            text += (text.empty() ? "" : " ") + std::to_string(id);
                          return text.empty() ? std::string(kEmptyBatch) : text;
                        },
                        [](const std::optional<Location>& place) {
                          return place ? std::to_string(place->wheel) + " " +
                                             std::to_string(place->slot)
                                       : std::string(kNone);
                        },
                        [](std::size_t count) { return std::to_string(count); },
                        [](const std::optional<Time>& time) {
                          return time ? std::to_string(*time) : std::string(kNone);
                        },
                    },
                    answer);
}

std::string to_text(const VectorCase& vector_case) {
  std::string text = "case " + vector_case.name + " tick=" + std::to_string(vector_case.tick) +
                     " wheel_size=" + std::to_string(vector_case.wheel_size) +
                     " start=" + std::to_string(vector_case.start) + "\n";
  for (const Step& step : vector_case.steps) {
    text += to_text(step.operation);
    if (!std::holds_alternative<std::monostate>(step.expected)) {
      text += " " + std::string(kArrow) + " " + to_text(step.expected);
    }
    text += "\n";
  }
  return text;
}

VectorFile parse_vectors(std::string_view text, std::string file_name) {
  return Parser(text, std::move(file_name)).parse();
}

VectorFile read_vectors(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  // An empty file sets the stream's failbit too, but is the parser's to judge.
  if (file && file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (!file.eof() && !file) {
    throw VectorError(path.string() + ": the file cannot be read; expected a vectors file");
  }
  return parse_vectors(text.str(), path.string());
}

std::span<const VectorFile> built_in_vectors() {
  static const std::vector<VectorFile> files = [] {
    std::vector<VectorFile> parsed;
    for (const EmbeddedText& vectors : embedded_vectors()) {
      parsed.push_back(parse_vectors(vectors.text(), std::string(vectors.file)));
    }
    return parsed;
  }();
  return files;
}

}  // namespace timerbench::conformance
