// PGFPlots: what LaTeX is given, and what it makes of it.
#include "app/export/pgf/pgf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <regex>

#include "app/export/export.h"
#include "app/export/math/symbols.h"
#include "app/export/pgf/numbers.h"
#include "app/export/utf8.h"
#include "app/figure/gallery.h"
#include "core/tensor/error.h"
#include "tests/app/export/samples.h"

namespace orrery::exporter::pgf_test {
namespace {

Page page(const char* size = "12cm×8cm") {
  Page p;
  p.size = parse_size(size);
  p.recipe = samples::recipe;
  return p;
}

figure::Figure of(figure::Panel panel) {
  figure::Figure f;
  f.panels = {std::move(panel)};
  return f;
}

TEST(TexText, EscapesProseAndLeavesMathematicsAlone) {
  using pgf::tex_text;
  EXPECT_EQ(
      tex_text("50 % of a_b & c #1 {x} ~ ^ \\ \\$5"),
      "50 \\% of a\\_b \\& c \\#1 \\{x\\} \\textasciitilde{} \\textasciicircum{} \\textbackslash{} \\$5");
  EXPECT_EQ(tex_text("angle $\\theta_i = b^{-2i/d}$ of 100 %"), "angle $\\theta_i = b^{-2i/d}$ of 100 \\%");
  EXPECT_EQ(tex_text("$a_1 & b$"), "$a_1 & b$");
  EXPECT_EQ(tex_text(""), "");
}

TEST(TexText, SaysSignsThatPdfLatexDoesNotKnow) {
  using pgf::tex_text;
  EXPECT_EQ(tex_text("−0.5"), "$-0.5$");
  EXPECT_EQ(tex_text("500\u2009000"), "$500\\,000$");
  EXPECT_EQ(tex_text("3 × 4 ≤ θ … 90°"), "3 $\\times$ 4 $\\le$ $\\theta$ \\dots{} 90$^\\circ$");
  EXPECT_EQ(tex_text("“quoted” – naïve"), "``quoted'' -- naïve");
  EXPECT_EQ(tex_text("\"typed\""), "\\texttt{\\char34}typed\\texttt{\\char34}");
  EXPECT_EQ(tex_text("$θ − 1$"), "$\\theta  - 1$");
  EXPECT_EQ(tex_text("旋 $转$"), "\\orreryLetters{旋} $\\mbox{\\orreryLetters{转}}$");
}

TEST(TexText, LettersAreWholeAndNothingIsReadAsALigature) {
  using pgf::tex_text;
  EXPECT_EQ(tex_text("Cafe\u0301"), "Café") << "as macOS hands it over";
  EXPECT_EQ(tex_text("zero\u200Bwidth soft\u00ADhyphen"), "zerowidth softhyphen");
  EXPECT_EQ(tex_text("what?`x` oh!`"), "what?{}`x` oh!{}`");
  EXPECT_EQ(tex_text("a\x7F"
                     "b"),
            "a b")
      << "TeX stops at it";
  EXPECT_EQ(tex_text("ħ"), "\\orreryLetters{ħ}");
}

TEST(TexText, NumbersOfABoldTitleAreBold) {
  EXPECT_EQ(pgf::tex_text("17", true), "17");
  EXPECT_EQ(pgf::tex_text("−17", true), "$-$17");
  EXPECT_EQ(pgf::tex_text("17"), "$17$");
}

TEST(Pgf, CirclesAreCircles) {
  figure::Panel panel;
  panel.x.range = panel.y.range = figure::Range{-2, 2};
  panel.equal_aspect = true;
  figure::Line clock;
  for (int i = 0; i <= 72; ++i) {
    clock.x.push_back(std::cos(i * std::numbers::pi / 36));
    clock.y.push_back(std::sin(i * std::numbers::pi / 36));
  }
  panel.marks = {clock, figure::Arc{.radius = 1.5, .from = 0, .sweep = 2}};
  const std::string tex = figure_bytes(of(panel), page(), ".tex");
  EXPECT_TRUE(std::regex_search(tex, std::regex("\\(axis cs:0,0\\) circle\\[radius=[0-9.]+bp\\]"))) << tex;
  EXPECT_NE(tex.find(" arc[start angle=0, end angle=114.592, radius="), std::string::npos) << tex;
  EXPECT_EQ(tex.find("coordinates"), std::string::npos) << "no points along them";
}

TEST(PgfMarks, ShrinkWithTheirPanel) {
  figure::Panel panel;
  panel.marks = {figure::Points{.x = {0, 1, 2}, .y = {0, 1, 2}, .symbol = figure::Symbol::ring}};
  const auto size_on = [&](const char* paper) {
    const std::string text = figure_bytes(of(panel), page(paper), ".tex");
    std::smatch found;
    EXPECT_TRUE(std::regex_search(text, found, std::regex("mark size=([0-9.]+)"))) << text;
    return found.empty() ? 0 : std::stod(found[1]);
  };
  EXPECT_NEAR(size_on("12cm×8cm"), 2, 1e-6);
  const double small = size_on("3cm×3cm");
  EXPECT_LT(small, 1.8);
  EXPECT_GE(small, 1.2) << "0.6 of the radius at least";
}

TEST(AxisMap, GivesValuesAsTheyAreWhereTexCanTellThemApart) {
  figure::AxisRecord axis;
  axis.range = {0, 10};
  const pgf::AxisMap map(axis, 100, 200);
  EXPECT_EQ(map.from_value(2.5), "2.5");
  EXPECT_EQ(map.from_page(150), "2.5");
  EXPECT_TRUE(map.exact());
  axis.range = {1e6, 1e6 + 1};  // TeX's six digits see one number here
  const pgf::AxisMap far(axis, 100, 200);
  EXPECT_FALSE(far.exact());
  EXPECT_EQ(far.from_value(1e6 + 0.25), "0.25");
  EXPECT_EQ(far.from_page(150), "0.25");
  axis.scale = figure::Scale::symlog(1);
  axis.range = {-100, 100};
  EXPECT_EQ(pgf::AxisMap(axis, 100, 200).from_value(0), "0.5") << "its place, from 0 to 1";
  axis.scale = figure::Scale::log(2);
  axis.range = {1, 1024};
  const pgf::AxisMap powers(axis, 100, 200);
  EXPECT_TRUE(powers.log());
  EXPECT_EQ(powers.from_page(200), "32");
}

TEST(Pgf, NoCurveHasMoreThanAThousandPointsAndSpikesStay) {
  figure::Line line;
  for (int i = 0; i < 100'000; ++i) {
    line.x.push_back(i);
    line.y.push_back(i == 54'321 ? 1000 : std::sin(i * 0.01));
  }
  figure::Panel panel;
  panel.marks = {line};
  const std::string tex = figure_bytes(of(panel), page(), ".tex");
  const std::size_t begin = tex.find("coordinates {"), end = tex.find("};", begin);
  ASSERT_NE(begin, std::string::npos);
  const std::string points = tex.substr(begin, end - begin);
  const auto count = std::ranges::count(points, '(');
  EXPECT_LE(count, 1000);
  EXPECT_GT(count, 300);
  const std::regex point("\\(([^,]+),([^)]+)\\)");
  double highest = 0;
  for (std::sregex_iterator it(points.begin(), points.end(), point), last; it != last; ++it)
    highest = std::max(highest, std::stod((*it)[2]));
  EXPECT_NEAR(highest, 1000, 0.01);  // a two-hundredth of a point on the page
}

TEST(Pgf, FewValuesAreGivenAsTheyAre) {
  figure::Panel panel;
  panel.marks = {figure::Line{{1, 2, 4}, {0.125, std::nan(""), 0.5}}};
  const std::string tex = figure_bytes(of(panel), page(), ".tex");
  EXPECT_NE(tex.find("coordinates {(1,0.125)(nan,nan)(4,0.5)}"), std::string::npos) << tex;
}

figure::Panel map_panel(int side) {
  figure::Heatmap map;
  map.x = map.y = {0, double(side)};
  auto grid = std::make_shared<figure::Grid>();
  grid->rows = grid->cols = side;
  for (int i = 0; i < side * side; ++i) grid->values.push_back(float(i));
  grid->values[1] = -INFINITY;
  map.grid = grid;
  figure::Panel panel;
  panel.marks = {map};
  return panel;
}

TEST(Pgf, ABarStandsWhereWeSay) {
  figure::Panel panel = map_panel(8);
  const std::string tex = figure_bytes(of(panel), page(), ".tex");
  EXPECT_NE(tex.find("colorbar, colorbar shift/.style={}"), std::string::npos);
}

// A drawing of several matrices: each has its own colours.
TEST(Pgf, MapsOfOnePanelHaveTheirOwnColours) {
  figure::Panel panel = map_panel(8);
  std::get<figure::Heatmap>(panel.marks[0]).colors.bar = false;
  panel.marks.push_back(panel.marks[0]);
  const auto colour_maps = [&] {
    const std::string tex = figure_bytes(of(panel), page(), ".tex");
    int count = 0;
    for (std::size_t at = 0; (at = tex.find("colormap={orrery", at)) != tex.npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(colour_maps(), 1) << "the same, once";
  auto& second = std::get<figure::Heatmap>(panel.marks[1]);
  auto grid = std::make_shared<figure::Grid>(*second.grid);
  for (float& value : grid->values) value = value / 2 - 100;
  second.grid = grid;
  EXPECT_EQ(colour_maps(), 2);
}

TEST(Pgf, ASmallMapIsInTheFileAndALargeOneBesideIt) {
  const samples::Folder folder;
  const auto small = write_figure(of(map_panel(8)), page(), folder / "small.tex").files;
  EXPECT_EQ(small.size(), 1u);
  EXPECT_NE(samples::contents(small[0]).find("matrix plot*"), std::string::npos);
  const auto large = write_figure(of(map_panel(100)), page(), folder / "large.tex").files;
  ASSERT_EQ(large.size(), 2u);
  EXPECT_EQ(large[1], folder / "large-panel1.png");
  EXPECT_NE(samples::contents(large[0]).find("{large-panel1.png}"), std::string::npos);
  EXPECT_TRUE(samples::contents(large[1]).starts_with("\x89PNG"));
  EXPECT_NE(samples::message_of<Failure>([&] {
              figure_bytes(of(map_panel(100)), page(), ".tex");
            }).find("picture beside the .tex"),
            std::string::npos);
}

TEST(Pgf, NamesThatTexReadsAsItsOwnArePassedOnToNoPicture) {
  const samples::Folder folder;
  for (const char* stem : {"50%", "a#b", "a{b", "a}b", "a\\b", "a\"b", "a\nb"}) {
    const auto path = folder / (std::string(stem) + ".tex");
    const std::string said =
        samples::message_of<InvalidArgument>([&] { write_figure(of(map_panel(100)), page(), path); });
    EXPECT_NE(said.find("allowed: a name without % # { } \\ \" and line breaks"), std::string::npos) << said;
    EXPECT_FALSE(std::filesystem::exists(path));
    // Without pictures the name stands in a comment alone, which it does not end.
    write_figure(of(map_panel(8)), page(), path);
    EXPECT_EQ(samples::contents(path).find("\nb}"), std::string::npos);
  }
  EXPECT_EQ(folder.files(), 7u);
  write_figure(of(map_panel(100)), page(), folder / "a b_c-d.é.tex");
}

TEST(Pgf, LabelsCannotEscape) {
  figure::Panel panel;
  panel.title = "100% \\input{/etc/passwd}\n\\end{axis}";
  panel.x.label = "a,b]{c}=d";
  panel.marks = {figure::Line{.x = {0, 1}, .y = {0, 1}, .label = "one,two=%"}};
  const std::string tex = figure_bytes(of(panel), page(), ".tex");
  EXPECT_EQ(tex.find("\\input{/etc"), std::string::npos);
  EXPECT_NE(tex.find("100\\% \\textbackslash{}input\\{/etc/passwd\\}"), std::string::npos) << tex;
  EXPECT_NE(tex.find("xlabel={a,b]\\{c\\}=d}"), std::string::npos) << tex;
}

using support::have;

/// pdfLaTeX's complaints about a document of these figures; empty when it made one without any.
std::string typeset(const samples::Folder& folder, const std::vector<std::string>& stems) {
  std::string text = "\\documentclass{article}\n\\usepackage{pgfplots}\n\\begin{document}\n";
  for (const std::string& stem : stems) text += "\\noindent\\input{" + stem + "}\\newpage\n";
  samples::put(folder / "document.tex", text + "\\end{document}\n");
  const std::string here = (folder / "").string();
  const int code = std::system(
      ("cd '" + here + "' && pdflatex -interaction=batchmode -halt-on-error document.tex >/dev/null 2>&1")
          .c_str());
  const std::string log = samples::contents(folder / "document.log");
  if (code != 0) return log.substr(std::min(log.size(), log.find("\n!")), 600);
  std::string complaints;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);)
    if (line.find("Overfull") != std::string::npos || line.find("Missing character") != std::string::npos ||
        (line.find("pgfplots Warning") != std::string::npos && line.find("compat") == std::string::npos))
      complaints += line + "\n";
  return complaints;
}

TEST(PgfDocument, EveryMarkAndAxisIsSetByPlainArticle) {
  if (!have("pdflatex")) GTEST_SKIP() << "no pdflatex on this machine";
  const samples::Folder folder;
  std::vector<std::string> stems;
  for (const figure::Exhibit& exhibit : figure::gallery()) {
    std::string stem = "exhibit" + std::to_string(stems.size());
    write_figure(of(exhibit.panel()), page(), folder / (stem + ".tex"));
    stems.push_back(stem);
  }
  EXPECT_EQ(typeset(folder, stems), "");
  if (!have("pdfinfo")) return;
  const std::string pages = (folder / "pages").string();
  EXPECT_EQ(
      std::system(
          ("pdfinfo '" + (folder / "document.pdf").string() + "' > '" + pages + "' 2>/dev/null").c_str()),
      0);
  EXPECT_TRUE(std::regex_search(samples::contents(pages),
                                std::regex("Pages: +" + std::to_string(stems.size()) + "\n")));
}

/// Signs of packages, as they are typed and as commands, in a document without packages.
TEST(PgfDocument, EverySignIsSetByPlainArticle) {
  if (!have("pdflatex")) GTEST_SKIP() << "no pdflatex on this machine";
  const samples::Folder folder;
  std::string typed, commands;
  for (const math::Symbol& symbol : math::all_symbols()) {
    typed += utf8(symbol.code) + ' ';
    commands += "$\\" + std::string(symbol.name) + " x$ ";
  }
  std::vector<std::string> stems;
  for (const std::string& title : {typed, commands, std::string("Here $d \\lesssim \\binom{n}{k}$ \u2713")}) {
    figure::Figure f = of({});
    f.title = title;
    Page p = page("40cm×40cm");
    p.title = true;
    stems.push_back("sign" + std::to_string(stems.size()));
    write_figure(f, p, folder / (stems.back() + ".tex"));
  }
  EXPECT_EQ(typeset(folder, stems).find("! "), std::string::npos) << typeset(folder, stems);
}

TEST(PgfDocument, EveryLatinLetterIsSetByPlainArticle) {
  if (!have("pdflatex")) GTEST_SKIP() << "no pdflatex on this machine";
  const samples::Folder folder;
  figure::Figure f = of(figure::Panel{});
  for (char32_t c = 0xC0; c < 0x180; ++c) f.title += utf8(c) + ' ';
  Page p = page("20cm×20cm");
  p.title = true;
  write_figure(f, p, folder / "letters.tex");
  EXPECT_EQ(typeset(folder, {"letters"}).find("! "), std::string::npos) << typeset(folder, {"letters"});
}

TEST(PgfDocument, AllThemesTitlesAndHardNumbersAreSet) {
  if (!have("pdflatex")) GTEST_SKIP() << "no pdflatex on this machine";
  const samples::Folder folder;
  std::vector<std::string> stems;
  for (const std::string_view theme : figure::theme_names()) {
    Page p = page("12cm×16cm");
    p.theme = &figure::theme_by_name(theme);
    p.title = true;
    figure::Figure all = figure::gallery_figure();
    all.title = "All marks, 100 % & more";
    stems.emplace_back(theme);
    write_figure(all, p, folder / (stems.back() + ".tex"));
  }
  for (const double offset : {0.0, 1e6, 1e15, -1e-9, 1e-200, 1e200}) {
    const double unit = offset == 0 ? 1e-7 : std::abs(offset) * 1e-6;
    figure::Panel panel;
    figure::Line line;
    for (int i = 0; i < 5; ++i) {
      line.x.push_back(offset + i * unit);
      line.y.push_back((offset == 0 ? 1 : offset) * i * i);
    }
    panel.marks = {line};
    stems.push_back("hard" + std::to_string(stems.size()));
    write_figure(of(panel), page(), folder / (stems.back() + ".tex"));
  }
  EXPECT_EQ(typeset(folder, stems), "");
}

}  // namespace
}  // namespace orrery::exporter::pgf_test
