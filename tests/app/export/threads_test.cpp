// Text in many threads: Cairo keeps ten font files open, and here are more.
#include <cairo.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <thread>

#include "app/export/missing_characters.h"
#include "app/export/thumbnail.h"
#include "tests/app/export/samples.h"

namespace orrery::exporter::threads_test {
namespace {

constexpr std::array<double, 7> design_sizes{5, 6, 7, 8, 9, 10, 12};  // each a font file of its own

/// One figure in every size and weight of Latin Modern, with mathematics: fifteen font files.
Sheet many_fonts() {
  Sheet sheet;
  sheet.scene.width = 400;
  sheet.scene.height = 300;
  sheet.dpi = 40;
  double y = 10;
  for (const double size : design_sizes)
    for (const bool bold : {false, true})
      sheet.scene.primitives.push_back(figure::Label{{10, y += 15},
                                                     "Scores fall $\\sum_i \\theta_i$ with distance",
                                                     {figure::Voice::words, size, bold},
                                                     {0, 0, 0, 255},
                                                     figure::HAlign::left,
                                                     figure::VAlign::baseline,
                                                     true});
  return sheet;
}

figure::Figure with_words() {
  figure::Figure figure;
  figure.title = "Scores fall with distance $m-n$, 分数";
  figure::Panel panel;
  panel.x.label = "relative distance $r$";
  panel.y.label = "$\\frac{1}{d}\\sum_i |S_i|$";
  panel.marks.push_back(figure::Line{.x = {0, 1, 2}, .y = {1, 3, 2}, .label = "base $b = 10^4$"});
  figure.panels = {panel};
  return figure;
}

Page page_of(std::string_view theme) {
  Page page;
  page.size = {240, 160};
  page.theme = &figure::theme_by_name(theme);
  page.dpi = 60;
  page.title = true;
  return page;
}

/// What the window does for a label: its own setter, its own surface.
std::string label_bytes(const TextSetter& text, double size, bool bold) {
  const figure::TextStyle style{figure::Voice::words, size, bold};
  const std::string words = "angle $\\theta_i$";
  const figure::Extent extent = text.measure(words, style);
  const int width = 2 + static_cast<int>(extent.width), height = 30;
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_A8, width, height);
  cairo_t* context = cairo_create(surface);
  text.paint(context, 1, 20, words, style, TextPart::plain);
  cairo_surface_flush(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  std::string bytes(reinterpret_cast<const char*>(cairo_image_surface_get_data(surface)),
                    static_cast<std::size_t>(stride) * height);
  cairo_destroy(context);
  cairo_surface_destroy(surface);
  return bytes;
}

void in_threads(const std::vector<std::function<void()>>& works) {
  std::vector<std::jthread> threads;
  for (const auto& work : works) threads.emplace_back(work);
}

TEST(Threads, EightMakeTheBytesThatOneMakes) {
  const Sheet sheet = many_fonts();
  const std::string pdf = pdf_bytes(sheet, samples::print_text()),
                    svg = svg_bytes(sheet, samples::print_text()),
                    png = png_bytes(sheet, samples::print_text());
  std::vector<std::function<void()>> works;
  for (int i = 0; i < 8; ++i)
    works.emplace_back([&] {
      for (int round = 0; round < 6; ++round) {
        const TextSetter own(samples::print_fonts);  // found and let go beside those of the others
        EXPECT_TRUE(pdf_bytes(sheet, own) == pdf);
        EXPECT_TRUE(svg_bytes(sheet, own) == svg);
        EXPECT_TRUE(png_bytes(sheet, own) == png);
      }
    });
  in_threads(works);
}

/// The window's threads: exports, a tray's thumbnails, labels and what is said about fonts.
TEST(Threads, ExportsThumbnailsAndLabelsAtOnce) {
  const figure::Figure figure = with_words();
  const auto themes = figure::theme_names();
  const auto made = [&](std::string_view theme) {
    std::string all;
    for (const std::string_view ending : figure_endings())
      all += figure_bytes(figure, page_of(theme), ending);
    return all;
  };
  const auto thumbnails = [&] {
    std::vector<figure::Color> all;
    for (const std::string_view theme : themes) {
      const figure::Image image = thumbnail(figure, page_of(theme), 120, 90).image;
      all.insert(all.end(), image.pixels->begin(), image.pixels->end());
    }
    return all;
  };
  const auto labels = [&] {
    const TextSetter screen(samples::screen_fonts), print(samples::print_fonts);
    std::string all;
    for (const double size : design_sizes)
      for (const bool bold : {false, true})
        for (const TextSetter* text : {&screen, &print}) all += label_bytes(*text, size, bold);
    return all;
  };
  const auto notes = [&] {
    std::string all = english(missing_characters_note(figure));
    for (const std::string_view theme : themes)
      all += english(missing_fonts_note(figure::theme_by_name(theme).fonts));
    return all;
  };
  std::vector<std::string> exports;
  for (const std::string_view theme : themes) exports.push_back(made(theme));
  const std::vector<figure::Color> pictures = thumbnails();
  const std::string words = labels(), said = notes();

  const auto often = [](auto&& once) {
    return [once] {
      for (int round = 0; round < 6; ++round) once();
    };
  };
  std::vector<std::function<void()>> works{
      often([&] { EXPECT_TRUE(thumbnails() == pictures); }), often([&] { EXPECT_TRUE(labels() == words); }),
      often([&] { EXPECT_TRUE(labels() == words); }), often([&] { EXPECT_EQ(notes(), said); })};
  for (std::size_t i = 0; i < themes.size(); ++i)
    works.emplace_back(often([&, i] { EXPECT_TRUE(made(themes[i]) == exports[i]) << themes[i]; }));
  in_threads(works);
}

}  // namespace
}  // namespace orrery::exporter::threads_test
