// What stands above a figure: its sentence in lines alike, and what it is of.
#include "app/figure/heading.h"

#include <gtest/gtest.h>

#include "app/figure/page_size.h"
#include "app/figure/text_box.h"
#include "tests/app/figure/sample_figures.h"

namespace orrery::figure::heading_test {
namespace {

TEST(Heading, LinesAreAlike) {
  const TextStyle style{Voice::words, 10, true};
  const std::string title = "Eleven words of much the same length stand here in two";
  const std::vector<std::string> wide = wrap(title, style, 300, metrics),
                                 alike = balanced(title, style, 300, metrics);
  ASSERT_EQ(wide.size(), 2u);
  ASSERT_EQ(alike.size(), 2u);
  EXPECT_LT(wide[1].size(), wide[0].size() / 2) << "the sample leaves little for the second line";
  EXPECT_GT(alike[1].size(), alike[0].size() / 2);
  EXPECT_EQ(alike[0] + " " + alike[1], title);
  EXPECT_EQ(balanced("One", style, 300, metrics), std::vector<std::string>{"One"});
}

TEST(Heading, WhatTheFigureIsOfStandsBelowItsTitle) {
  Figure figure = lines();
  figure.title = "A sentence";
  figure.subtitle = "llama \u00B7 Base = 10";
  LayoutOptions options = page(340, 220);
  options.title = true;
  const Scene s = layout(figure, options, print_theme(), metrics);
  const auto labels = all_of_kind<Label>(s);
  ASSERT_GE(labels.size(), 2u);
  EXPECT_EQ(labels[0].text, figure.title);
  EXPECT_EQ(labels[1].text, figure.subtitle);
  EXPECT_GT(labels[1].at.y, labels[0].at.y);
  EXPECT_EQ(s.heading.last, 2u);

  options.title = false;
  for (const Label& label : all_of_kind<Label>(layout(figure, options, print_theme(), metrics)))
    EXPECT_NE(label.text, figure.subtitle) << "without the title there is none";
}

TEST(Heading, IsAsHighAsItSays) {
  Figure figure = lines();
  figure.title = "A sentence that is long enough for two lines on a page as narrow as this one is";
  LayoutOptions options = page(300, 1000);
  options.title = true;
  const double height = heading_height(figure, options, print_theme(), metrics);
  const Scene without = layout(figure, page(300, 1000 - height), print_theme(), metrics),
              with = layout(figure, options, print_theme(), metrics);
  EXPECT_NEAR(with.panels[0].plot.h, without.panels[0].plot.h, 1e-9);
  EXPECT_NEAR(with.panels[0].plot.y - height, without.panels[0].plot.y, 1e-9);
}

TEST(PageSize, OnlyASlideStandsAlone) {
  EXPECT_TRUE(stands_alone(parse_size("slide")));
  EXPECT_TRUE(stands_alone(parse_size("16cm×9cm")));
  for (const char* size : {"column", "two-columns", "a4-text", "12cm×8cm"})
    EXPECT_FALSE(stands_alone(parse_size(size))) << size;
}

}  // namespace
}  // namespace orrery::figure::heading_test
