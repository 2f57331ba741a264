// From a figure to its file.
#include "app/export/export.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/figure/dpi.h"
#include "core/tensor/error.h"
#include "tests/app/export/samples.h"

namespace orrery::exporter::export_test {
namespace {

using samples::message_of;

figure::Figure figure() {
  figure::Figure f;
  f.title = "Scores fall with distance $m-n$";
  figure::Panel decay;
  decay.x.label = "relative distance $r$";
  decay.y.label = "$\\frac{1}{d}\\sum_i |S_i|$";
  figure::Line line;
  for (int i = 0; i < 50; ++i) {
    line.x.push_back(i);
    line.y.push_back(std::exp(-i / 10.0));
  }
  line.label = "base $b = 10^4$";
  decay.marks.push_back(line);
  figure::Panel scores;
  scores.cell.col = 1;
  figure::Heatmap map;
  map.x = map.y = {0, 2};
  map.grid =
      std::make_shared<figure::Grid>(figure::Grid{2, 2, {0, 1, 2, -std::numeric_limits<float>::infinity()}});
  scores.marks.push_back(map);
  f.panels = {decay, scores};
  f.col_weights = {1, 1};
  return f;
}

Page page() {
  Page p;
  p.size = parse_size("12cm×7cm");
  p.theme = &figure::print_theme();
  p.recipe = samples::recipe;
  return p;
}

TEST(FigureFile, EveryEndingAndThemeTwiceTheSameBytes) {
  for (const std::string_view ending : figure_endings()) {
    for (const std::string_view theme : figure::theme_names()) {
      Page p = page();
      p.theme = &figure::theme_by_name(theme);
      const std::string bytes = figure_bytes(figure(), p, ending);
      EXPECT_GT(bytes.size(), 1000u);
      EXPECT_EQ(bytes, figure_bytes(figure(), p, ending)) << ending << ' ' << theme;
    }
  }
}

TEST(FigureFile, WrittenFilesHoldTheBytesAndTheRecipe) {
  const samples::Folder folder;
  for (const std::string_view ending : figure_endings()) {
    const auto path = folder / ("figure" + std::string(ending));
    write_figure(figure(), page(), path);
    EXPECT_EQ(samples::contents(path), figure_bytes(figure(), page(), ending));
    EXPECT_EQ(read_recipe(path), samples::recipe);
  }
  EXPECT_EQ(folder.files(), figure_endings().size());
}

TEST(FigureFile, EndingsMayBeInCapitals) {
  const samples::Folder folder;
  write_figure(figure(), page(), folder / "A.SVG");
  EXPECT_EQ(samples::contents(folder / "A.SVG"), figure_bytes(figure(), page(), ".svg"));
  write_table({"t", {{"x", "", {1}, 6}}}, folder / "T.Csv");
  EXPECT_EQ(samples::contents(folder / "T.Csv"), "x\n1\n");
}

TEST(FigureFile, WhatCannotBeMeantIsRefusedInOneLine) {
  const samples::Folder folder;
  EXPECT_EQ(message_of<InvalidArgument>([&] { write_figure(figure(), page(), folder / "a.bmp"); }),
            "figure file: it ends in '.bmp'; allowed are .pdf, .svg, .png, .tex");
  Page flat = page();
  flat.size.height = 0;
  EXPECT_NE(message_of<InvalidArgument>([&] { figure_bytes(figure(), flat, ".svg"); }).find("size: "),
            std::string::npos);
  Page coarse = page();
  coarse.dpi = std::nan("");
  EXPECT_NE(message_of<InvalidArgument>([&] { figure_bytes(figure(), coarse, ".png"); }).find("dpi: "),
            std::string::npos);
  coarse.dpi = figure::most_dpi + 1;  // what no recipe may say, no file has
  EXPECT_NE(message_of<InvalidArgument>([&] { figure_bytes(figure(), coarse, ".svg"); }).find("10 to 2400"),
            std::string::npos);
  EXPECT_EQ(folder.files(), 0u);
}

TEST(FigureFile, AFigureThatCannotBeWrittenLeavesTheOldOne) {
  const samples::Folder folder;
  const auto path = folder / "a.svg";
  samples::put(path, "old");
  std::string message;
  {
    const samples::FullDisk disk(1000);
    message = message_of<Failure>([&] { write_figure(figure(), page(), path); });
  }
  EXPECT_NE(message, "nothing thrown");
  EXPECT_TRUE(samples::contents(path) == "old");
  EXPECT_EQ(folder.files(), 1u);
}

}  // namespace
}  // namespace orrery::exporter::export_test
