// What was measured stands in the settings from then on: it is not measured again.
#include <atomic>

#include "tests/app/gui/harness.h"

namespace orrery::gui::measured_test {
namespace {

std::atomic<int> measured = 0;

constexpr parameter::Parameter parameters[] = {{.name = "measure",
                                                .label = "Measure",
                                                .kind = parameter::Kind::toggle,
                                                .fallback = "off",
                                                .measures = true},
                                               {.name = "results",
                                                .label = "Results",
                                                .kind = parameter::Kind::text,
                                                .min = 0,
                                                .max = 100,
                                                .presentation = true}};

study::StudyResult compute(const parameter::Settings& settings, const study::Run&) {
  study::StudyResult result;
  result.figure.panels.resize(1);
  result.figure.title = settings.text("results");
  if (settings.toggle("measure"))
    result.keeps = "measure=off results='a machine, " + std::to_string(++measured) + "'";
  return result;
}

constexpr study::Study clock{.id = "test/clock",
                             .title = "Clock",
                             .topic = "Test",
                             .summary = "",
                             .formula = "x",
                             .about = "",
                             .source = "",
                             .parameters = parameters,
                             .tries = {},
                             .compute = compute};

TEST(MeasuredTest, IsKeptInTheSettings) {
  measured = 0;
  Harness h;
  h.app.start_with(clock);
  h.settle();
  ASSERT_TRUE(h.app.change("measure", true, {}));
  h.settle();
  h.frames(2);  // what is kept is asked for in the next frame
  h.settle();
  EXPECT_EQ(measured, 1);
  EXPECT_FALSE(h.app.settings().toggle("measure"));
  EXPECT_EQ(h.app.settings().text("results"), "a machine, 1");
  EXPECT_EQ(h.app.result()->result.figure.title, "a machine, 1");
  h.app.undo();
  h.settle();
  EXPECT_EQ(h.app.settings().text("results"), "") << "back to before it was asked for";
  EXPECT_EQ(measured, 1);
}

}  // namespace
}  // namespace orrery::gui::measured_test
