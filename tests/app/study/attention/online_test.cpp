// The running softmax, against numbers worked out on paper.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/parameter/parameter.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace attention_online_test {
namespace {

TEST(AttentionOnline, KeepsAMaximumASumAndAnOutput) {
  // Scores 0 and ln 2 with values 3 and 6, one at a time: sums 1 and 1/2 + 1, outputs 3 and 3/2 + 6, results 3 and 5.
  const auto result = compute("attention/online", {{"keys", "0,3;0.6931471805599453,6"}, {"tile", "1"}});
  const auto& tiles = table(result, "tiles").columns;
  EXPECT_DOUBLE_EQ(tiles[2].values[1], 0.5);
  EXPECT_DOUBLE_EQ(tiles[3].values[1], 1.5);
  EXPECT_DOUBLE_EQ(tiles[4].values[1], 7.5);
  EXPECT_EQ(tiles[5].values[0], 3);
  EXPECT_DOUBLE_EQ(tiles[5].values[1], 5);
  EXPECT_TRUE(all_hold(result));
}

TEST(AttentionOnline, SaysHowManyKeysThereMayBe) {
  std::string keys = "1,1";
  for (int n = 0; n < 64; ++n) keys += ";1,1";
  try {
    compute("attention/online", {{"keys", keys.c_str()}});
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("1 to 64"), std::string::npos) << error.what();
  }
}

/// What stands on the board behind a name.
std::string said_of(const StudyResult& result, std::string_view name) {
  for (const figure::Panel& panel : result.figure.panels)
    for (std::size_t m = 0; m + 1 < panel.marks.size(); ++m) {
      const auto *note = std::get_if<figure::Note>(&panel.marks[m]),
                 *next = std::get_if<figure::Note>(&panel.marks[m + 1]);
      if (note && next && note->text == name) return next->text;
    }
  return {};
}

TEST(AttentionOnline, SaysWhatIsEqualAndWhatIsNear) {
  const auto one = compute("attention/online", {{"keys", "1000,1"}});
  EXPECT_EQ(said_of(one, "$\\ell'$"), "$e^{0} = 1$");
  EXPECT_EQ(said_of(one, "$o'$"), "$e^{0} \\cdot 1 = 1$");
  EXPECT_EQ(said_of(one, "$o' / \\ell'$"), "$1 / 1 = 1.0000$");
  // What 1 swallows in double is near it.
  const auto far = compute("attention/online", {{"keys", "1000,1;900,2"}, {"tile", "2"}});
  EXPECT_EQ(said_of(far, "$\\ell'$"), "$e^{0} + e^{-100} \\approx 1$");
  const auto cut = compute("attention/online", {{"keys", "12.3456789,1"}});
  EXPECT_EQ(said_of(cut, "$m'$"), "$\\max(-\\infty,\\; 12.3457) \\approx 12.346$");
  const auto corrected = compute("attention/online", {{"keys", "-1000,1;1000,1"}, {"tile", "1"}});
  EXPECT_EQ(said_of(corrected, "$c = e^{m - m'}$"), "$e^{-2000} \\approx 0$");
}

namespace attention_online_title {

bool saves(const titles::Said& said) {
  const double length = double(said.settings.integer("length"));
  const double width = double(said.settings.integer("head_width")),
               each = said.settings.choice("format") == "f16" ? 2 : 4;
  const double matrix = said.column("here", "matrix")[0], tiles = said.column("here", "tiles")[0],
               times = std::max(matrix, tiles) / std::min(matrix, tiles);
  if (const auto part =
          said.as("Softmax in one pass: at {} tokens about as many bytes are moved as with the matrix"))
    return titles::says((*part)[0], length) && titles::says("1", times, 2);
  // Queries, keys and values read, the result read and written and its maximum and sum: no memory moves fewer.
  const double least = each * (5 * length * width + 4 * length);
  const std::string more = ": at {} tokens {} times as many bytes are moved as with the matrix";
  const auto part =
      tiles <= matrix
          ? said.as("Softmax in one pass: at {} tokens {} times fewer bytes are moved than with the matrix")
      : least <= matrix ? said.as("Softmax in one pass, with too little fast memory" + more)
      : tiles > least
          ? said.as("Softmax in one pass, of too short a text and with too little fast memory" + more)
          : said.as("Softmax in one pass, of too short a text" + more);
  return part && titles::says((*part)[0], length) && titles::says((*part)[1], times, 2) && (*part)[1] != "1";
}

const titles::Entries entries{{"attention/online", saves}};

}  // namespace attention_online_title

}  // namespace
}  // namespace attention_online_test
}  // namespace orrery::study
