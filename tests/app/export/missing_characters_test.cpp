// What no font can show is said, wherever in a figure it stands.
#include "app/export/missing_characters.h"

#include <gtest/gtest.h>

namespace orrery::exporter::missing_characters_test {
namespace {

// The last code points of a private plane: no typeface of a distribution draws them.
constexpr const char* nowhere = "\U0010FFFC";
constexpr const char* nowhere_else = "\U0010FFFB";

TEST(MissingCharacters, NothingIsSaidWhereAllIsWell) {
  figure::Figure figure;
  figure.title = "plain words, $\\theta$ and é";
  EXPECT_EQ(english(missing_characters_note(figure)), "");
}

TEST(MissingCharacters, AreFoundInEveryPlaceAndNamedOnce) {
  using namespace figure;
  const auto note = [](auto change) {
    Figure figure;
    figure.panels.resize(1);
    change(figure.panels[0]);
    return english(missing_characters_note(figure));
  };
  const std::string said = std::string("no font here has ") + nowhere + ": shown as boxes";
  EXPECT_EQ(note([](Panel& p) { p.title = nowhere; }), said);
  EXPECT_EQ(note([](Panel& p) { p.x.label = std::string(nowhere) + nowhere; }), said);
  EXPECT_EQ(note([](Panel& p) { p.y.names = {"a", nowhere}; }), said);
  EXPECT_EQ(note([](Panel& p) { p.right.emplace().axis.label = nowhere; }), said);
  EXPECT_EQ(note([](Panel& p) { p.marks = {Line{.label = nowhere}}; }), said);
  EXPECT_EQ(note([](Panel& p) { p.marks = {Annotation{.text = nowhere}}; }), said);
  EXPECT_EQ(note([](Panel& p) { p.marks = {Heatmap{.x = {}, .y = {}, .colors = {.label = nowhere}}}; }),
            said);
  EXPECT_NE(note([](Panel& p) { p.title = std::string(nowhere) + nowhere_else; }).find(nowhere_else),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::exporter::missing_characters_test
