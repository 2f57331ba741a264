// What is worked by hand, against numbers from elsewhere (fractions on paper; mpmath with thirty digits), and whether it is
// written out as they are. tests/reference/steps.py recomputes whole tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/study/kit/board.h"
#include "app/study/kit/fraction.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study {
namespace steps_test {
namespace {

bool says(const StudyResult& result, std::string_view text) {
  for (const figure::Panel& panel : result.figure.panels)
    for (const figure::Mark& mark : panel.marks)
      if (const auto* note = std::get_if<figure::Note>(&mark); note && note->text == text) return true;
  return false;
}

TEST(Fractions, AreWrittenAsByHand) {
  EXPECT_EQ(tex(Fraction(6, -4)), "-\\frac{3}{2}");
  EXPECT_EQ(tex(Fraction::of(2.5)), "\\frac{5}{2}");
  EXPECT_EQ(tex(Fraction::of(-0.125) * Fraction(16, 1)), "-2");
  EXPECT_EQ(tex(root_of(Fraction(5, 4))), "\\frac{\\sqrt{5}}{2}");
  EXPECT_EQ(tex(root_of(Fraction(18, 1))), "3\\sqrt{2}");
  EXPECT_EQ(tex(root_of(Fraction(9, 4))), "\\frac{3}{2}");
  EXPECT_EQ(tex(divided(Fraction(-3, 2), root_of(Fraction(5, 4)))), "-\\frac{3}{\\sqrt{5}}");
  EXPECT_NEAR(divided(Fraction(7, 3), root_of(Fraction(11, 7))).value(), 7.0 / 3 / std::sqrt(11.0 / 7),
              1e-15);
}

TEST(Fractions, AreNotKnownWhereTheyGrowTooLong) {
  EXPECT_FALSE(Fraction::of(std::sqrt(2)).known());
  EXPECT_FALSE(Fraction::of(1e-9).known());
  Fraction f = Fraction::of(0.123457);
  for (int i = 0; i < 8; ++i) f = f * f;
  EXPECT_FALSE(f.known());
  EXPECT_FALSE((Fraction(1, 1) / Fraction(0, 1)).known());
  EXPECT_FALSE((Fraction(0) / 0).known());
  EXPECT_FALSE(Fraction().known());
  EXPECT_EQ(tex(Fraction(100003, 7)), "");
}

TEST(Fractions, AreExactAsFarAsTheyReach) {
  const Fraction f = Fraction::of(123456.789), fourth = f * f * f * f;
  ASSERT_TRUE(fourth.known());
  EXPECT_TRUE(equal(power(fourth, Fraction(1, 4)), f));
  EXPECT_TRUE(equal(power(Fraction(8, 27), Fraction(2, 3)), Fraction(4, 9)));
  EXPECT_FALSE(power(Fraction(8, 3), Fraction(2, 3)).known());
  EXPECT_TRUE(equal(Fraction(1, 3) - Fraction(1, 2), Fraction(-1, 6)));
}

TEST(Board, ShowsNoDigitThatMayBeWrong) {
  EXPECT_EQ(right_decimals(6, 1e-12), 6);
  EXPECT_EQ(right_decimals(10, 1e-8), 7);
  EXPECT_EQ(right_decimals(4, 1), 0);
  EXPECT_EQ(tex_digits(0.25, 6), "0.25");
  EXPECT_EQ(tex_digits(1e-6, 6), "10^{-6}");
  EXPECT_EQ(tex_digits(-3.16228e-5, 6), "-3.16228 \\cdot 10^{-5}");
  EXPECT_EQ(tex_factor(-2, 6), "(-2)");
  EXPECT_EQ(tex_fixed(-0.00001, 3), "0.000");
  EXPECT_EQ(tex_exact(0.1), "0.1");
  EXPECT_EQ(tex_exact(1e6), "1000000");
  EXPECT_EQ(tex_exact(-1.0 / 3), "-0.3333333333333333");
}

TEST(Board, SaysEqualWhereWhatIsShownIsAllOfIt) {
  EXPECT_EQ(equals("1+1+1", "3", 3), " = ");
  EXPECT_EQ(equals("0.5 \\cdot 3", "1.5000", 1.5), " = ");
  EXPECT_EQ(equals("e^{0}", "1", 1), " = ");
  EXPECT_EQ(equals("\\sqrt{0 + 1}", "1", 1), " = ");
  EXPECT_EQ(equals("0.1 + 0.2", "0.3", 0.1 + 0.2), " = ") << "a rounding in double is no digit of theirs";
  EXPECT_EQ(equals("e^{-2000}", "0", 0), " \\approx ");
  EXPECT_EQ(equals("1 + 10^{-20}", "1", 1), " \\approx ");
  EXPECT_EQ(equals("\\frac{1}{3}", "0.3333", 1 / 3.0), " \\approx ");
  EXPECT_EQ(equals("1 \\cdot 1.2346", "1.2346", 1.23456), " \\approx ");
  EXPECT_EQ(equals("1.0000 \\cdot 2", "2.0000", 2, gives_back("1.0000", 0.99999999)), " \\approx ");
  EXPECT_TRUE(gives_back("(-0.5)", -0.5));
  EXPECT_FALSE(gives_back("0.0000", 1e-20));
}

// Of a table only what is a number stands in the voice of numbers.
TEST(Board, NamesWithADigitAreWords) {
  const figure::Panel panel = board_panel(
      {.columns = 5}, {{.name = "Gemma 2B", .cells = {"in bf16", "\u22121.25", "12 MiB", "3.1e-5", "9"}}});
  std::vector<std::pair<std::string, bool>> notes;
  for (const figure::Mark& mark : panel.marks) {
    const auto& note = std::get<figure::Note>(mark);
    notes.emplace_back(note.text, note.numbers);
  }
  const std::vector<std::pair<std::string, bool>> expected{{"Gemma 2B", false},  {"in bf16", false},
                                                           {"\u22121.25", true}, {"12 MiB", true},
                                                           {"3.1e-5", true},     {"9", true}};
  EXPECT_EQ(notes, expected);
}

// A page may be narrow: numbers beside each other grow smaller there before they run together.
TEST(Board, NumbersBesideEachOtherKeepToTheirColumns) {
  const figure::Panel panel =
      board_panel({.columns = 2, .cells_from = 0.2}, {{.cells = {"1.5", "2.5"}}, {.cells = {"$1$", "$2$"}}});
  for (const figure::Mark& mark : panel.marks) {
    const auto& note = std::get<figure::Note>(mark);
    EXPECT_EQ(note.room > 0, note.numbers) << note.text;
    EXPECT_LT(note.room, 0.4) << note.text;
  }
}

TEST(Board, CountsTheSignsOneSees) {
  EXPECT_EQ(signs_seen("\u22121.25"), 5);
  EXPECT_EQ(signs_seen("$-\\frac{1225}{64} \\cdot 2$"), 7);
  EXPECT_EQ(signs_seen("\\sqrt{2}"), 2);
}

TEST(Board, HasNoMinusZero) {
  EXPECT_EQ(tex_digits(-0.0, 6), "0");
  EXPECT_EQ(cell_text(-1e-12, 4), "0.0000");
  EXPECT_EQ(cell_text(-0.0, 2), "0.00");
  EXPECT_EQ(cell_text(-0.25, 2), "\u22120.25");
}

TEST(NormSteps, LayerNormOfOneToFour) {
  const StudyResult result = compute("norm/steps", {});
  const double known[] = {-1.3416402498438812, -0.44721341661462707, 0.44721341661462707, 1.3416402498438812};
  for (int j = 0; j < 4; ++j)
    EXPECT_NEAR(column_called(result, "components", "$y$")[std::size_t(j)], known[j], 4e-16);
  EXPECT_TRUE(says(result, "$-\\frac{3}{2}$"));
  EXPECT_TRUE(says(result, "$\\frac{9}{4}$"));
  EXPECT_TRUE(says(result, "$\\frac{1+2+3+4}{4} = \\frac{5}{2} = 2.5$"));
  EXPECT_TRUE(says(result, "$[B, T, 1]$"));
  EXPECT_TRUE(says(result, "\u22121.341640"));
  EXPECT_TRUE(all_hold(result));
}

TEST(NormSteps, WithoutEpsilonInRoots) {
  const StudyResult result = compute("norm/steps", {{"eps", "0"}});
  EXPECT_TRUE(says(result, "$\\sqrt{\\frac{5}{4}} = \\frac{\\sqrt{5}}{2} \\approx 1.118034$"));
  EXPECT_TRUE(says(result, "$-\\frac{1}{\\sqrt{5}}$"));
}

TEST(NormSteps, SaysWhatIsEqualAndWhatIsNear) {
  const StudyResult one = compute("norm/steps", {{"vector", "5"}, {"eps", "1"}});
  EXPECT_TRUE(says(one, "$\\sqrt{0 + 1} = 1$"));
  EXPECT_TRUE(says(one, "$5$"));
  EXPECT_FALSE(says(one, "$5 = 5$"));
  EXPECT_EQ(one.worked.find("\\approx"), one.worked.npos) << one.worked;
  const std::string usual = compute("norm/steps", {}).worked;
  EXPECT_TRUE(usual.starts_with("\\mu = \\frac{1 + 2 + 3 + 4}{4} = 2.5 \\quad ")) << usual;
  EXPECT_NE(usual.find("}{4} = 1.25 \\quad "), usual.npos) << usual;
  EXPECT_NE(usual.find("\\approx -1.342"), usual.npos) << usual;
  // Squares that go on behind their six digits do not add up to what is shown.
  const StudyResult thirds = compute("norm/steps", {{"vector", "0,0,1"}});
  EXPECT_TRUE(says(thirds, "$\\frac{0+0+1}{3} = \\frac{1}{3} \\approx 0.3333333$"));
  EXPECT_TRUE(
      says(thirds, "$\\frac{0.111111+0.111111+0.444444}{3} \\approx \\frac{2}{9} \\approx 0.2222222$"));
  const StudyResult halves = compute("norm/steps", {{"vector", "0,3"}, {"eps", "0"}});
  EXPECT_TRUE(says(halves, "$\\sqrt{\\frac{9}{4}} = \\frac{3}{2} = 1.5$"));
}

TEST(NormSteps, EightNumbersHaveRoomBesideEachOther) {
  const StudyResult result = compute("norm/steps", {{"vector", "1,2,3,4,5,6,7,9"}});
  EXPECT_TRUE(says(result, "\u22121.452"));
  EXPECT_FALSE(says(result, "\u22121.451816"));
  const StudyResult four = compute("norm/steps", {{"digits", "10"}});
  EXPECT_TRUE(says(four, "\u22121.3416402498")) << "four have room for all";
}

TEST(NormSteps, NothingOverNothingIsSaid) {
  const StudyResult result = compute("norm/steps", {{"eps", "0"}, {"vector", "0.1,0.1,0.1"}});
  EXPECT_TRUE(says(result, "$\\frac{0}{0}$"));
  EXPECT_EQ(result.figure.title, "LayerNorm by hand: without ε this vector has 0 above 0");
}

TEST(NormSteps, ShowsFewerDigitsWhereTheyCancel) {
  // 999 and 999.0001 differ by 1e-4: a double keeps 1e-13 of them, 2e-9 of the result.
  const StudyResult result =
      compute("norm/steps", {{"vector", "999,999.0001"}, {"eps", "0"}, {"digits", "10"}});
  EXPECT_FALSE(says(result, "\u22121.0000000000"));
  EXPECT_TRUE(all_hold(result));
}

TEST(NormSteps, RefusesWhatHasNoRoom) {
  EXPECT_THROW(compute("norm/steps", {{"vector", "1,2,3,4,5,6,7,8,9"}}), InvalidArgument);
  EXPECT_THROW(compute("rope/steps", {{"vector", "1,2,3,4,5,6,7,8,9"}}), InvalidArgument);
}

TEST(RopeSteps, PositionThreeOfFourDimensions) {
  const StudyResult result = compute("rope/steps", {});
  // mpmath: (1 + 2i) e^{3i} and (3 + 4i) e^{0.03i}
  EXPECT_NEAR(column_called(result, "pairs", "$y_a$")[0], -1.2722325127201798, 1e-15);
  EXPECT_NEAR(column_called(result, "pairs", "$y_b$")[0], -1.8388649851410236, 1e-15);
  EXPECT_NEAR(column_called(result, "pairs", "$y_a$")[1], 2.8786681004369799, 1e-15);
  EXPECT_NEAR(column_called(result, "pairs", "$y_b$")[1], 4.0881866356034370, 1e-15);
  EXPECT_TRUE(says(result, "$10000^{-2/4} = 0.01$"));
  EXPECT_TRUE(says(result, "$1 \\cdot (-0.989992) - 2 \\cdot 0.141120 \\approx -1.272233$"));
  EXPECT_TRUE(all_hold(result));
}

TEST(RopeSteps, AtPositionNothingEachNumberIsItself) {
  for (const char* form : {"products", "matrix", "complex"}) {
    const StudyResult result = compute("rope/steps", {{"form", form}, {"position", "0"}});
    for (const figure::Panel& panel : result.figure.panels)
      for (const figure::Mark& mark : panel.marks)
        if (const auto* note = std::get_if<figure::Note>(&mark)) {
          EXPECT_EQ(note->text.find("\\approx"), note->text.npos) << note->text;
        }
    EXPECT_EQ(result.worked.find("\\approx"), result.worked.npos) << result.worked;
  }
  EXPECT_TRUE(says(compute("rope/steps", {{"head_width", "8"}, {"vector", "1,2,3,4,5,6,7,8"}}),
                   "$10000^{-4/8} = 0.01$"));
  EXPECT_TRUE(
      says(compute("rope/steps", {{"base", "1e8"}, {"head_width", "4"}}), "$100000000^{-2/4} = 0.0001$"));
}

TEST(RopeSteps, OneWithoutAPartnerIsPairedWithNothing) {
  const StudyResult result = compute("rope/steps", {{"vector", "1,2,3"}});
  EXPECT_EQ(column_called(result, "pairs", "$x_b$"), (std::vector<double>{2, 0}));
}

TEST(RopeSteps, TheOtherLayoutAndTheOtherForms) {
  const StudyResult half = compute("rope/steps", {{"layout", "half"}, {"form", "matrix"}});
  EXPECT_EQ(column_called(half, "pairs", "$x_b$"), (std::vector<double>{3, 4}));
  EXPECT_TRUE(says(half, "$\\begin{pmatrix}y_{0}\\\\y_{2}\\end{pmatrix}$"));
  const StudyResult wide = compute("rope/steps", {{"layout", "half"}, {"head_width", "64"}});
  EXPECT_TRUE(says(wide, "$y_{32}$"));
  const StudyResult complex = compute("rope/steps", {{"form", "complex"}, {"digits", "3"}});
  EXPECT_TRUE(
      says(complex,
           "$(1 + 2\\,\\mathrm{i})(-0.990 + 0.141\\,\\mathrm{i}) \\approx -1.272 - 1.839\\,\\mathrm{i}$"));
}

TEST(AttentionSteps, TheThirdQuery) {
  const StudyResult result = compute("attention/steps", {});
  // Products 1, 2, 2; e^{1/√2} and twice e^{√2} (mpmath).
  const double e1 = 2.0281149816474725, e2 = 4.1132503787829275, sum = e1 + 2 * e2;
  EXPECT_NEAR(column_called(result, "steps", "weight")[0], e1 / sum, 1e-15);
  EXPECT_NEAR(column_called(result, "steps", "weight")[2], e2 / sum, 1e-15);
  EXPECT_NEAR(column_called(result, "outputs", "$o_1$")[2], (e1 + 8 * e2) / sum, 4e-15);
  EXPECT_TRUE(says(result, "$1 \\cdot 0 + 1 \\cdot 2 = 2$"));
  EXPECT_TRUE(all_hold(result));
}

TEST(AttentionSteps, TheMaskTakesKeysOut) {
  const StudyResult result = compute("attention/steps", {{"query", "2"}});
  EXPECT_TRUE(says(result, "$-\\infty$"));
  EXPECT_EQ(column_called(result, "steps", "weight")[2], 0);
}

// Three equal products: each exponential is 1, each weight a third.
TEST(AttentionSteps, SaysWhatIsEqualAndWhatIsNear) {
  const StudyResult result = compute("attention/steps", {{"mask", "none"},
                                                         {"scale", "none"},
                                                         {"q", "10,10;-10,10;0,0"},
                                                         {"k", "10,10;0,0;-10,-10"},
                                                         {"query", "2"}});
  EXPECT_TRUE(says(result, "$1 + 1 + 1 = 3$"));
  EXPECT_TRUE(says(result, "$0.3333 \\cdot 1 + 0.3333 \\cdot 3 + 0.3333 \\cdot 5 \\approx 3.0000$"));
  const StudyResult alone = compute("attention/steps", {{"mask", "causal"}, {"query", "1"}});
  EXPECT_TRUE(says(alone, "$1.0000 \\cdot 1 = 1.0000$"));
  EXPECT_FALSE(says(alone, "$2.0281 \\approx 2.0281$"));
  // 0.1 · 3 − 0.3 is 0, and 5.6e-17 in double.
  const StudyResult nothing =
      compute("attention/steps", {{"q", "1,0;0,1;0.1,0.3"}, {"k", "3,-1;0,2;1,1"}, {"query", "3"}});
  EXPECT_TRUE(says(nothing, "$0.1 \\cdot 3 + 0.3 \\cdot (-1) = 0$"));
  EXPECT_EQ(nothing.worked.find("10^{-17}"), nothing.worked.npos) << nothing.worked;
  // e^{-200} beside 1 is no digit of the sum, and yet not nothing.
  const StudyResult far = compute(
      "attention/steps",
      {{"mask", "none"}, {"scale", "none"}, {"q", "10,10;10,10;10,10"}, {"k", "0,0;-10,-10;-10,-10"}});
  EXPECT_TRUE(says(far, "$1.0000 \\cdot 1 + 0.0000 \\cdot 3 + 0.0000 \\cdot 5 \\approx 1.0000$"));
  EXPECT_NE(far.worked.find("\\approx 1.000"), far.worked.npos) << far.worked;
}

// No more digits are typed than lead to those of the result.
TEST(AttentionSteps, PutsInAsManyDigitsAsTheResultNeeds) {
  for (const char* id : {"attention/steps", "ffn/steps", "norm/steps", "rope/steps"}) {
    const bool network = std::string_view(id) == "ffn/steps";
    const std::string worked =
        network ? compute(id, {{"activation", "swiglu"}}).worked : compute(id, {}).worked;
    std::size_t digits = 0, most = 0;
    for (const char c : worked) {
      digits = c >= '0' && c <= '9' ? digits + 1 : c == '.' ? digits : 0;
      most = std::max(most, digits);
    }
    EXPECT_LE(most, 9u) << worked;
  }
}

TEST(FeedForwardSteps, ReluByHand) {
  const StudyResult result = compute("ffn/steps", {});
  EXPECT_EQ(column_called(result, "units", "$z$"), (std::vector<double>{1, 1.5, -1}));
  EXPECT_EQ(column_called(result, "units", "$h$"), (std::vector<double>{1, 1.5, 0}));
  EXPECT_EQ(column_called(result, "outputs", "$y$"), (std::vector<double>{4, 0}));
  EXPECT_TRUE(all_hold(result));
}

TEST(FeedForwardSteps, SaysWhatIsEqualAndWhatIsNear) {
  const StudyResult relu = compute("ffn/steps", {});
  EXPECT_EQ(relu.worked,
            "z_2 = -1 \\cdot 1 + 1 \\cdot 2 + 0.5 = 1.5 \\quad h_2 = \\max(0, 1.5) = 1.5 \\quad "
            "y_1 = 1 \\cdot 1 + 2 \\cdot 1.5 - 1 \\cdot 0 + 0 = 4");
  EXPECT_TRUE(says(relu, "$1 \\cdot 1.0000 + 2 \\cdot 1.5000 + (-1) \\cdot 0.0000 = 4.0000$"));
  const StudyResult cut = compute("ffn/steps", {{"x", "1.23456,2"}, {"digits", "2"}});
  EXPECT_TRUE(says(cut, "$1 \\cdot 1.23 + 2 \\cdot 1.27 + (-1) \\cdot 0.00 \\approx 3.77$"))
      << "what was cut is no equal";
}

TEST(FeedForwardSteps, LongSumsLeaveTheShapeItsPlace) {
  const StudyResult result =
      compute("ffn/steps", {{"activation", "swiglu"}, {"x", "-10,10"}, {"unit", "1"}, {"digits", "10"}});
  EXPECT_TRUE(says(result, "$ \\approx 410.9999982507$"));
  for (const figure::Panel& panel : result.figure.panels)
    for (const figure::Mark& mark : panel.marks)
      if (const auto* note = std::get_if<figure::Note>(&mark)) {
        EXPECT_NE(note->text, "\u22120.0000000000");
        EXPECT_EQ(note->text.find("(-0)"), note->text.npos) << note->text;
      }
  EXPECT_EQ(result.worked.find("(-0)"), result.worked.npos) << result.worked;
}

TEST(FeedForwardSteps, GeluAndSwiglu) {
  const StudyResult gelu = compute("ffn/steps", {{"activation", "gelu"}});
  EXPECT_NEAR(column_called(gelu, "units", "$h$")[0], 0.84134474606854293, 1e-15);  // Φ(1)
  const StudyResult swiglu = compute("ffn/steps", {{"activation", "swiglu"}});
  EXPECT_NEAR(column_called(swiglu, "units", "$h$")[0], 3 * 0.73105857863000488, 1e-15);  // 3 σ(1)
  EXPECT_TRUE(all_hold(swiglu));
}

TEST(RopeSteps, ZeroHasNoSign) {
  const StudyResult result = compute("rope/steps", {{"vector", "0,0"}});
  EXPECT_TRUE(result.figure.title.ends_with("the pair (0, 0) turns to (0, 0)")) << result.figure.title;
}

namespace steps_titles {

using titles::Said;
using titles::says;

bool norm(const Said& said) {
  const bool layer = said.settings.choice("norm") == "layer_norm";
  if (said.column("statistics", "root")[0] == 0)
    return said.is(std::string(layer ? "LayerNorm" : "RMSNorm") +
                   " by hand: without ε this vector has 0 above 0");
  const auto part = said.as("{} by hand: {} becomes {}");
  const auto& x = said.column("components", "$x$");
  const std::size_t j = std::min<std::size_t>(std::size_t(said.settings.integer("component")), x.size()) - 1;
  return part && (*part)[0] == (layer ? "LayerNorm" : "RMSNorm") && says((*part)[1], x[j]) &&
         says((*part)[2], said.column("components", "$y$")[j], 4);
}

bool rope(const Said& said) {
  const bool mistake = said.settings.choice("frequencies") == "multiples";
  const auto part = said.as(
      mistake ? "Multiples of one angle are no RoPE: at position {} the pair ({}, {}) turns to ({}, {})"
              : "RoPE by hand: at position {} the pair ({}, {}) turns to ({}, {})");
  return part && says((*part)[0], double(said.settings.integer("position"))) &&
         says((*part)[1], said.column("pairs", "$x_a$")[0]) &&
         says((*part)[2], said.column("pairs", "$x_b$")[0]) &&
         says((*part)[3], said.column("pairs", "$y_a$")[0], 4) &&
         says((*part)[4], said.column("pairs", "$y_b$")[0], 4);
}

bool attention(const Said& said) {
  const auto part = said.as("Attention by hand: query {} gives key 1 the weight {} and becomes {}, {}");
  const auto m = static_cast<std::size_t>(said.settings.integer("query"));
  return part && says((*part)[0], double(m)) && says((*part)[1], said.column("steps", "weight")[0], 3) &&
         says((*part)[2], said.column("outputs", "$o_1$")[m - 1], 3) &&
         says((*part)[3], said.column("outputs", "$o_2$")[m - 1], 3);
}

bool feed_forward(const Said& said) {
  const std::string& kind = said.settings.choice("activation");
  const auto shut = std::ranges::count_if(said.column("units", "$z$"), [](double z) { return z <= 0; });
  const bool counts = kind == "relu" && shut > 0;
  const auto part = said.as(kind == "gelu"     ? "GELU weighs three hidden units: y = {}, {}"
                            : kind == "swiglu" ? "SwiGLU gates three hidden units: y = {}, {}"
                            : counts           ? "ReLU shuts {} of three hidden units: y = {}, {}"
                                               : "ReLU lets all three hidden units pass: y = {}, {}");
  if (!part) return false;
  const auto& y = said.column("outputs", "$y$");
  return (!counts || says((*part)[0], double(shut))) && says((*part)[counts], y[0], 4) &&
         says((*part)[counts + 1], y[1], 4);
}

const titles::Entries entries{
    {"norm/steps", norm}, {"rope/steps", rope}, {"attention/steps", attention}, {"ffn/steps", feed_forward}};

}  // namespace steps_titles

}  // namespace
}  // namespace steps_test
}  // namespace orrery::study
