#include "app/export/formats.h"

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(SvgFile, TransparentHasNoGround) {
  Sheet sheet = samples::sheet();
  const std::size_t with = svg_bytes(sheet, print_text()).find("#ffffff");
  sheet.transparent = true;
  EXPECT_NE(with, std::string::npos);
  EXPECT_EQ(svg_bytes(sheet, print_text()).find("#ffffff"), std::string::npos);
}

}  // namespace
}  // namespace orrery::exporter::formats_test
