#include <gtest/gtest.h>
#include <png.h>

#include "app/export/formats.h"
#include "app/export/png_file.h"
#include "core/tensor/error.h"
#include "tests/app/export/samples.h"
#include "tests/support/files.h"
#include "tests/support/source.h"

namespace orrery::exporter::png_test {
namespace {

struct Decoded {
  int width = 0, height = 0;
  std::vector<figure::Color> pixels;
  figure::Color at(int x, int y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }
};

Decoded decode(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_TRUE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) << image.message;
  image.format = PNG_FORMAT_RGBA;
  Decoded result{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  result.pixels.resize(static_cast<std::size_t>(image.width) * image.height);
  EXPECT_TRUE(png_image_finish_read(&image, nullptr, result.pixels.data(), 0, nullptr)) << image.message;
  return result;
}

/// A chunk's data, by its four letters.
std::string chunk(const std::string& bytes, const std::string& name) {
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length = length << 8 | static_cast<unsigned char>(bytes[at + i]);
    if (bytes.compare(at + 4, 4, name) == 0) return bytes.substr(at + 8, length);
    at += length + 12;
  }
  return {};
}

std::uint32_t number(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

TEST(PngFile, TheProgramsIconIsReadAsItIsDrawn) {
  const std::string bytes = support::contents(support::source("assets/package/icons/32.png"));
  const PngPixels icon = decode_png(bytes);
  ASSERT_EQ(icon.width, 32);
  ASSERT_EQ(icon.height, 32);
  const auto at = [&](int x, int y) {
    const std::uint8_t* p = &icon.rgba[static_cast<std::size_t>(4 * (32 * y + x))];
    return figure::Color{p[0], p[1], p[2], p[3]};
  };
  EXPECT_EQ(at(0, 0).a, 0) << "round: its corners are clear";
  EXPECT_EQ(at(16, 16), (figure::Color{0xe2, 0xb0, 0x4a, 255})) << "brass in the middle";
  EXPECT_THROW(decode_png(bytes.substr(0, bytes.size() / 2)), Failure);
  EXPECT_THROW(decode_png("no PNG"), Failure);
}

TEST(PngFile, SizeIsTheSmallestThatHoldsThePage) {
  Sheet sheet = samples::sheet();
  // 120 mm and 75 mm at 300 dpi are 1417.3 and 885.8 pixels.
  const Decoded image = decode(png_bytes(sheet, samples::print_text()));
  EXPECT_EQ(image.width, 1418);
  EXPECT_EQ(image.height, 886);
  sheet.scene.width = 72;
  sheet.scene.height = 36;
  EXPECT_EQ(decode(png_bytes(sheet, samples::print_text())).width, 300)
      << "a whole number needs no pixel more";
}

TEST(PngFile, SaysItsResolutionAndColourSpace) {
  const std::string bytes = png_bytes(samples::sheet(), samples::print_text());
  const std::string physical = chunk(bytes, "pHYs");
  // 300 per inch is 11811.02 per metre.
  EXPECT_EQ(number(physical, 0), 11811u);
  EXPECT_EQ(number(physical, 4), 11811u);
  EXPECT_EQ(physical.at(8), 1);
  EXPECT_FALSE(chunk(bytes, "sRGB").empty());
  EXPECT_TRUE(chunk(bytes, "tIME").empty());
}

TEST(PngFile, HeatmapCellsHaveExactlyTheirColours) {
  Sheet sheet = samples::sheet();
  sheet.dpi = 144;
  const Decoded image = decode(png_bytes(sheet, samples::print_text()));
  const std::vector<figure::Color> cells = *samples::four_cells();
  // At 2 pixels a point the map covers 480…600 × 80…140, each cell 60 × 30 pixels: all of them, edges too.
  for (int y = 80; y < 140; ++y) {
    for (int x = 480; x < 600; ++x) {
      const std::size_t cell = static_cast<std::size_t>((y >= 110 ? 2 : 0) + (x >= 540 ? 1 : 0));
      ASSERT_EQ(image.at(x, y), cells[cell]) << x << ", " << y;
    }
  }
  EXPECT_EQ(image.at(479, 100), (figure::Color{255, 255, 255, 255}));
  EXPECT_EQ(image.at(600, 100), (figure::Color{255, 255, 255, 255}));
}

TEST(PngFile, TransparentKeepsColoursWhole) {
  Sheet sheet = samples::sheet();
  sheet.dpi = 72;
  sheet.transparent = true;
  const Decoded image = decode(png_bytes(sheet, samples::print_text()));
  EXPECT_EQ(image.at(1, 1).a, 0);
  EXPECT_EQ(image.at(250, 45), samples::four_cells()->at(0));
  // Inside the half-transparent triangle: its colour again, within the rounding of one multiplication by its
  // alpha.
  const figure::Color inside = image.at(45, 158);
  EXPECT_EQ(inside.a, 128);
  EXPECT_NEAR(inside.r, 0, 1);
  EXPECT_NEAR(inside.g, 158, 1);
  EXPECT_NEAR(inside.b, 115, 1);
}

TEST(PngFile, OpaqueHasNoAlphaChannel) {
  constexpr char rgb = 2, rgb_alpha = 6;  // PNG's colour types
  Sheet sheet = samples::sheet();
  EXPECT_EQ(chunk(png_bytes(sheet, samples::print_text()), "IHDR").at(9), rgb);
  sheet.transparent = true;
  EXPECT_EQ(chunk(png_bytes(sheet, samples::print_text()), "IHDR").at(9), rgb_alpha);
}

TEST(PngFile, TooManyPixelsAreRefusedInOneLine) {
  Sheet sheet = samples::sheet();
  sheet.dpi = 10000;
  EXPECT_EQ(samples::message_of<InvalidArgument>([&] { png_bytes(sheet, samples::print_text()); }),
            "dpi: 10000 makes 47245×29528 pixels; allowed are 30000 a side and 150 million in all");
}

}  // namespace
}  // namespace orrery::exporter::png_test
