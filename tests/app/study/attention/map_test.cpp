// The score map of long texts, beside small ones that are built, and its title beside its table.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "app/figure/block_sampler.h"
#include "app/figure/layout.h"
#include "app/figure/soon.h"
#include "app/figure/theme.h"
#include "app/study/attention/map_asked.h"
#include "app/study/attention/map_sampler.h"
#include "app/study/kit/expects.h"
#include "app/study/twin.h"
#include "core/file/npy.h"
#include "core/tensor/array.h"
#include "core/tensor/random.h"
#include "tests/app/figure/support.h"
#include "tests/app/study/ask.h"
#include "tests/app/study/titles/said.h"
#include "tests/support/temporary_folder.h"

namespace orrery::study {
namespace {

using figure::Range;
using twin::Matrix;

const figure::Heatmap& first_map(const figure::Figure& figure) {
  return std::get<figure::Heatmap>(figure.panels.at(0).marks.at(0));
}
const figure::Heatmap& map_in(const StudyResult& result) {
  return first_map(result.figure);
}

TEST(AttentionMap, TokensOfPixelsHaveTheirMiddlesInThem) {
  const auto all = tokens_in({-0.5, 9.5}, 4, 10);  // edges at −0.5, 2, 4.5, 7, 9.5
  const auto is = [](attention::KeyRange a, tensor::Index first, tensor::Index end) {
    return a.first == first && a.end == end;
  };
  EXPECT_TRUE(is(all[0], 0, 2) && is(all[1], 2, 5) && is(all[2], 5, 7) && is(all[3], 7, 10));
  const auto fine = tokens_in({2.6, 4.2}, 4, 10);  // 0.4 of a token each: the one that their middle is in
  EXPECT_TRUE(is(fine[0], 3, 4) && is(fine[1], 3, 4) && is(fine[2], 4, 5) && is(fine[3], 4, 5));
  EXPECT_TRUE(is(tokens_in({-7, 30}, 1, 10).front(), 0, 10));
}

TEST(AttentionMap, ZoomedOutItHasTheMeansOfItsOwnCells) {
  const auto result = compute("attention/map", {{"length", "96"}, {"mask", "none"}});
  const figure::Heatmap& map = map_in(result);
  ASSERT_TRUE(figure::block_sampler(map.sampler));
  const figure::Grid cells = map.sampler(map.x, map.y, 96, 96), blocks = map.sampler(map.x, map.y, 8, 6);
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 8; ++c) {
      double mean = 0;
      for (int m = 16 * r; m < 16 * (r + 1); ++m)
        for (int n = 12 * c; n < 12 * (c + 1); ++n) mean += cells.values[std::size_t(96 * m + n)] / 192;
      EXPECT_NEAR(blocks.values[std::size_t(8 * r + c)], mean, 1e-4);  // scores of 60 in float
    }
}

// Beside two plots it was a stamp of 75 points in the smaller pane, and of 200 in the larger.
TEST(AttentionMap, TheMapIsTheLargestPanelOfAWindow) {
  for (const char* values : {"scores", "weights"}) {
    const auto result = compute("attention/map", {{"length", "4096"}, {"query", "3000"}, {"values", values}});
    for (const auto& [size, least] : {std::pair(figure::Size{388, 412}, 115.0), {{642, 648}, 270.0}}) {
      figure::LayoutOptions pane = figure::page(size.width, size.height, 0.5);
      pane.all_panels = true;
      pane.most_cells = 1 << 12;
      const figure::Scene scene =
          figure::layout(result.figure, pane, figure::theme_by_name("dark"), figure::CountedText());
      const auto area = [](const figure::PanelFrame& frame) { return frame.plot.w * frame.plot.h; };
      const figure::PanelFrame& map = scene.panels.at(0);
      EXPECT_EQ(result.figure.panels.at(0).name, "map");
      EXPECT_GT(map.plot.w, least) << values;
      for (std::size_t i = 1; i < scene.panels.size(); ++i)
        EXPECT_GT(area(map), area(scene.panels[i])) << values << ", " << result.figure.panels[i].name;
    }
  }
}

TEST(AttentionMap, AReadOutHasTheBlocksHighestAndLowest) {
  const auto result = compute("attention/map", {{"length", "4194304"}, {"mask", "none"}});
  const figure::Heatmap& map = map_in(result);
  const auto* blocks = figure::block_sampler(map.sampler);
  ASSERT_TRUE(blocks);
  const auto small = blocks->block({1000.5, 1100.5}, {2000.5, 2200.5});
  ASSERT_TRUE(small);
  EXPECT_EQ(small->highest.length(), 0);
  const figure::Grid cells = map.sampler({1000.5, 1100.5}, {2000.5, 2200.5}, 100, 200);
  EXPECT_NEAR(small->highest.lo, *std::ranges::max_element(cells.values), 1e-4);
  EXPECT_NEAR(small->lowest.lo, *std::ranges::min_element(cells.values), 1e-4);
  // More than 8192² cells: an interval, in which the outlier lies.
  const auto large = blocks->block(map.x, map.y);
  ASSERT_TRUE(large);
  EXPECT_LT(large->highest.lo, 60);
  EXPECT_GT(large->highest.hi, 60);
}

TEST(AttentionMap, TheRowsBandEndsWhereKeysWereNotLookedThrough) {
  const auto result = compute("attention/map", {{"length", "1048576"}, {"query", "624125"}});
  const figure::Table& row = table(result, "row");
  const auto column = std::ranges::find(row.columns, "looked through", &figure::Column::name);
  ASSERT_NE(column, row.columns.end());
  const std::vector<double>& looked = column->values;
  const auto first = std::size_t(std::ranges::find(looked, 0.0) - looked.begin());
  ASSERT_LT(first, looked.size());
  const auto& band = std::get<figure::Band>(result.figure.panels.at(1).marks.at(0));
  EXPECT_EQ(band.x.size(), first);
}

TEST(AttentionMap, ABlockThatIsMostlyHiddenHasNoReadOut) {
  const auto result = compute("attention/map", {{"length", "1000"}});
  const auto* blocks = figure::block_sampler(map_in(result).sampler);
  EXPECT_FALSE(blocks->block({500, 600}, {100, 200}));
  EXPECT_TRUE(blocks->block({100, 200}, {500, 600}));
}

TEST(AttentionMap, OfFilesItShowsTheScoresOfTheirHead) {
  const support::TemporaryFolder folder;
  const auto saved = [&](const char* name, const Matrix& x) {
    file::write_npy(folder / name, tensor::Array::from(tensor::View<const double>(x), tensor::Format::f32));
    return (folder / name).string();
  };
  const Matrix q = twin::rounded(tensor::Random(1, 1).normals(600, 8)),
               k = twin::rounded(tensor::Random(1, 2).normals(600, 8));
  const std::string queries = saved("q.npy", q), keys = saved("k.npy", k);
  const auto asked = [&](const char* rope) {
    return compute("attention/map", {{"content", "files"},
                                     {"q_file", queries.c_str()},
                                     {"k_file", keys.c_str()},
                                     {"head_width", "4"},
                                     {"head", "1"},
                                     {"rope", rope},
                                     {"mask", "none"},
                                     {"query", "500"}});
  };
  const auto result = asked("off");
  EXPECT_TRUE(all_hold(result));
  EXPECT_EQ(result.figure.title, "Head 1 of 2. 600 × 600 scores: every pixel is the mean of its block");
  const Matrix scores = q.rightCols(4) * k.rightCols(4).transpose() / 2;
  const figure::Heatmap& map = map_in(result);
  const figure::Grid cells = map.sampler({99.5, 104.5}, {9.5, 12.5}, 5, 3);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 5; ++c)
      EXPECT_NEAR(cells.values[std::size_t(5 * r + c)], scores(10 + r, 100 + c), 1e-5);
  EXPECT_NEAR(map.sampler(map.x, map.y, 1, 1).values[0], scores.mean(), 1e-6);
  // Half of the columns, in four bytes each, and once.
  EXPECT_EQ(column(result, "files", "bytes"), (std::vector<double>{19200, 19200}));
  EXPECT_EQ(column(result, "files", "bytes read"), (std::vector<double>{9600, 9600}));
  // Turned as attention/scores turns them: what is nearest is that of the marked row's query with the key before it.
  const auto turned = asked("on");
  EXPECT_TRUE(all_hold(turned));
  const auto angle = [](double m, double pair) { return m * std::pow(10000, -pair / 2); };
  double score = 0;
  for (int i = 0; i < 2; ++i) {
    const double a = angle(500, i) - angle(499, i), x = q(500, 4 + i), y = q(500, 6 + i), u = k(499, 4 + i),
                 v = k(499, 6 + i);
    score += ((x * u + y * v) * std::cos(a) + (x * v - y * u) * std::sin(a)) / 2;
  }
  EXPECT_NEAR(column(turned, "row", "mean").front(), score, 1e-6);
}

TEST(AttentionMap, AnyCellIsWorkedOutTermByTerm) {
  const auto result = compute("attention/map", {{"query", "876543"}, {"key", "210987"}});
  EXPECT_EQ(column(result, "chosen", "query"), std::vector<double>{876543});
  EXPECT_EQ(column(result, "chosen", "key"), std::vector<double>{210987});
  EXPECT_NEAR(column(result, "chosen", "score").front(), 60, 1e-11);
  const auto &q = column(result, "cell", "query"), &k = column(result, "cell", "key"),
             &so_far = column(result, "cell", "sum so far");
  ASSERT_EQ(q.size(), 64U);
  double sum = 0;
  for (std::size_t j = 0; j < q.size(); ++j) EXPECT_EQ(so_far[j], sum += q[j] * k[j]);
  EXPECT_NEAR(sum / 8, 60, 1e-11);
  // Without a key it is the one before the query's own.
  EXPECT_EQ(column(compute("attention/map", {{"query", "500"}}), "chosen", "key").front(), 499);
  // What a mask hides has a score, and no weight.
  const auto hidden =
      compute("attention/map", {{"length", "4096"}, {"values", "weights"}, {"query", "100"}, {"key", "200"}});
  EXPECT_EQ(column(hidden, "chosen", "weight").front(), 0);
  EXPECT_NE(column(hidden, "chosen", "score").front(), 0);
}

/// Until no thread is at work any more.
void wait_for(const figure::Figure& figure) {
  while (figure::expects_news(figure)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Long enough that a pixel has many rows, and quickly.
StudyResult weights_from(const char* rows) {
  return compute("attention/map",
                 {{"length", "20000"}, {"values", "weights"}, {"head_width", "8"}, {"rows", rows}});
}

TEST(AttentionMapSoon, HasInTheEndWhatAFileOfMoreRowsHas) {
  const auto result = weights_from("2");
  const auto quick = figure::without_waiting(result.figure);
  ASSERT_TRUE(quick);
  const figure::Heatmap& shown = first_map(*quick);
  const figure::Grid first = shown.sampler(shown.x, shown.y, 40, 80);
  EXPECT_EQ(first.values.size(), 3200U);
  wait_for(*quick);
  EXPECT_EQ(figure::news(*quick), 6U);  // bands of 16 and 4 rows of pixels, these, and 4, 8, 16 rows of each
  const figure::Grid last = shown.sampler(shown.x, shown.y, 40, 80);
  // Another result: nothing is shared with the one that a window has asked.
  const auto again = weights_from("16");
  const figure::Heatmap& file = map_in(again);
  EXPECT_EQ(last.values, file.sampler(file.x, file.y, 40, 80).values);
  // And its read-out says from how many, and how much is left.
  const auto pixel = [](const figure::Heatmap& map) {
    return figure::block_sampler(map.sampler)->block({1999.5, 2499.5}, {9999.5, 10249.5});
  };
  const auto found = pixel(shown);
  ASSERT_TRUE(found && found->looked);
  EXPECT_EQ(found->looked->rows, 16);
  EXPECT_EQ(found->looked->of, 250);
  // What leaves the window is of as many rows as were asked for, whatever was found since.
  const auto filed = weights_from("2");
  EXPECT_EQ(map_in(result).sampler(file.x, file.y, 40, 80).values,
            map_in(filed).sampler(file.x, file.y, 40, 80).values);
  EXPECT_EQ(pixel(map_in(result))->looked->rows, 2);
}

TEST(AttentionMapSoon, AnotherLookAtWhatAFileWasMadeFromGoesOnFromThere) {
  const auto result = weights_from("2");
  const figure::Heatmap& filed = map_in(result);
  const figure::Grid file = filed.sampler(filed.x, filed.y, 40, 80);
  const auto quick = figure::without_waiting(result.figure);
  const figure::Heatmap& shown = first_map(*quick);
  EXPECT_EQ(shown.sampler(shown.x, shown.y, 40, 80).values, file.values) << "at once";
  wait_for(*quick);
  EXPECT_EQ(figure::news(*quick), 3U);
}

TEST(AttentionMapSoon, SaysFromHowManyRowsAMeanIs) {
  const auto result =
      compute("attention/map", {{"length", "20000"}, {"values", "weights"}, {"head_width", "8"}});
  const figure::Heatmap& map = map_in(result);
  (void)map.sampler({-0.5, 19999.5}, {-0.5, 19999.5}, 10, 20);
  const auto block = figure::block_sampler(map.sampler)->block({1999.5, 3999.5}, {9999.5, 10999.5});
  ASSERT_TRUE(block && block->looked);
  EXPECT_EQ(block->looked->rows, 2);
  EXPECT_EQ(block->looked->of, 1000);
  EXPECT_GT(block->looked->error, 0);
  EXPECT_LT(block->looked->error, 1);
  EXPECT_FALSE(figure::block_sampler(map.sampler)->block({0.5, 3999.5}, {9999.5, 10999.5}));  // no pixel
}

TEST(AttentionMapSoon, ABlockHasBoundsFirstAndItsOwnExtremesThen) {
  const auto result =
      compute("attention/map", {{"length", "1000000"}, {"mask", "none"}, {"head_width", "8"}});
  const auto quick = figure::without_waiting(result.figure);
  ASSERT_TRUE(quick);
  const Range x{1000.5, 1500.5}, y{2000.5, 2500.5};
  const auto* soon = figure::block_sampler(first_map(*quick).sampler);
  const auto first = soon->block(x, y);
  wait_for(*quick);
  const auto then = soon->block(x, y);
  const auto filed = figure::block_sampler(map_in(result).sampler)->block(x, y);
  ASSERT_TRUE(first && then && filed);
  EXPECT_EQ(then->highest.length(), 0);
  EXPECT_EQ(then->highest.lo, filed->highest.lo);
  EXPECT_EQ(then->lowest.lo, filed->lowest.lo);
  EXPECT_LE(first->highest.lo, then->highest.lo);
  EXPECT_GE(first->highest.hi, then->highest.lo);
  EXPECT_EQ(first->mean, then->mean);
}

TEST(AttentionMapSoon, TheHighestOfPixelsAreBoundsFirstAndFoundThen) {
  const auto result = compute(
      "attention/map",
      {{"length", "6000"}, {"pixel", "highest"}, {"mask", "none"}, {"head_width", "8"}, {"query", "3000"}});
  const auto quick = figure::without_waiting(result.figure);
  ASSERT_TRUE(quick);
  const figure::Heatmap& shown = first_map(*quick);
  const figure::Grid first = shown.sampler(shown.x, shown.y, 30, 20);
  wait_for(*quick);
  EXPECT_EQ(figure::news(*quick), 3U) << "strips of eight rows";
  const figure::Grid then = shown.sampler(shown.x, shown.y, 30, 20);
  const auto* blocks = figure::block_sampler(map_in(result).sampler);
  for (int r = 0; r < 20; r += 7)
    for (int c = 0; c < 30; c += 7) {
      const auto at = std::size_t(30 * r + c);
      EXPECT_LE(then.values[at], first.values[at] + 1e-4);
      const auto exact =
          blocks->block({200.0 * c - 0.5, 200.0 * c + 199.5}, {300.0 * r - 0.5, 300.0 * r + 299.5});
      ASSERT_TRUE(exact);
      EXPECT_NEAR(then.values[at], exact->highest.lo, 1e-4);
    }
  EXPECT_NE(then.values, first.values);
  // What leaves the window is the same as ever.
  EXPECT_EQ(map_in(result).sampler(shown.x, shown.y, 30, 20).values, first.values);
}

namespace attention_map_title {

/// The side is that of the way's first block; what a pixel shows is said of every setting.
bool side_and_pixel(const titles::Said& said) {
  const std::string& content = said.settings.choice("content");
  if (const auto none = said.as("No file yet, vectors by chance. {}"))
    return (content == "files" || content == "projections") &&
           side_and_pixel({said.study, said.settings, said.result, none->front()});
  if (said.settings.choice("values") == "weights") {
    const auto part = said.as(
        "{} × {} weights: every pixel is the mean of its block, from at least {} of its rows, or from all");
    const double side = said.column("way_down", "queries").front();
    return part && titles::says((*part)[0], side) && titles::says((*part)[1], side) &&
           titles::says((*part)[2], static_cast<double>(said.settings.integer("rows")));
  }
  const auto part = said.as("{} × {} scores: {}");
  const double side = said.column("way_down", "queries").front();
  if (!part || !titles::says((*part)[0], side) || !titles::says((*part)[1], side)) return false;
  const std::string& pixel = said.settings.choice("pixel");
  return (*part)[2] == (pixel == "mean"      ? "every pixel is the mean of its block"
                        : pixel == "highest" ? "none in a pixel's block is higher than it shows"
                                             : "none in a pixel's block is lower than it shows");
}

const titles::Entries entries{{"attention/map", side_and_pixel}};

}  // namespace attention_map_title

}  // namespace
}  // namespace orrery::study
