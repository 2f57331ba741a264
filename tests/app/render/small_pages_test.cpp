// Every study on the pages that have names, in both languages: what the large page says is said or named as left out, and
// no words lie on others, on data or beyond the page.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "app/export/setters.h"
#include "app/figure/compare.h"
#include "app/figure/contrast.h"
#include "app/figure/mark_facts.h"
#include "app/figure/page_size.h"
#include "app/figure/path.h"
#include "app/figure/text_box.h"
#include "app/figure/texts.h"
#include "app/recipe/runner.h"
#include "app/study/changes.h"
#include "app/study/study.h"
#include "app/study/translate.h"
#include "tests/app/render/bars_apart.h"
#include "tests/app/study/name_in_tests.h"

namespace orrery::render::small_pages_test {
namespace {

using figure::Label;
using figure::Rect;
using figure::Scene;

std::vector<Label> labels_of(const Scene& scene) {
  std::vector<Label> labels;
  for (const figure::Primitive& primitive : scene.primitives)
    if (const auto* label = std::get_if<Label>(&primitive)) labels.push_back(*label);
  return labels;
}

/// All words of a page in the order in which they were set; lines of one text come one after another.
/// A break takes a space away in one language and none in the other: spaces do not count.
struct Said {
  std::string all;
  explicit Said(const Scene& scene) {
    for (const Label& label : labels_of(scene)) all += without_spaces(label.text);
  }
  bool operator()(const std::string& text) const {
    return all.find(without_spaces(text)) != std::string::npos;
  }
  static std::string without_spaces(std::string text) {
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
  }
};

Scene laid_out(const figure::Figure& figure, figure::Size size,
               const figure::Theme& theme = figure::print_theme()) {
  figure::LayoutOptions options;
  options.size = size;
  options.pixels_per_point = 0.5;  // words alone count
  options.most_cells = 1 << 12;
  return figure::layout(figure, options, theme, *exporter::shared_setter(theme.fonts));
}

void expect_nothing_unsaid(const figure::Figure& figure, const Scene& large, const Scene& small) {
  const Said there(large), here(small);
  const std::set<std::string> left_out(small.left_out.begin(), small.left_out.end());
  figure::each_drawn_text(figure, [&](const std::string& text) {
    if (!figure::is_word(text)) return;  // an axis is thinned
    EXPECT_TRUE(!there(text) || here(text) || left_out.contains(text)) << text;
  });
}

void expect_words_apart(const Scene& scene, const figure::Theme& theme = figure::print_theme()) {
  constexpr double touching = 0.12;  // of a line: extents are of lines, which are higher than their ink
  const auto setter = exporter::shared_setter(theme.fonts);
  std::vector<std::pair<Rect, std::string>> boxes;
  for (const Label& label : labels_of(scene)) {
    Rect box = label_box(label, *setter);
    EXPECT_TRUE(box.x > -0.5 && box.y > -0.5 && box.x + box.w < scene.width + 0.5 &&
                box.y + box.h < scene.height + 0.5)
        << label.text << " is cut by the page";
    const double blank = touching * std::min(box.w, box.h);  // above its ink and below
    if (label.upright)
      box = {box.x, box.y + blank, box.w, box.h - 2 * blank};
    else
      box = {box.x + blank, box.y, box.w - 2 * blank, box.h};
    boxes.emplace_back(grown(box, -0.01), label.text);
  }
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = i + 1; k < boxes.size(); ++k)
      EXPECT_FALSE(overlap(boxes[i].first, boxes[k].first))
          << boxes[i].second << " lies on " << boxes[k].second;
}

/// How much of a stroke, a mark or a bar stands behind words of a colour: points of length, or a marker.
struct Behind {
  const Rect& words;
  figure::Color ink, ground;

  bool readable(figure::Color on) const { return figure::contrast(ink, figure::over(on, ground)) >= 4.5; }
  double operator()(const figure::Polyline& line) const {
    if (readable(line.color)) return 0;
    double length = 0;
    for (const figure::Path& part : clip_path(line.points, words)) length += path_length(part);
    return length;
  }
  double operator()(const figure::Polygon& fill) const {
    return readable(fill.color) ? 0 : std::sqrt(std::abs(signed_area(clip_polygon(fill.points, words))));
  }
  double operator()(const figure::Discs& discs) const {
    if (readable(discs.color)) return 0;
    return discs.radius * double(std::ranges::count_if(discs.centres, [&](figure::Point p) {
             return grown(words, 0.7 * discs.radius).contains(p);
           }));
  }
  double operator()(const auto&) const { return 0; }
};

Rect common(const Rect& a, const Rect& b) {
  const double x = std::max(a.x, b.x), y = std::max(a.y, b.y);
  return {x, y, std::min(a.x + a.w, b.x + b.w) - x, std::min(a.y + a.h, b.y + b.h) - y};
}

/// Whether something between them hides what lies behind the words.
bool veiled(const Scene& scene, std::size_t behind, std::size_t words, const Rect& box) {
  constexpr int opaque_enough = 200;
  for (std::size_t i = behind + 1; i < words; ++i) {
    const auto* fill = std::get_if<figure::Polygon>(&scene.primitives[i]);
    if (fill && fill->color.a >= opaque_enough &&
        std::abs(signed_area(clip_polygon(fill->points, box))) > 0.99 * box.w * box.h)
      return true;
  }
  return false;
}

/// Words over data are no words: strokes, marks and bars, as far as the words have less contrast to them than 4.5.
void expect_words_off_data(const figure::Figure& figure, const Scene& scene) {
  constexpr double touching = 0.2;  // of a line: extents are of lines, not of their ink
  constexpr double grazed = 2;      // points of a stroke that words may touch at their rim
  const figure::Theme& theme = figure::print_theme();
  const auto setter = exporter::shared_setter(theme.fonts);
  std::vector<std::pair<std::size_t, Rect>> words;
  for (std::size_t i = 0; i < scene.primitives.size(); ++i)
    if (const auto* label = std::get_if<Label>(&scene.primitives[i])) {
      const Rect box = label_box(*label, *setter);
      words.emplace_back(i, grown(box, -touching * std::min(box.w, box.h)));
    }
  for (std::size_t p = 0; p < scene.records.size(); ++p)
    for (std::size_t m = 0; m < scene.records[p].marks.size(); ++m) {
      if (facts(figure.panels[p].marks[m]).nature != figure::Nature::data) continue;
      Rect shown{0, 0, scene.width, scene.height};
      for (std::size_t k = scene.records[p].marks[m].first; k < scene.records[p].marks[m].last; ++k) {
        if (const auto* clip = std::get_if<figure::Clip>(&scene.primitives[k])) shown = clip->box;
        if (std::holds_alternative<figure::Unclip>(scene.primitives[k]))
          shown = {0, 0, scene.width, scene.height};
        for (const auto& [i, box] : words) {
          const Rect seen = common(box, shown);
          if (seen.w <= 0 || seen.h <= 0) continue;
          const Label& label = std::get<Label>(scene.primitives[i]);
          const Behind behind{seen, label.color, scene.background};
          if (std::visit(behind, scene.primitives[k]) <= grazed || veiled(scene, k, i, box)) continue;
          ADD_FAILURE() << "panel " << p << ", mark " << m << " runs through \"" << label.text << '"';
        }
      }
    }
}

class EveryStudysPages : public testing::TestWithParam<const study::Study*> {};

TEST_P(EveryStudysPages, SayAllOrNameIt) {
  const study::Study& study = *GetParam();
  for (std::size_t t = 0; t < study.tries.size(); ++t) {
    SCOPED_TRACE("try " + std::to_string(t));
    parameter::Settings set(study.parameters);
    set = study::changed(set, study.tries[t].changes);
    const recipe::Outcome outcome = recipe::compute_now(study, set, study::Run{});
    ASSERT_TRUE(outcome.error.empty());
    for (const language::Named& spoken : language::languages()) {
      const figure::Figure figure = study::translated(outcome.result.figure, spoken.language);
      const Scene large = laid_out(figure, figure::parse_size("34cm×30cm"));
      for (const figure::NamedSize& named : figure::named_sizes()) {
        SCOPED_TRACE(std::string(named.name) + ", " + std::string(spoken.code));
        const Scene small = laid_out(figure, figure::parse_size(named.name));
        expect_nothing_unsaid(figure, large, small);
        expect_words_apart(small);
        expect_bars_apart(small);
        expect_words_off_data(figure, small);
      }
    }
  }
}

// Pages that have no name, in each theme: a title is as wide as its letters there.
TEST_P(EveryStudysPages, HoldTheirWords) {
  const study::Study& study = *GetParam();
  const figure::Figure made = study.compute(parameter::Settings(study.parameters), study::Run{}).figure;
  for (const language::Named& spoken : language::languages()) {
    const figure::Figure figure = study::translated(made, spoken.language);
    for (const figure::Theme* theme :
         {&figure::print_theme(), &figure::light_theme(), &figure::dark_theme()}) {
      const Scene large = laid_out(figure, figure::parse_size("34cm×30cm"), *theme);
      for (const char* size :
           {"4cm×5cm", "5cm×4cm", "5cm×6cm", "6cm×5cm", "7cm×4cm", "8cm×6cm", "10cm×5cm"}) {
        SCOPED_TRACE(std::string(theme->name) + ", " + size + ", " + std::string(spoken.code));
        const Scene small = laid_out(figure, figure::parse_size(size), *theme);
        expect_nothing_unsaid(figure, large, small);
        expect_words_apart(small, *theme);
      }
    }
  }
}

// Two sides have twice as many legends and headings in one row.
TEST_P(EveryStudysPages, HoldBothSidesOfAComparison) {
  const study::Study& study = *GetParam();
  const figure::Figure made = study.compute(parameter::Settings(study.parameters), study::Run{}).figure;
  for (const language::Named& spoken : language::languages()) {
    const figure::Figure one = study::translated(made, spoken.language);
    const figure::Figure both = side_by_side(one, one, {.a_own = "Seed = 1", .b_own = "Seed = 2048"}).figure;
    const auto expect_room = [&](const figure::Theme& theme, const char* size) {
      SCOPED_TRACE(std::string(theme.name) + ", " + size + ", " + std::string(spoken.code));
      const Scene scene = laid_out(both, figure::parse_size(size), theme);
      expect_words_apart(scene, theme);
      expect_bars_apart(scene);
    };
    for (const figure::Theme* theme : {&figure::print_theme(), &figure::dark_theme()})
      for (const char* size : {"12cm×9cm", "17cm×10cm", "17.5cm×16cm", "24cm×18cm", "slide"})
        expect_room(*theme, size);
  }
}

// On the page of its own size a study keeps its panels at other settings too.
TEST(OwnPages, KeepTheirPanels) {
  for (const auto& [id, changes] :
       std::vector<std::pair<const char*, const char*>>{{"rope/xpos", "count_from=middle"},
                                                        {"rope/xpos", "scale_base=1024"},
                                                        {"rope/xpos", "length=32768"},
                                                        {"extrapolation/coverage", "head_width=16"},
                                                        {"extrapolation/coverage", "head_width=80"},
                                                        {"extrapolation/coverage", "head_width=256"},
                                                        {"block/walk", "model=llama sentence=a"}}) {
    const study::Study& study = study::find(id);
    const auto set = study::changed(parameter::Settings(study.parameters), changes);
    const figure::Figure figure = study.compute(set, study::Run{}).figure;
    const double width = 12 / 2.54 * 72;
    const Scene scene = laid_out(figure, {width, width / figure.aspect});
    for (const std::string& text : scene.left_out) ADD_FAILURE() << id << " " << changes << ": " << text;
  }
}

// A slide is low for its letters, and a screen's lines are thick.
TEST(OwnPages, FramesOfMatricesAreClearOfTheNamesBelow) {
  const study::Study& study = study::find("block/walk");
  const figure::Theme& theme = figure::dark_theme();
  const Scene scene = laid_out(study.compute(parameter::Settings(study.parameters), study::Run{}).figure,
                               figure::parse_size("slide"), theme);
  const auto setter = exporter::shared_setter(theme.fonts);
  int names = 0;
  for (const Label& label : labels_of(scene)) {
    if (!label.text.starts_with("$W")) continue;
    ++names;
    const Rect box = label_box(label, *setter);
    for (const figure::Primitive& primitive : scene.primitives) {
      const auto* line = std::get_if<figure::Polyline>(&primitive);
      if (!line) continue;
      EXPECT_TRUE(clip_path(line->points, grown(box, line->width / 2 - 0.12 * box.h)).empty()) << label.text;
    }
  }
  EXPECT_GE(names, 3) << "or there is nothing to see here";
}

INSTANTIATE_TEST_SUITE_P(Studies, EveryStudysPages,
                         testing::ValuesIn(study::studies().begin(), study::studies().end()),
                         study::name_in_tests);

}  // namespace
}  // namespace orrery::render::small_pages_test
