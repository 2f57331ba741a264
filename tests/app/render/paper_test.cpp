// How large the letters of a page are, and what the page holds that nobody asked another size for.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "app/export/setters.h"
#include "app/figure/layout.h"
#include "app/figure/page_size.h"
#include "app/figure/theme.h"
#include "app/recipe/runner.h"
#include "app/render/make.h"
#include "app/study/translate.h"
#include "tests/app/render/bars_apart.h"
#include "tests/app/study/name_in_tests.h"

namespace orrery::render::paper_test {
namespace {

double text_size(const char* theme, const char* size) {
  const study::Study& study = study::find("rope/rotation");
  recipe::Recipe recipe;
  recipe.study = &study;
  recipe.settings = parameter::Settings(study.parameters);
  recipe.theme = theme;
  if (*size) recipe.size = figure::parse_size(size);
  const Paper paper(recipe, {}, 300);
  return paper.page().theme->text_size;
}

TEST(Paper, ScreensThemesWriteAsSmallAsPrintOnItsPages) {
  const double print = figure::print_theme().text_size;
  for (const char* theme : {"light", "dark"}) {
    const double usual = figure::theme_by_name(theme).text_size;
    EXPECT_EQ(text_size(theme, ""), usual);
    EXPECT_EQ(text_size(theme, "slide"), usual);
    EXPECT_EQ(text_size(theme, "30cm×20cm"), usual);
    EXPECT_NEAR(text_size(theme, "12cm×10cm"), print, 1e-9);
    EXPECT_NEAR(text_size(theme, "column"), print, 1e-9);
    EXPECT_NEAR(text_size(theme, "15cm×10cm"), print * 15 / 12, 1e-9);
  }
  EXPECT_EQ(text_size("print", "column"), print);
}

/// Panels of these studies that their own page does not show: it would be twice as high, or half as wide where it counts.
const std::map<std::string_view, std::size_t> left_to_larger_pages = {
    {"attention/map", 1},  // means by size of the block, which would leave the map a column of half the page
    {"output/head", 2},    // a row of terms to each token, and the running sum of what is kept
    {"figure/marks", 15},  // a chart of all there is, for a page of its own
};

class EveryStudysOwnPage : public testing::TestWithParam<const study::Study*> {};

TEST_P(EveryStudysOwnPage, ShowsEveryPanel) {
  const study::Study& study = *GetParam();
  recipe::Recipe recipe;
  recipe.study = &study;
  recipe.settings = parameter::Settings(study.parameters);
  const recipe::Outcome outcome = recipe::compute_now(study, recipe.settings, study::Run{});
  const auto listed = left_to_larger_pages.find(study.id);
  const std::size_t allowed = listed == left_to_larger_pages.end() ? 0 : listed->second;
  for (const language::Named& spoken : language::languages()) {
    SCOPED_TRACE(spoken.code);
    const Paper paper(recipe, study::translated(outcome.result.figure, spoken.language), 300);
    figure::LayoutOptions options;
    options.size = paper.page().size;
    EXPECT_LE(figure::size_text(options.size).size(), std::string_view("120.5mm×226.8mm").size());
    options.pixels_per_point = 0.5;  // places alone count
    options.most_cells = 1 << 12;
    const figure::Theme& theme = *paper.page().theme;
    const figure::Scene scene =
        figure::layout(paper.figure(), options, theme, *exporter::shared_setter(theme.fonts));
    const auto shown =
        std::ranges::count_if(scene.panels, [](const auto& panel) { return panel.plot.w > 0; });
    EXPECT_GE(static_cast<std::size_t>(shown) + allowed, paper.figure().panels.size());
    expect_bars_apart(scene);
  }
}

INSTANTIATE_TEST_SUITE_P(Studies, EveryStudysOwnPage,
                         testing::ValuesIn(study::studies().begin(), study::studies().end()),
                         study::name_in_tests);

}  // namespace
}  // namespace orrery::render::paper_test
