// How large the letters of a page are.
#include <gtest/gtest.h>

#include "app/figure/page_size.h"
#include "app/figure/theme.h"
#include "app/render/make.h"

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

}  // namespace
}  // namespace orrery::render::paper_test
