// Every study on the pages that have names, in both languages: what the large page says is said or named as left out, and
// no words lie on others or beyond the page.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/export/setters.h"
#include "app/figure/page_size.h"
#include "app/figure/text_box.h"
#include "app/figure/texts.h"
#include "app/recipe/runner.h"
#include "app/study/study.h"
#include "app/study/translate.h"

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

Scene laid_out(const figure::Figure& figure, figure::Size size) {
  figure::LayoutOptions options;
  options.size = size;
  options.pixels_per_point = 0.5;  // words alone count
  options.most_cells = 1 << 12;
  const figure::Theme& theme = figure::print_theme();
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

void expect_words_apart(const Scene& scene) {
  constexpr double touching = 0.12;  // of a line: extents are of lines, not of their ink
  const figure::Theme& theme = figure::print_theme();
  const auto setter = exporter::shared_setter(theme.fonts);
  std::vector<std::pair<Rect, std::string>> boxes;
  for (const Label& label : labels_of(scene)) {
    const Rect box = label_box(label, *setter);
    EXPECT_TRUE(box.x > -0.5 && box.y > -0.5 && box.x + box.w < scene.width + 0.5 &&
                box.y + box.h < scene.height + 0.5)
        << label.text << " is cut by the page";
    boxes.emplace_back(grown(box, -touching * std::min(box.w, box.h)), label.text);
  }
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t k = i + 1; k < boxes.size(); ++k)
      EXPECT_FALSE(overlap(boxes[i].first, boxes[k].first))
          << boxes[i].second << " lies on " << boxes[k].second;
}

class EveryStudysPages : public testing::TestWithParam<const study::Study*> {};

TEST_P(EveryStudysPages, SayAllOrNameIt) {
  const study::Study& study = *GetParam();
  const recipe::Outcome outcome =
      recipe::compute_now(study, parameter::Settings(study.parameters), study::Run{});
  ASSERT_TRUE(outcome.error.empty());
  for (const language::Named& spoken : language::languages()) {
    const figure::Figure figure = study::translated(outcome.result.figure, spoken.language);
    const Scene large = laid_out(figure, figure::parse_size("34cm×30cm"));
    for (const figure::NamedSize& named : figure::named_sizes()) {
      SCOPED_TRACE(std::string(named.name) + ", " + std::string(spoken.code));
      const Scene small = laid_out(figure, figure::parse_size(named.name));
      expect_nothing_unsaid(figure, large, small);
      expect_words_apart(small);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Studies, EveryStudysPages,
                         testing::ValuesIn(study::studies().begin(), study::studies().end()),
                         [](const testing::TestParamInfo<const study::Study*>& tested) {
                           std::string name(tested.param->id);
                           std::ranges::replace_if(
                               name, [](char c) { return c == '/' || c == '-'; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace orrery::render::small_pages_test
