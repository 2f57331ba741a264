// Files that come from anybody: a recipe or one line that says why not, whatever is in them.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>

#include <cstdint>

#include "app/export/export.h"
#include "app/export/formats.h"
#include "core/tensor/error.h"
#include "tests/app/export/samples.h"

namespace orrery::exporter::hostile_test {
namespace {

using samples::print_text;

/// Numbers that are the same on every machine.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  std::size_t below(std::size_t n) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::size_t>(state_ >> 11) % n;
  }

 private:
  std::uint64_t state_;
};

std::string whole_file(const std::string& ending) {
  Sheet sheet = samples::sheet();
  sheet.dpi = 30;  // small files are hit where it hurts
  if (ending == ".pdf") return pdf_bytes(sheet, print_text());
  if (ending == ".svg") return svg_bytes(sheet, print_text());
  if (ending == ".png") return png_bytes(sheet, print_text());
  if (ending == ".webp") {
    WebpWriter film({10});
    film.add(sheet, print_text());
    sheet.scene.primitives.pop_back();
    film.add(sheet, print_text());
    return film.bytes();
  }
  if (ending == ".toml") return samples::recipe;
  figure::Figure figure;
  figure.panels.resize(1);
  figure.panels[0].marks.emplace_back(figure::Line{{0, 1, 2}, {0, 1, 0}});
  Page page;
  page.size = {200, 150};
  page.recipe = samples::recipe;
  return figure_bytes(figure, page, ending);
}

/// Flips, cuts, repeats and splices. Four out of five blows fall near the recipe, where the reader works.
std::string damaged(const std::string& whole, const std::string& other, Dice& dice) {
  std::string bytes = whole;
  const std::size_t blows = 1 + dice.below(6);
  for (std::size_t i = 0; i < blows && !bytes.empty(); ++i) {
    const std::size_t at = dice.below(bytes.size()), length = 1 + dice.below(64);
    switch (dice.below(7)) {
      case 0:
        bytes[at] = static_cast<char>(dice.below(256));
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice.below(8)));
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3:
        bytes.erase(at, length);
        break;
      case 4:
        bytes.insert(at, bytes.substr(dice.below(bytes.size()), length));
        break;
      case 5:
        bytes.insert(at, other.substr(dice.below(other.size()), length));
        break;
      default:
        bytes.replace(at, std::min(length, bytes.size() - at),
                      std::string(length, static_cast<char>(255 * dice.below(2))));
    }
  }
  return bytes;
}

/// Of the whole process so far, kilobytes.
long peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

class Hostile : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(EveryFormat, Hostile,
                         ::testing::Values(".pdf", ".svg", ".png", ".tex", ".webp", ".toml"),
                         [](const auto& ending) { return ending.param.substr(1); });

TEST_P(Hostile, ThreeThousandDamagedFilesAreARecipeOrALine) {
  const samples::Folder folder;
  const auto path = folder / ("damaged" + GetParam());
  const std::string whole = whole_file(GetParam());
  const std::string other = whole_file(GetParam() == ".svg" ? ".pdf" : ".svg");
  int read = 0;
  [[maybe_unused]] const long before = peak_memory();
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Dice dice(seed);
    samples::put(path, damaged(whole, other, dice));
    try {
      read_recipe(path);
      ++read;
    } catch (const Failure& failure) {
      ASSERT_EQ(std::string(failure.what()).find('\n'), std::string::npos) << "seed " << seed;
    }
  }
  // A picture's pixels are hit more often than its recipe; but not every file may be taken for whole.
  EXPECT_GT(read, 0);
  EXPECT_LT(read, 3000);
#ifndef __SANITIZE_ADDRESS__
  // The files have some kB. 64 MiB is what libpng is allowed for one text, with all its doublings.
  EXPECT_LT(peak_memory() - before, 64 << 10);
#endif
}

std::string deflated(const std::string& text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
            static_cast<uLong>(text.size()), 9);
  packed.resize(size);
  return packed;
}

std::string big_endian(std::uint32_t n) {
  return {static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8),
          static_cast<char>(n)};
}

std::string reason(const std::string& name, const std::string& bytes) {
  const samples::Folder folder;
  samples::put(folder / name, bytes);
  return samples::message_of<Failure>([&] { read_recipe(folder / name); });
}

TEST(HostileFiles, ABombInAPngsTextIsRefused) {
  const std::string whole = whole_file(".png");
  // 100 MB of blanks deflate to 100 kB.
  const std::string data =
      std::string(png_keyword) + std::string("\0\1\0\0\0", 5) + deflated(std::string(100'000'000, ' '));
  std::string chunk = "iTXt" + data;
  const auto crc = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size())));
  chunk = big_endian(static_cast<std::uint32_t>(data.size())) + chunk + big_endian(crc);
  [[maybe_unused]] const long before = peak_memory();
  std::string bytes = whole;
  bytes.insert(33, chunk);  // behind the header
  const samples::Folder folder;
  samples::put(folder / "bomb.png", bytes);
  try {
    EXPECT_EQ(read_recipe(folder / "bomb.png"), samples::recipe)
        << "the bomb is left out, or the file refused";
  } catch (const Failure&) {
  }
#ifndef __SANITIZE_ADDRESS__
  EXPECT_LT(peak_memory() - before, 32 << 10);
#endif
}

TEST(HostileFiles, StreamsInStreamsOfAPdfAreLeftPacked) {
  // A table of contents that unpacks to gigabytes: whoever asks for the recipe needs none of it.
  std::string bytes = whole_file(".pdf");
  const std::string bomb = deflated(deflated(std::string(200'000'000, ' ')));
  bytes += "9 0 obj\n<< /Type /XRef /Filter [/FlateDecode /FlateDecode] /Length " +
           std::to_string(bomb.size()) + " >>\nstream\n" + bomb + "\nendstream\nendobj\nstartxref\n" +
           std::to_string(bytes.size()) + "\n%%EOF\n";
  const samples::Folder folder;
  samples::put(folder / "a.pdf", bytes);
  EXPECT_EQ(read_recipe(folder / "a.pdf"), samples::recipe);
}

TEST(HostileFiles, EntitiesOfAnSvgAreNotExpanded) {
  std::string laughs = "<!DOCTYPE svg [<!ENTITY a \"ha\">";
  for (char c = 'b'; c < 'l'; ++c) {
    laughs += std::string("<!ENTITY ") + c + " \"";
    for (int i = 0; i < 10; ++i) laughs += std::string("&") + static_cast<char>(c - 1) + ";";
    laughs += "\">";
  }
  laughs += "]>";
  const std::string svg = "<?xml version=\"1.0\"?>" + laughs +
                          "<svg xmlns=\"http://www.w3.org/2000/svg\"><metadata><recipe xmlns=\"" +
                          std::string(recipe_namespace) + "\">&k;</recipe></metadata></svg>";
  const samples::Folder folder;
  samples::put(folder / "a.svg", svg);
  EXPECT_EQ(read_recipe(folder / "a.svg"), "&k;");
}

TEST(HostileFiles, AnSvgOfAMillionElementsInsideOneAnotherIsSurvived) {
  std::string svg;
  for (int i = 0; i < 1'000'000; ++i) svg += "<g>";
  EXPECT_NE(reason("deep.svg", svg).find("broken SVG"), std::string::npos);
  for (int i = 0; i < 1'000'000; ++i) svg += "</g>";
  EXPECT_NE(reason("deep.svg", svg).find("no recipe inside"), std::string::npos);
}

TEST(HostileFiles, ATexThatIsCutOffInItsRecipeSaysSo) {
  const std::string whole = whole_file(".tex");
  const std::size_t end = whole.find("% orrery-recipe end");
  EXPECT_NE(reason("a.tex", whole.substr(0, end)).find("cut off"), std::string::npos);
  EXPECT_NE(reason("a.tex", "\\documentclass{article}").find("no recipe inside"), std::string::npos);
}

TEST(HostileFiles, ATexWithLineEndsOfWindowsKeepsItsRecipe) {
  std::string windows;
  for (const char c : whole_file(".tex")) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const samples::Folder folder;
  samples::put(folder / "a.tex", windows);
  EXPECT_EQ(read_recipe(folder / "a.tex"), samples::recipe);
}

}  // namespace
}  // namespace orrery::exporter::hostile_test
