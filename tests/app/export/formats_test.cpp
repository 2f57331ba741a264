#include "app/export/formats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <pugixml.hpp>

#include "app/export/export.h"
#include "core/tensor/error.h"
#include "tests/app/export/samples.h"

namespace orrery::exporter::formats_test {
namespace {

using samples::print_text;

struct Format {
  const char* ending;
  std::string (*write)(const Sheet&, const TextSetter&);
};
void PrintTo(const Format& format, std::ostream* out) {
  *out << format.ending;
}

class EveryFormat : public ::testing::TestWithParam<Format> {};

INSTANTIATE_TEST_SUITE_P(Figures, EveryFormat,
                         ::testing::Values(Format{".pdf", pdf_bytes}, Format{".svg", svg_bytes},
                                           Format{".png", png_bytes}),
                         [](const auto& format) { return std::string(format.param.ending + 1); });

TEST_P(EveryFormat, SameSheetSameBytes) {
  const std::string first = GetParam().write(samples::sheet(), print_text());
  Sheet other = samples::sheet();
  other.scene.primitives.pop_back();
  GetParam().write(other, print_text());  // what was made in between leaves no trace
  EXPECT_EQ(first, GetParam().write(samples::sheet(), print_text()));
  const TextSetter fresh(samples::print_fonts);
  EXPECT_EQ(first, GetParam().write(samples::sheet(), fresh)) << "a text setter's memory shows in the file";
  EXPECT_NE(first, GetParam().write(other, print_text()));
}

TEST_P(EveryFormat, CarriesItsRecipe) {
  const samples::Folder folder;
  const auto path = folder / (std::string("figure") + GetParam().ending);
  samples::put(path, GetParam().write(samples::sheet(), print_text()));
  EXPECT_EQ(read_recipe(path), samples::recipe);
}

TEST_P(EveryFormat, IsKnownByWhatItIsNotByItsName) {
  const samples::Folder folder;
  const auto path = folder / "renamed.dat";
  samples::put(path, GetParam().write(samples::sheet(), print_text()));
  EXPECT_EQ(read_recipe(path), samples::recipe);
}

TEST_P(EveryFormat, WithoutRecipeSaysSo) {
  const samples::Folder folder;
  const auto path = folder / (std::string("bare") + GetParam().ending);
  Sheet sheet = samples::sheet();
  sheet.recipe.clear();
  samples::put(path, GetParam().write(sheet, print_text()));
  EXPECT_EQ(samples::message_of<Failure>([&] { read_recipe(path); }),
            "cannot read a recipe from " + path.string() + ": there is no recipe inside");
}

TEST_P(EveryFormat, CutOffAnywhereIsAFailureOfOneLine) {
  const samples::Folder folder;
  const auto path = folder / (std::string("cut") + GetParam().ending);
  const std::string whole = GetParam().write(samples::sheet(), print_text());
  const std::size_t step = std::max<std::size_t>(1, whole.size() / 200);
  // The last two bytes may be a line feed after the end mark, without which the file is whole.
  for (std::size_t length = 0; length + 2 < whole.size(); length += step) {
    samples::put(path, whole.substr(0, length));
    const std::string message = samples::message_of<Failure>([&] { read_recipe(path); });
    ASSERT_NE(message, "nothing thrown") << "cut at " << length << " of " << whole.size();
    ASSERT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

TEST_P(EveryFormat, DamagedBytesNeverCrash) {
  const samples::Folder folder;
  const auto path = folder / (std::string("damaged") + GetParam().ending);
  const std::string whole = GetParam().write(samples::sheet(), print_text());
  std::uint32_t seed = 12345;
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole;
    for (int hit = 0; hit < 4; ++hit) {
      seed = seed * 1664525u + 1013904223u;
      bytes[(seed >> 4) % bytes.size()] = static_cast<char>(seed >> 24);
    }
    samples::put(path, bytes);
    try {
      read_recipe(path);
    } catch (const Failure& failure) {
      ASSERT_EQ(std::string(failure.what()).find('\n'), std::string::npos) << failure.what();
    }
  }
}

TEST(ReadRecipe, FromARecipeFile) {
  const samples::Folder folder;
  samples::put(folder / "a.toml", samples::recipe);
  EXPECT_EQ(read_recipe(folder / "a.toml"), samples::recipe);
}

TEST(ReadRecipe, RefusesWhatIsNone) {
  const samples::Folder folder;
  const auto reason = [&](const std::string& name) {
    const std::string message = samples::message_of<Failure>([&] { read_recipe(folder / name); });
    return message.substr(std::min(message.size(), message.rfind(": ") + 2));
  };
  samples::put(folder / "a.txt", "hello");
  samples::put(folder / "empty.toml", "");
  samples::put(folder / "binary.toml", std::string("a\0b", 3));
  samples::put(folder / "latin1.toml", "a = \"\xE9\"");
  samples::put(folder / "large.toml", std::string((1 << 20) + 1, '#'));
  std::filesystem::create_directory(folder / "folder.toml");
  EXPECT_EQ(reason("a.txt"), "it is no PDF, SVG, PNG, WebP, .tex or .toml file");
  EXPECT_EQ(reason("empty.toml"), "there is no recipe inside");
  EXPECT_EQ(reason("binary.toml"), "the recipe is not UTF-8 text");
  EXPECT_EQ(reason("latin1.toml"), "the recipe is not UTF-8 text");
  EXPECT_EQ(reason("large.toml"), "the recipe is larger than 1 MiB");
  EXPECT_EQ(reason("folder.toml"), "is a directory, not a file");
  EXPECT_EQ(reason("missing.toml"), "No such file or directory");
}

TEST(ReadRecipe, AHugeFileIsRefusedUnread) {
  const samples::Folder folder;
  samples::put(folder / "huge.toml", "");
  std::filesystem::resize_file(folder / "huge.toml", std::uintmax_t{1} << 40);
  const std::string message = samples::message_of<Failure>([&] { read_recipe(folder / "huge.toml"); });
  EXPECT_NE(message.find("allowed: up to 67108864 bytes"), std::string::npos) << message;
}

TEST(ReadRecipe, ABombInAPdfIsRefused) {
  // A recipe of 8 MiB of blanks deflates to some kB. Ours are written by the library itself, so the file is
  // valid.
  const samples::Folder folder;
  Sheet sheet = samples::sheet();
  sheet.recipe = std::string(std::size_t{8} << 20, ' ');
  samples::put(folder / "bomb.pdf", pdf_bytes(sheet, print_text()));
  EXPECT_LT(std::filesystem::file_size(folder / "bomb.pdf"), std::size_t{1} << 20);
  const std::string message = samples::message_of<Failure>([&] { read_recipe(folder / "bomb.pdf"); });
  EXPECT_NE(message.find("larger than 1 MiB"), std::string::npos) << message;
}

TEST(SvgFile, SaysItsSizeItsTitleAndWhatItShows) {
  pugi::xml_document document;
  const std::string svg = svg_bytes(samples::sheet(), print_text());
  ASSERT_TRUE(document.load_string(svg.c_str()));
  const pugi::xml_node root = document.child("svg");
  // 120 mm = 340.157 pt, 75 mm = 212.598 pt to a thousandth of a point.
  EXPECT_STREQ(root.attribute("width").value(), "340.157pt");
  EXPECT_STREQ(root.attribute("height").value(), "212.598pt");
  EXPECT_STREQ(root.attribute("viewBox").value(), "0 0 340.157 212.598");
  EXPECT_STREQ(root.child_value("title"), "Rotation & decay");
  EXPECT_STREQ(root.child_value("desc"), "Two lines <and> a map");
  EXPECT_EQ(svg.find("surface"), std::string::npos);
}

TEST(SvgFile, HeatmapIsAnEnlargedImageThatIsNotSmoothed) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(svg_bytes(samples::sheet(), print_text()).c_str()));
  const pugi::xml_node image = document.child("svg").child("image");
  ASSERT_TRUE(image);
  EXPECT_STREQ(image.attribute("style").value(), "image-rendering:pixelated");
  EXPECT_STREQ(image.attribute("preserveAspectRatio").value(), "none");
  EXPECT_DOUBLE_EQ(image.attribute("width").as_double(), 60);
  EXPECT_TRUE(std::string(image.attribute("xlink:href").value()).starts_with("data:image/png;base64,"));
}

/// The d of a label's path.
std::string outline_of(const std::string& text) {
  Sheet sheet = samples::sheet();
  sheet.scene.primitives = {figure::Label{
      {10, 20}, text, {}, {0, 0, 0, 255}, figure::HAlign::left, figure::VAlign::baseline, true}};
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(svg_bytes(sheet, print_text()).c_str()));
  return document.child("svg").find_child_by_attribute("path", "role", "img").attribute("d").value();
}

TEST(SvgFile, ALongTextKeepsItsEnd) {
  const auto contours = [](const std::string& path) { return std::ranges::count(path, 'Z'); };
  const auto one = contours(outline_of("mean"));
  ASSERT_GT(one, 3);
  for (const int times : {2, 10, 40}) {
    std::string text;
    for (int i = 0; i < times; ++i) text += "mean ";
    EXPECT_EQ(contours(outline_of(text)), times * one) << times;
  }
}

/// The points of an arc about (50, 50).
std::vector<figure::Point> arc_points(double radius, double from, double sweep, int steps) {
  std::vector<figure::Point> points;
  for (int i = 0; i <= steps; ++i)
    points.push_back(
        {50 + radius * std::cos(from + sweep * i / steps), 50 + radius * std::sin(from + sweep * i / steps)});
  return points;
}

TEST(SvgFile, CirclesAreCirclesAndArcsAreArcs) {
  const figure::Color ink{0, 0, 0, 255};
  Sheet sheet = samples::sheet();
  std::vector<figure::Point> ribbon = arc_points(20, 0, 4, 40);
  for (const figure::Point p : arc_points(15, 4, -4, 40)) ribbon.push_back(p);
  sheet.scene.primitives = {
      figure::Polyline{arc_points(10, 1, 2 * std::numbers::pi, 72), ink, 1, {}, false},
      figure::Polyline{arc_points(10, 1, 2 * std::numbers::pi, 72), ink, 1, {3, 2}, false},
      figure::Polygon{ribbon, ink}};
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(svg_bytes(sheet, print_text()).c_str()));
  const pugi::xml_node circle = document.child("svg").child("circle");
  EXPECT_DOUBLE_EQ(circle.attribute("cx").as_double(), 50);
  EXPECT_DOUBLE_EQ(circle.attribute("r").as_double(), 10);
  std::vector<std::string> paths;
  for (const pugi::xml_node path : document.child("svg").children("path"))
    paths.emplace_back(path.attribute("d").value());
  ASSERT_EQ(paths.size(), 3u) << "the ground, the dashed circle, the ribbon";
  EXPECT_EQ(std::ranges::count(paths[1], 'A'), 3) << "dashes begin where the circle does: " << paths[1];
  EXPECT_EQ(std::ranges::count(paths[2], 'A'), 4) << paths[2];
  EXPECT_EQ(std::ranges::count(paths[2], 'L'), 1) << paths[2];
  EXPECT_NE(paths[2].find("0 0 1 "), std::string::npos) << "outwards with the clock: " << paths[2];
  EXPECT_NE(paths[2].find("0 0 0 "), std::string::npos) << "and back: " << paths[2];
}

TEST(SvgFile, WordsAreTextWhenAsked) {
  Sheet sheet = samples::sheet();
  EXPECT_EQ(svg_bytes(sheet, print_text()).find("<text"), std::string::npos) << "unless asked, outlines";
  sheet.svg_text = true;
  sheet.scene.primitives.push_back(figure::Label{{10, 20},
                                                 "旋转 & turn",
                                                 {figure::Voice::words, 9, true},
                                                 {0, 0, 0, 255},
                                                 figure::HAlign::right,
                                                 figure::VAlign::baseline,
                                                 true});
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(svg_bytes(sheet, print_text()).c_str(),
                                   pugi::parse_default | pugi::parse_ws_pcdata));
  std::vector<pugi::xml_node> words;
  for (const auto& found : document.select_nodes("//*[local-name()='text']")) words.push_back(found.node());
  ASSERT_EQ(words.size(), 3u);
  EXPECT_STREQ(words[0].text().get(), "angle ") << "beside a formula";
  EXPECT_TRUE(words[0].parent().child("path")) << "which is outlines";
  EXPECT_STREQ(words[0].parent().attribute("aria-label").value(), "angle θ_i = m ⋅b^(-2i/d)");
  EXPECT_STREQ(words[1].text().get(), "mean partial sum");
  EXPECT_STREQ(words[1].attribute("text-anchor").value(), "middle");
  EXPECT_TRUE(std::string(words[1].parent().attribute("transform").value()).ends_with("rotate(-90)"));
  EXPECT_STREQ(words[2].text().get(), "旋转 & turn");
  EXPECT_STREQ(words[2].attribute("xml:lang").value(), "zh-CN");
  EXPECT_STREQ(words[2].attribute("text-anchor").value(), "end");
  EXPECT_DOUBLE_EQ(words[2].attribute("font-size").as_double(), 9);
  EXPECT_STREQ(words[2].attribute("font-weight").value(), "600");
  EXPECT_TRUE(std::string(words[2].attribute("font-family").value())
                  .starts_with("'LM Roman 9', 'Latin Modern Roman', "))
      << words[2].attribute("font-family").value();
}

TEST(SvgFile, TransparentHasNoGround) {
  Sheet sheet = samples::sheet();
  const std::size_t with = svg_bytes(sheet, print_text()).find("#ffffff");
  sheet.transparent = true;
  EXPECT_NE(with, std::string::npos);
  EXPECT_EQ(svg_bytes(sheet, print_text()).find("#ffffff"), std::string::npos);
}

}  // namespace
}  // namespace orrery::exporter::formats_test
