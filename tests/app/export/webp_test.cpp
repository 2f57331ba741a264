// Animations, read back by libwebp's own decoder.
#include <gtest/gtest.h>
#include <webp/demux.h>

#include "app/export/export.h"
#include "app/export/formats.h"
#include "core/tensor/error.h"
#include "tests/app/export/samples.h"

namespace orrery::exporter::webp_test {
namespace {

/// A dot that climbs: no two frames are alike.
std::vector<figure::Figure> film(int frames) {
  std::vector<figure::Figure> figures;
  for (int i = 0; i < frames; ++i) {
    figure::Figure f;
    f.panels.resize(1);
    f.panels[0].x.range = f.panels[0].y.range = figure::Range{0, double(frames)};
    f.panels[0].marks.emplace_back(figure::Points{{1.0 * i}, {0.5 * i}});
    figures.push_back(f);
  }
  return figures;
}

Page page() {
  Page p;
  p.size = {144, 90};
  p.dpi = 72;
  p.recipe = samples::recipe;
  return p;
}

/// Browsers take 10 ms and less for 100.
TEST(Webp, NoFrameIsShorterThanBrowsersShow) {
  const samples::Folder folder;
  write_animation(film(4), {120}, page(), folder / "fast.webp", {});
  const std::string bytes = samples::contents(folder / "fast.webp");
  int frames = 0;
  for (std::size_t at = bytes.find("ANMF"); at != bytes.npos; at = bytes.find("ANMF", at + 4), ++frames)
    EXPECT_GT(static_cast<unsigned char>(bytes[at + 20]), 10) << "milliseconds of frame " << frames;
  EXPECT_EQ(frames, 4);
}

TEST(Webp, HasEveryFrameAtItsTimeAndItsSize) {
  const samples::Folder folder;
  std::vector<int> heard;
  write_animation(film(10), {8}, page(), folder / "a.webp", [&](int done) { heard.push_back(done); });
  EXPECT_EQ(heard.size(), 10u);
  EXPECT_EQ(heard.back(), 10);
  const std::string bytes = samples::contents(folder / "a.webp");
  const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, nullptr);
  ASSERT_TRUE(decoder);
  WebPAnimInfo info;
  ASSERT_TRUE(WebPAnimDecoderGetInfo(decoder, &info));
  EXPECT_EQ(info.canvas_width, 144u);
  EXPECT_EQ(info.canvas_height, 90u);
  EXPECT_EQ(info.frame_count, 10u);
  EXPECT_EQ(info.loop_count, 0u) << "plays for ever";
  std::vector<int> ends;
  while (WebPAnimDecoderHasMoreFrames(decoder)) {
    std::uint8_t* pixels = nullptr;
    int end = 0;
    ASSERT_TRUE(WebPAnimDecoderGetNext(decoder, &pixels, &end));
    ends.push_back(end);
  }
  WebPAnimDecoderDelete(decoder);
  ASSERT_EQ(ends.size(), 10u);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(ends[static_cast<std::size_t>(i)], 125 * (i + 1));  // ms at 8 a second
}

TEST(Webp, PlaysAsOftenAsItIsAskedTo) {
  const samples::Folder folder;
  write_animation(film(2), {8, 1}, page(), folder / "a.webp");
  const std::string bytes = samples::contents(folder / "a.webp");
  const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  WebPDemuxer* file = WebPDemux(&data);
  ASSERT_TRUE(file);
  EXPECT_EQ(WebPDemuxGetI(file, WEBP_FF_LOOP_COUNT), 1u);
  WebPDemuxDelete(file);
}

TEST(Webp, IsLossless) {
  const std::vector<figure::Figure> figures = film(2);
  const samples::Folder folder;
  write_animation(figures, {8}, page(), folder / "a.webp");
  const std::string bytes = samples::contents(folder / "a.webp");
  const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, nullptr);
  ASSERT_TRUE(decoder);
  const TextSetter text(figure::print_theme().fonts);
  for (const figure::Figure& f : figures) {
    std::uint8_t* pixels = nullptr;
    int end = 0;
    ASSERT_TRUE(WebPAnimDecoderGetNext(decoder, &pixels, &end));
    figure::LayoutOptions options;
    options.size = {144, 90};
    options.pixels_per_point = 1;
    Sheet sheet;
    sheet.scene = figure::layout(f, options, figure::print_theme(), text);
    sheet.dpi = 72;
    const Pixels expected = paint_pixels(sheet, text);
    int different = 0;
    for (std::size_t i = 0; i < expected.argb.size(); ++i)
      for (int c = 0; c < 3; ++c)
        different += pixels[4 * i + std::size_t(c)] != ((expected.argb[i] >> (16 - 8 * c)) & 255);
    EXPECT_EQ(different, 0);
  }
  WebPAnimDecoderDelete(decoder);
}

TEST(Webp, CarriesItsRecipeAndIsTheSameTwice) {
  const samples::Folder folder;
  write_animation(film(3), {8}, page(), folder / "a.webp");
  write_animation(film(3), {8}, page(), folder / "b.webp");
  EXPECT_EQ(samples::contents(folder / "a.webp"), samples::contents(folder / "b.webp"));
  EXPECT_EQ(read_recipe(folder / "a.webp"), samples::recipe);
  Page bare = page();
  bare.recipe.clear();
  write_animation(film(3), {8}, bare, folder / "bare.webp");
  EXPECT_NE(samples::message_of<Failure>([&] { read_recipe(folder / "bare.webp"); }).find("no recipe inside"),
            std::string::npos);
}

TEST(Webp, RefusesFramesLargerThanTheFormat) {
  const samples::Folder folder;
  Page large = page();
  large.size = {14400, 20};
  large.dpi = 100;  // 20000 pixels
  const std::string message =
      samples::message_of<InvalidArgument>([&] { write_animation(film(2), {8}, large, folder / "a.webp"); });
  EXPECT_NE(message.find("16383 a side"), std::string::npos) << message;
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace orrery::exporter::webp_test
