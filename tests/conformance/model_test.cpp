#include "conformance/model.hpp"

#include "catch.hpp"

namespace timerbench::conformance {

TEST_CASE("the model that judges random walks is itself judged by the vectors") {
  for (const VectorFile& file : built_in_vectors()) {
    for (const VectorCase& vector_case : file.cases) {
      Model model(vector_case);
      for (const Step& step : vector_case.steps) {
        INFO(file.name << ":" << step.line << ": case " << vector_case.name << ": "
                       << to_text(step.operation));
        REQUIRE(to_text(model.answer(step.operation)) == to_text(step.expected));
      }
    }
  }
}

TEST_CASE("the model's division rounds down") {
  CHECK(static_cast<int>(floor_div128(7, 4)) == 1);
  CHECK(static_cast<int>(floor_div128(-7, 4)) == -2);
  CHECK(static_cast<int>(floor_div128(-8, 4)) == -2);
}

}  // namespace timerbench::conformance
