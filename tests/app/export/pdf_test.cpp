#define POINTERHOLDER_TRANSITION 4
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>

#include "app/export/formats.h"
#include "app/export/pdf_typefaces.h"
#include "core/tensor/error.h"
#include "tests/app/export/samples.h"

namespace orrery::exporter::pdf_test {
namespace {

/// A PDF that was just made, open for questions.
class Opened {
 public:
  explicit Opened(const Sheet& sheet) : bytes_(pdf_bytes(sheet, samples::print_text())) {
    pdf_.processMemoryFile("figure", bytes_.data(), bytes_.size());
  }
  QPDF& pdf() { return pdf_; }
  QPDFObjectHandle page() { return QPDFPageDocumentHelper(pdf_).getAllPages().at(0).getObjectHandle(); }
  std::vector<QPDFObjectHandle> of_type(const std::string& key, const std::string& name) {
    std::vector<QPDFObjectHandle> found;
    for (QPDFObjectHandle object : pdf_.getAllObjects()) {
      QPDFObjectHandle dictionary = object.isStream() ? object.getDict() : object;
      if (dictionary.isDictionary() && dictionary.getKey(key).isNameAndEquals(name)) found.push_back(object);
    }
    return found;
  }

 private:
  std::string bytes_;
  QPDF pdf_;
};

std::string stream_text(QPDFObjectHandle stream) {
  const auto buffer = stream.getStreamData(qpdf_dl_generalized);
  return {reinterpret_cast<const char*>(buffer->getBuffer()), buffer->getSize()};
}

TEST(PdfFile, PageIsTheSizeAskedFor) {
  Opened file(samples::sheet());
  auto box = file.page().getKey("/MediaBox").getArrayAsVector();
  ASSERT_EQ(box.size(), 4u);
  // Cairo writes six decimals: half a unit of the last is 5e-7 pt.
  EXPECT_NEAR(box[2].getNumericValue(), 120 / 25.4 * 72, 5e-7);
  EXPECT_NEAR(box[3].getNumericValue(), 75 / 25.4 * 72, 5e-7);
}

/// A request for memory that failed while Cairo wrote a typeface left a PDF without it, and nobody said so.
TEST(PdfFile, ATypefaceThatIsNotInTheFileIsRefused) {
  Opened file(samples::sheet());
  EXPECT_GE(file.of_type("/Type", "/FontDescriptor").size(), 1u);
  EXPECT_NO_THROW(check_typefaces(file.pdf()));
  file.pdf().makeIndirectObject(
      QPDFObjectHandle::parse("<< /Type /FontDescriptor /FontName /LMRoman5-Regular >>"));
  EXPECT_THROW(check_typefaces(file.pdf()), Failure);
}

TEST(PdfFile, IsVersion14WithItsTitleAndNoDate) {
  Opened file(samples::sheet());
  EXPECT_EQ(file.pdf().getPDFVersion(), "1.4");
  QPDFObjectHandle info = file.pdf().getTrailer().getKey("/Info");
  EXPECT_EQ(info.getKey("/Title").getUTF8Value(), "Rotation & decay");
  EXPECT_EQ(info.getKey("/Creator").getUTF8Value(), "Orrery");
  EXPECT_FALSE(info.hasKey("/CreationDate"));
  EXPECT_FALSE(info.hasKey("/ModDate"));
}

TEST(PdfFile, FontsAreEmbeddedAndKnowTheirCharacters) {
  Opened file(samples::sheet());
  auto fonts = file.of_type("/Type", "/Font");
  ASSERT_FALSE(fonts.empty());
  for (QPDFObjectHandle font : fonts) {
    EXPECT_FALSE(font.getKey("/Subtype").isNameAndEquals("/Type3")) << "publishers refuse these";
    // The inner half of a composite font has its characters in the outer one.
    const std::string kind = font.getKey("/Subtype").getName();
    if (!kind.starts_with("/CIDFont")) {
      EXPECT_TRUE(font.getKey("/ToUnicode").isStream()) << kind;
    }
    if (kind == "/Type0") continue;
    QPDFObjectHandle descriptor = font.getKey("/FontDescriptor");
    ASSERT_TRUE(descriptor.isDictionary()) << kind;
    EXPECT_TRUE(descriptor.hasKey("/FontFile") || descriptor.hasKey("/FontFile2") ||
                descriptor.hasKey("/FontFile3"));
  }
}

TEST(PdfFile, MathematicsCanBeCopied) {
  Opened file(samples::sheet());
  std::string maps;
  for (QPDFObjectHandle font : file.of_type("/Type", "/Font")) {
    if (font.hasKey("/ToUnicode")) maps += stream_text(font.getKey("/ToUnicode"));
  }
  std::ranges::transform(maps, maps.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // U+1D703 mathematical italic theta and U+1D456 italic i (as a subscript: another glyph) in UTF-16.
  EXPECT_NE(maps.find("d835df03"), std::string::npos);
  EXPECT_NE(maps.find("d835dc56"), std::string::npos);
}

TEST(PdfFile, HeatmapIsOneImageThatIsNotSmoothed) {
  Opened file(samples::sheet());
  auto images = file.of_type("/Subtype", "/Image");
  ASSERT_EQ(images.size(), 1u);
  QPDFObjectHandle image = images.front().getDict();
  EXPECT_EQ(image.getKey("/Width").getIntValue(), 2);
  EXPECT_EQ(image.getKey("/Height").getIntValue(), 2);
  EXPECT_TRUE(!image.hasKey("/Interpolate") || !image.getKey("/Interpolate").getBoolValue());
  const std::string pixels = stream_text(images.front());
  ASSERT_EQ(pixels.size(), 12u);
  EXPECT_EQ(pixels.substr(0, 6), std::string("\x44\x01\x54\xFD\xE7\x25"));
}

TEST(PdfFile, TransparentHasNoGround) {
  Sheet sheet = samples::sheet();
  sheet.scene.primitives.clear();
  const auto content = [&] {
    Opened file(sheet);
    std::string text;
    for (QPDFObjectHandle object : file.pdf().getAllObjects()) {
      if (object.isStream() && !object.getDict().hasKey("/Type")) text += stream_text(object);
    }
    return text;
  };
  sheet.recipe.clear();
  EXPECT_NE(content().find("1 1 1 rg"), std::string::npos);
  sheet.transparent = true;
  EXPECT_EQ(content().find("1 1 1 rg"), std::string::npos);
}

}  // namespace
}  // namespace orrery::exporter::pdf_test
