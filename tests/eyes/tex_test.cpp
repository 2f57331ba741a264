// Every .tex as LaTeX and poppler show it: judged by its texts and its coordinates. Pixels would judge the document's fonts,
// which are not ours.
//
// For every text of the scene: its letters and digits are on the page, in one piece; its size; where it stands. For every
// panel: the lines of its axes, and the ticks on them. How a page is read: printed.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>

#include "app/export/pgf/pgf.h"
#include "app/export/setters.h"
#include "app/render/make.h"
#include "tests/eyes/cases.h"
#include "tests/eyes/ruled.h"
#include "tests/eyes/said.h"
#include "tests/support/temporary_folder.h"

namespace orrery::eyes::tex_test {
namespace {

/// bp. A point of TeX's is 0.4 % shorter than ours: 0.04 of a title's 10 pt; words of a screen's theme are larger.
double size_bound(double size) {
  return std::max(0.2, size / 50);
}
/// Of 255. Colours are written in three digits.
constexpr int color_bound = 2;
/// bp. Coordinates are written to 0.002, TeX counts in 2⁻¹⁶ of a point, and pdftocairo in 1/256 of the enlarged
/// page's; a panel at the foot of a page has gathered 0.11 of these, the most that was seen.
constexpr double line_bound = 0.15;
/// bp. Our own layout lets a number at an edge come so near.
constexpr double page_bound = 1;

struct Bound {
  const char* name;
  double along, across;
};

/// What was seen, and a little. Our words stand where Latin Modern's letters do, but for what TeX sets wider (0.5 pt behind
/// each exponent); PGFPlots puts the axis' name behind the widest number, by its own measure of that.
Bound bound_of(Role role, double text_size) {
  const double near = text_size / 8;
  switch (role) {
    case Role::words:
      return {"words", near, near};
    case Role::title:
      return {"titles", near, near};
    case Role::number:
      return {"numbers", near, near};
    case Role::axis:
      return {"axes", near, 3 * near};
    case Role::legend:
      break;
  }
  return {"legends", near, near};
}

class Farthest {
 public:
  void take(const std::string& what, double off, const std::string& where) {
    if (auto& [most, name] = found_[what]; std::abs(off) >= most) {
      most = std::abs(off);
      name = where;
    }
  }
  void add(const Farthest& other) {
    for (const auto& [what, found] : other.found_) take(what, found.first, found.second);
  }
  void print(const char* between, bool named) const {
    for (const auto& [what, found] : found_) {
      std::cout << between << what << " " << std::round(found.first * 100) / 100;
      if (named) std::cout << " bp, " << found.second;
    }
    std::cout << std::endl;
  }

 private:
  std::map<std::string, std::pair<double, std::string>> found_;
};

/// Only letters and digits are compared. Where a fraction, a root or a sign stands at the end by which a text is held, they
/// do not tell where that end is; nor do a fraction's digits tell the line that they stand about.
bool tells_its_end(const Said& said) {
  const auto hides = [](std::string_view end, bool at_start) {
    const auto is = [&](std::string_view sign) {
      return at_start ? end.starts_with(sign) : end.ends_with(sign);
    };
    return is("%") || (at_start && (is("×") || is("$\\frac") || is("$\\sqrt") || is("$\\sum"))) ||
           (!at_start && (is("}$") || is("×")));
  };
  const bool start = said.h != figure::HAlign::right, end = said.h != figure::HAlign::left;
  return !(start && hides(said.label, true)) && !(end && hides(said.label, false));
}

bool tells_its_line(const Said& said) {
  return said.label.find("\\frac") == std::string::npos;
}

/// A fraction's digits are smaller than the words around it.
bool is_a_fraction(const Said& said) {
  return said.label.starts_with("$\\frac") || said.label.starts_with("$-\\frac");
}

void judge_texts(const figure::Scene& scene, double text_size, const exporter::TextSetter& text,
                 const PrintedPage& page, Farthest& farthest) {
  for (const Said& said : said_in(scene, text)) {
    const Bound bound = bound_of(said.role, text_size);
    const auto heard = hear(said, page, {scene.width, scene.height});
    EXPECT_TRUE(heard) << "the page does not say “" << said.label << "”";
    if (!heard) continue;
    EXPECT_LE(heard->color, color_bound) << "colour of “" << said.label << "”";
    const double across_bound = heard->han ? std::max(bound.across, 0.2 * said.size) : bound.across;
    const double along = tells_its_end(said) ? heard->along : 0;
    const double across = tells_its_line(said) ? heard->across : 0;
    EXPECT_LE(is_a_fraction(said) ? heard->size : std::abs(heard->size), size_bound(said.size))
        << "size of “" << said.label << "”";
    EXPECT_LE(std::abs(along), bound.along) << "along “" << said.label << "”: " << along;
    EXPECT_LE(std::abs(across), across_bound) << "across “" << said.label << "”: " << across;
    EXPECT_LE(heard->beyond, page_bound) << "“" << said.label << "” sticks out of the page";
    const std::string name = bound.name;
    farthest.take("off the page", heard->beyond, said.label);
    farthest.take("colours", heard->color, said.label);
    farthest.take("sizes", heard->size, said.label);
    farthest.take(name + " along", along, said.label);
    farthest.take(name + (heard->han ? " across, Han" : " across"), across, said.label);
  }
}

void judge_lines(const figure::Scene& scene, double tick_length, const PrintedPage& page,
                 Farthest& farthest) {
  for (const Ruled& ruled : ruled_in(scene, tick_length)) {
    const double off = off_the_page(ruled.stroke, page);
    EXPECT_LE(off, line_bound) << ruled.name;
    farthest.take("lines", off, ruled.name);
  }
}

/// The gallery of marks speaks both at once.
bool speaks_chinese(const Case& c) {
  return c.language == language::Language::zh || c.name().starts_with("figure/marks");
}

TEST(ForeignEyes, ReadTheTexAsItWasWritten) {
  Farthest all;
  for (const Case& c : todays_cases()) {
    const Engine& engine = engine_for(speaks_chinese(c));
    if (const std::string missing = missing_for(engine); !missing.empty()) {
      std::cout << "  " << c.name() << " is not printed: " << missing << " is not on this machine\n";
      continue;
    }
    SCOPED_TRACE(c.name());
    const support::TemporaryFolder folder;
    const recipe::Recipe recipe = c.recipe();
    const recipe::Outcome outcome = render::compute(recipe);
    const render::Paper paper(recipe, outcome.result.figure, 300);
    exporter::write_figure(paper.figure(), paper.page(), folder / "figure.tex");
    figure::Theme theme = *paper.page().theme;
    theme.fonts = exporter::pgf::fonts();  // LaTeX sets the page, whatever a screen's theme shows
    const auto text = exporter::shared_setter(theme.fonts);
    const figure::Scene scene = figure::layout(
        paper.figure(),
        {.size = paper.page().size, .pixels_per_point = paper.page().dpi / 72, .title = true, .view = {}},
        theme, *text);
    PrintedPage page;
    ASSERT_NO_THROW(page = print(engine, folder / "figure.tex"));
    Farthest here;
    judge_texts(scene, theme.text_size, *text, page, here);
    judge_lines(scene, theme.tick_length, page, here);
    std::cout << "  " << c.name() << ":";
    here.print(" ", false);
    all.add(here);
  }
  std::cout << "  farthest:";
  all.print("\n    ", true);
}

}  // namespace
}  // namespace orrery::eyes::tex_test
