// Sizes of pages, tables.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "app/export/export.h"
#include "app/figure/gallery.h"
#include "core/file/npy.h"
#include "core/tensor/error.h"
#include "tests/app/export/samples.h"

namespace orrery::exporter::files_test {
namespace {

using samples::contents;
using samples::message_of;

TEST(ParseSize, ReadsUnits) {
  const auto expect = [](std::string_view text, double width, double height) {
    const figure::Size size = parse_size(text);
    // One multiplication and one division away from the exact value.
    EXPECT_NEAR(size.width, width, 1e-12 * width) << text;
    EXPECT_NEAR(size.height, height, 1e-12 * height) << text;
  };
  expect("12cm×8cm", 120 / 25.4 * 72, 80 / 25.4 * 72);
  expect("85mm x 60mm", 85 / 25.4 * 72, 60 / 25.4 * 72);
  expect("85mmx60mm", 85 / 25.4 * 72, 60 / 25.4 * 72);
  expect("12×8cm", 120 / 25.4 * 72, 80 / 25.4 * 72);
  expect("340pt×212.5pt", 340, 212.5);
  expect("3in*2in", 216, 144);
  expect("960px x 540px", 720, 405);
  expect("960pxx540px", 720, 405);
  expect("508cm×5080mm", 14400, 14400);  // the largest page, not a rounding more
  expect("column", 85 / 25.4 * 72, 60 / 25.4 * 72);
  expect("slide", 160 / 25.4 * 72, 90 / 25.4 * 72);
  EXPECT_GT(parse_size("two-columns").width, 2 * parse_size("column").width);
}

TEST(SizeText, ReadsBackAsExactlyTheSameSize) {
  using figure::size_text;
  EXPECT_EQ(size_text(parse_size("12cm×7.5cm")), "12cm×7.5cm");
  EXPECT_EQ(size_text(parse_size("120mm×75mm")), "12cm×7.5cm");
  EXPECT_EQ(size_text(parse_size("340pt×212.5pt")), "340pt×212.5pt");
  EXPECT_EQ(size_text(parse_size("column")), "85mm×60mm");  // 8.5 cm is another double
  for (int i = 0; i < 1000; ++i) {
    const figure::Size size{20 + i / 7.0, 14400 - i * 3.3333333333333};
    EXPECT_EQ(parse_size(size_text(size)), size) << size_text(size);
  }
}

TEST(SizeText, OfTenthsOfAMillimetreIsShort) {
  for (int i = 0; i < 1000; ++i) {
    const figure::Size asked{20 + i / 7.0, 1440 - i / 3.0}, size = figure::in_tenths_of_millimetres(asked);
    EXPECT_NEAR(size.width, asked.width, 0.05 * 72 / 25.4 + 1e-9);
    EXPECT_NEAR(size.height, asked.height, 0.05 * 72 / 25.4 + 1e-9);
    EXPECT_LE(figure::size_text(size).size(), std::string_view("120.5mm×226.8mm").size());
  }
}

TEST(Figure, CodesThatAreNoCharactersAreInEveryFormat) {
  figure::Figure f = figure::gallery_figure();
  f.title = "a\xEF\xBF\xBF and \xEF\xB7\x90";
  Page p;
  p.size = parse_size("12cm×16cm");
  p.title = true;
  for (const char* ending : {".pdf", ".svg", ".png"}) EXPECT_NO_THROW(figure_bytes(f, p, ending)) << ending;
}

TEST(ParseSize, EveryNameIsASize) {
  for (const figure::NamedSize& named : figure::named_sizes()) {
    const figure::Size size = parse_size(named.name);
    EXPECT_NEAR(size.width, named.width_mm / 25.4 * 72, 1e-9) << named.name;
    EXPECT_NEAR(size.height, named.height_mm / 25.4 * 72, 1e-9) << named.name;
    EXPECT_FALSE(named.use.empty());
  }
  const figure::Size slide = parse_size("slide");
  EXPECT_NEAR(slide.width / slide.height, 16.0 / 9, 1e-12);
}

TEST(ParseSize, RefusesTheRestInOneLine) {
  for (const char* text : {"", "12cm", "12cm×", "×8cm", "12×8", "12cm×8ell", "cm×cm", "nan×nancm",
                           "1e999cm×8cm", "12cm×8cm×3cm", "12 8cm", "columns", "\xFF×1cm", "12,5cm×8cm"}) {
    const std::string message = message_of<InvalidArgument>([&] { parse_size(text); });
    EXPECT_NE(message.find("allowed are"), std::string::npos) << text << ": " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  EXPECT_EQ(message_of<InvalidArgument>([] { parse_size("1000cm×8cm"); }),
            "size: '1000cm×8cm' has a side of 28346.5 pt; allowed are 20 to 14400 pt");
  EXPECT_EQ(message_of<InvalidArgument>([] { parse_size("1e300pt×8cm"); }),
            "size: '1e300pt×8cm' has a side of 1e+300 pt; allowed are 20 to 14400 pt");
  EXPECT_NE(message_of<InvalidArgument>([] { parse_size("-12cm×8cm"); }), "nothing thrown");
  EXPECT_NE(message_of<InvalidArgument>([] { parse_size("0cm×8cm"); }), "nothing thrown");
}

figure::Table table() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  return {"angles",
          {{"pair", "", {0, 1, 2}, 6},
           {"$\\theta_i$, \"angle\"", "rad", {0.1, 1.0 / 3, -inf}, 6},
           {"turns", "", {1e-300, std::nan(""), 5e22}, 6}}};
}

TEST(WriteTable, CsvHasNamesUnitsAndEveryDigit) {
  const samples::Folder folder;
  write_table(table(), folder / "t.csv");
  EXPECT_EQ(contents(folder / "t.csv"),
            "pair,\"θ_i, \"\"angle\"\" "
            "[rad]\",turns\n0,0.1,1e-300\n1,0.3333333333333333,nan\n2,-inf,5e+22\n");
}

TEST(WriteTable, WordsStandInCsvAndTheirNumbersInNpy) {
  const samples::Folder folder;
  figure::Table models{"models",
                       {{.name = "model", .values = {1, 2}, .words = {"GPT-2", "a \"b\", $\\theta$"}},
                        {.name = "layers", .values = {12, 0.5}}}};
  write_table(models, folder / "t.csv");
  EXPECT_EQ(contents(folder / "t.csv"), "model,layers\nGPT-2,12\n\"a \"\"b\"\", θ\",0.5\n");
  write_table(models, folder / "t.npy");
  EXPECT_EQ(file::read_npy(folder / "t.npy").values, (std::vector<double>{1, 12, 2, 0.5}));
  models.columns[0].words.pop_back();
  EXPECT_EQ(message_of<InvalidArgument>([&] { write_table(models, folder / "u.csv"); }),
            "table 'models': column 'model' has 1 values, the first one 2");
}

TEST(WriteTable, NpyHasTheSameDoubles) {
  const samples::Folder folder;
  write_table(table(), folder / "t.npy");
  const tensor::Array array = file::read_npy(folder / "t.npy");
  EXPECT_EQ(array.shape, (std::vector<tensor::Index>{3, 3}));
  EXPECT_EQ(array.format, tensor::Format::f64);
  EXPECT_EQ(array.values[4], 1.0 / 3);
  EXPECT_EQ(array.values[8], 5e22);
  EXPECT_TRUE(std::isnan(array.values[5]));
}

TEST(WriteTable, RefusesOtherEndingsAndRaggedColumns) {
  const samples::Folder folder;
  const std::string message = message_of<InvalidArgument>([&] { write_table(table(), folder / "t.xlsx"); });
  EXPECT_NE(message.find("allowed are .csv, .npy, .md, .tex"), std::string::npos) << message;
  figure::Table ragged = table();
  ragged.columns[2].values.pop_back();
  EXPECT_EQ(message_of<InvalidArgument>([&] { write_table(ragged, folder / "t.csv"); }),
            "table 'angles': column 'turns' has 2 values, the first one 3");
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace orrery::exporter::files_test
