// Where the Cairo canvas puts what it paints, found in the pixels.
#include "app/export/cairo_canvas.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "app/export/setters.h"
#include "app/export/svg_canvas.h"
#include "tests/app/export/samples.h"

namespace orrery::exporter::canvas_test {
namespace {

using namespace figure;

constexpr double scale = 8;  // pixels a point
constexpr int side = 100;    // points

struct Painted {
  std::vector<unsigned> alpha;                            // row by row
  double left = 1e9, right = -1, top = 1e9, bottom = -1;  // of all ink, points

  unsigned at(double x, double y) const {
    return alpha[static_cast<std::size_t>(static_cast<int>(y * scale) * side * static_cast<int>(scale) +
                                          static_cast<int>(x * scale))];
  }
};

Painted painted(const std::function<void(CairoCanvas&)>& draw) {
  constexpr int pixels = side * static_cast<int>(scale);
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixels, pixels), &cairo_surface_destroy);
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> cr(cairo_create(surface.get()), &cairo_destroy);
  cairo_scale(cr.get(), scale, scale);
  CairoCanvas canvas(cr.get(), samples::print_text());
  draw(canvas);
  EXPECT_EQ(cairo_status(cr.get()), CAIRO_STATUS_SUCCESS);
  cairo_surface_flush(surface.get());
  Painted result;
  const unsigned char* rows = cairo_image_surface_get_data(surface.get());
  for (int y = 0; y < pixels; ++y) {
    for (int x = 0; x < pixels; ++x) {
      const unsigned alpha = rows[y * cairo_image_surface_get_stride(surface.get()) + 4 * x + 3];
      result.alpha.push_back(alpha);
      if (alpha < 128) continue;
      result.left = std::min(result.left, x / scale);
      result.right = std::max(result.right, (x + 1) / scale);
      result.top = std::min(result.top, y / scale);
      result.bottom = std::max(result.bottom, (y + 1) / scale);
    }
  }
  return result;
}

Label label(HAlign h, VAlign v, bool upright = true) {
  return {{50, 50}, "HHH", {}, {0, 0, 0, 255}, h, v, upright};
}

TEST(CairoCanvasTest, LabelsAreAlignedByTheirWidthAndByTheirCapitals) {
  const double width = samples::print_text().measure("HHH", {}).width;
  const auto left = painted([](CairoCanvas& c) { c.label(label(HAlign::left, VAlign::baseline)); });
  const auto middle = painted([](CairoCanvas& c) { c.label(label(HAlign::center, VAlign::middle)); });
  const auto right = painted([](CairoCanvas& c) { c.label(label(HAlign::right, VAlign::top)); });
  const auto above = painted([](CairoCanvas& c) { c.label(label(HAlign::right, VAlign::bottom)); });
  const double pixel = 1 / scale;
  EXPECT_NEAR(left.bottom, 50, pixel);
  EXPECT_NEAR(left.left - middle.left, width / 2, 2 * pixel);
  EXPECT_NEAR(left.left - right.left, width, 2 * pixel);
  EXPECT_NEAR((middle.top + middle.bottom) / 2, 50, pixel);
  EXPECT_GT(right.top, 50);
  EXPECT_LT(above.bottom, 50);
}

TEST(CairoCanvasTest, ATurnedLabelReadsUpwards) {
  const auto upright = painted([](CairoCanvas& c) { c.label(label(HAlign::left, VAlign::baseline)); });
  const auto turned = painted([](CairoCanvas& c) { c.label(label(HAlign::left, VAlign::baseline, false)); });
  const double pixel = 1 / scale;
  EXPECT_NEAR(turned.right, 50, pixel) << "the baseline is the right edge";
  EXPECT_NEAR(50 - turned.bottom, upright.left - 50, 2 * pixel) << "the text begins at the bottom";
  EXPECT_NEAR(turned.bottom - turned.top, upright.right - upright.left, 2 * pixel);
}

TEST(CairoCanvasTest, DashesAreOnAndOff) {
  const auto line = painted([](CairoCanvas& c) {
    c.polyline({{{10, 20}, {50, 20}}, {0, 0, 0, 255}, 2, {4, 2}, false});
  });
  EXPECT_EQ(line.at(12, 20), 255u);
  EXPECT_EQ(line.at(15, 20), 0u);
  EXPECT_EQ(line.at(18, 20), 255u);
  EXPECT_NEAR(line.bottom - line.top, 2, 1 / scale);
}

TEST(CairoCanvasTest, NaNBreaksALineAndFarPointsDoNotWrapAround) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto line = painted([](CairoCanvas& c) {
    c.polyline({{{10, 20}, {20, 20}, {nan, 20}, {40, 20}, {1e12, 20}}, {0, 0, 0, 255}, 2, {}, false});
  });
  EXPECT_EQ(line.at(15, 20), 255u);
  EXPECT_EQ(line.at(30, 20), 0u);
  EXPECT_EQ(line.at(99, 20), 255u);
  EXPECT_EQ(line.at(5, 20), 0u);
}

TEST(CairoCanvasTest, PolygonsDiscsAndClips) {
  const auto shapes = painted([](CairoCanvas& c) {
    c.clip({0, 0, 50, 100});
    c.polygon({{{10, 10}, {90, 10}, {90, 30}, {10, 30}}, {0, 0, 0, 255}});
    c.unclip();
    c.discs({{{70, 70}, {20, 70}}, 5, {0, 0, 0, 255}});
  });
  EXPECT_EQ(shapes.at(45, 20), 255u);
  EXPECT_EQ(shapes.at(55, 20), 0u) << "cut";
  EXPECT_EQ(shapes.at(70, 70), 255u) << "the cut is over";
  EXPECT_EQ(shapes.at(45, 70), 0u) << "two discs, no line between";
  EXPECT_NEAR(shapes.right, 75, 1 / scale);
}

// In one page of HTML the first of two equal ids cuts both figures.
TEST(SvgCanvasTest, AnotherFigureHasOtherIds) {
  const auto text = shared_setter(figure::print_theme().fonts);
  const auto ids = [&](double width) {
    SvgCanvas canvas(*text, 300);
    canvas.clip({0, 0, width, 100});
    canvas.unclip();
    const std::string drawn = canvas.elements();
    const std::size_t id = drawn.find("id=\"") + 4, used = drawn.find("url(#") + 5;
    const std::string own = drawn.substr(id, drawn.find('"', id) - id);
    EXPECT_EQ(drawn.substr(used, own.size()), own);
    return own;
  };
  EXPECT_NE(ids(50), ids(51));
  EXPECT_EQ(ids(50), ids(50));
}

TEST(CairoCanvasTest, WhatCannotBePaintedIsLeftOut) {
  const auto nothing = painted([](CairoCanvas& c) {
    c.polyline({{}, {0, 0, 0, 255}, 1, {}, false});
    c.polyline({{{1, 1}, {9, 9}}, {0, 0, 0, 255}, 0, {}, true});
    c.polygon({{{1, 1}, {2, 2}}, {0, 0, 0, 255}});
    c.discs({{{std::nan(""), 1}}, 5, {0, 0, 0, 255}});
    c.image({{0, 0, 10, 10}, 0, 0, nullptr});
    c.label({{std::nan(""), 1}, "x", {}, {0, 0, 0, 255}});
    c.label({{50, 50}, "", {}, {0, 0, 0, 255}});
  });
  EXPECT_LT(nothing.right, 0);
}

}  // namespace
}  // namespace orrery::exporter::canvas_test
