// Sheets one after another as an animated WebP: libwebp packs the frames, and the recipe is an XMP packet.
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <pugixml.hpp>

#include "app/export/export.h"
#include "app/export/formats.h"
#include "app/export/svg_canvas.h"
#include "core/tensor/error.h"

namespace orrery::exporter {
namespace {

constexpr int most_side = 16383;                            // of a WebP
constexpr double most_frame_pixels = 16e6;                  // one is held, and the encoder holds three more
constexpr std::size_t most_packet = 8 * most_recipe_bytes;  // a recipe of nothing but signs that XML escapes

[[noreturn]] void fail(const Phrase& why) {
  throw Failure(wrong("cannot make a WebP: {}", why));
}

std::string packet(const std::string& recipe) {
  return "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
         "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
         "<rdf:Description rdf:about=\"\" xmlns:orrery=\"" +
         std::string(recipe_namespace) + "\"><orrery:recipe>" + svg_escaped(recipe) +
         "</orrery:recipe></rdf:Description></rdf:RDF></x:xmpmeta>";
}

struct Picture {
  WebPPicture webp{};
  Picture() {
    if (!WebPPictureInit(&webp)) fail(words("another version of libwebp is loaded"));
  }
  ~Picture() { WebPPictureFree(&webp); }
  Picture(const Picture&) = delete;
};

}  // namespace

struct WebpWriter::State {
  Playback playback;
  int frames = 0, width = 0, height = 0;
  std::string recipe;
  std::unique_ptr<WebPAnimEncoder, decltype(&WebPAnimEncoderDelete)> encoder{nullptr, &WebPAnimEncoderDelete};
  WebPConfig config{};

  int milliseconds() const {
    // Browsers show frames of 10 ms or less for 100: as fast as they let it is faster than that.
    constexpr double shortest = 11;
    return static_cast<int>(std::lround(frames * std::max(1000 / playback.fps, shortest)));
  }

  void begin(const Pixels& first) {
    if (first.width > most_side || first.height > most_side ||
        static_cast<double>(first.width) * first.height > most_frame_pixels) {
      const std::string size = std::to_string(first.width) + "×" + std::to_string(first.height);
      throw InvalidArgument(about(Subject::Kind::key, "dpi")
                                .found(size)
                                .fault("frames of {} pixels", size)
                                .led_by("; allowed in a WebP are ")
                                .allowed("{} a side and {} million in all", 16383, 16));
    }
    width = first.width;
    height = first.height;
    WebPAnimEncoderOptions options;
    if (!WebPAnimEncoderOptionsInit(&options) || !WebPConfigInit(&config))
      fail(words("another version of libwebp is loaded"));
    options.anim_params.loop_count = playback.times;
    // A whole picture now and then, so that players can jump.
    options.kmin = 9;
    options.kmax = 17;
    config.lossless = 1;
    config.quality = 40;  // effort, not loss: figures are flat, and more gains a few per cent
    config.method = 2;
    config.exact = 1;
    encoder.reset(WebPAnimEncoderNew(width, height, &options));
    if (!encoder) fail(words("out of memory"));
  }
};

WebpWriter::WebpWriter(const Playback& playback) : state_(std::make_unique<State>()) {
  state_->playback = playback;
}
WebpWriter::~WebpWriter() = default;

void WebpWriter::add(const Sheet& sheet, const TextSetter& text) {
  State& s = *state_;
  const Pixels pixels = paint_pixels(sheet, text);
  if (s.frames == 0) {
    s.recipe = sheet.recipe;
    s.begin(pixels);
  }
  Picture picture;
  picture.webp.use_argb = 1;
  picture.webp.width = pixels.width;
  picture.webp.height = pixels.height;
  std::vector<std::uint8_t> bytes(pixels.argb.size() * 4);
  straighten(pixels.argb.data(), static_cast<int>(pixels.argb.size()), true, bytes.data());
  if (!WebPPictureImportRGBA(&picture.webp, bytes.data(), 4 * pixels.width)) fail(words("out of memory"));
  if (!WebPAnimEncoderAdd(s.encoder.get(), &picture.webp, s.milliseconds(), &s.config))
    fail(foreign(WebPAnimEncoderGetError(s.encoder.get())));
  ++s.frames;
}

std::string WebpWriter::bytes() {
  State& s = *state_;
  if (s.frames == 0) fail(words("there are no frames"));
  struct Data {
    WebPData data{nullptr, 0};
    ~Data() { WebPDataClear(&data); }
  } film, whole;
  if (!WebPAnimEncoderAdd(s.encoder.get(), nullptr, s.milliseconds(), nullptr) ||
      !WebPAnimEncoderAssemble(s.encoder.get(), &film.data)) {
    fail(foreign(WebPAnimEncoderGetError(s.encoder.get())));
  }
  const std::unique_ptr<WebPMux, decltype(&WebPMuxDelete)> mux(WebPMuxCreate(&film.data, 0), &WebPMuxDelete);
  if (!mux) fail(words("out of memory"));
  if (!s.recipe.empty()) {
    const std::string xmp = packet(s.recipe);
    const WebPData chunk{reinterpret_cast<const std::uint8_t*>(xmp.data()), xmp.size()};
    if (WebPMuxSetChunk(mux.get(), "XMP ", &chunk, 1) != WEBP_MUX_OK) fail(words("out of memory"));
  }
  if (WebPMuxAssemble(mux.get(), &whole.data) != WEBP_MUX_OK) fail(words("its parts do not fit together"));
  return {reinterpret_cast<const char*>(whole.data.bytes), whole.data.size};
}

std::string webp_recipe(const std::string& bytes) {
  const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  const std::unique_ptr<WebPDemuxer, decltype(&WebPDemuxDelete)> file(WebPDemux(&data), &WebPDemuxDelete);
  if (!file) throw Failure(wrong("broken {}: it is cut off or is none", "WebP"));
  WebPChunkIterator chunk{};
  if (!WebPDemuxGetChunk(file.get(), "XMP ", 1, &chunk)) return {};
  const std::string xmp(reinterpret_cast<const char*>(chunk.chunk.bytes), chunk.chunk.size);
  WebPDemuxReleaseChunkIterator(&chunk);
  if (xmp.size() > most_packet) throw Failure(wrong("the recipe is larger than {}", "1 MiB"));
  pugi::xml_document document;
  if (!document.load_buffer(xmp.data(), xmp.size()))
    throw Failure(wrong("broken {}: its metadata is damaged", "WebP"));
  const pugi::xml_node description = document.child("x:xmpmeta").child("rdf:RDF").child("rdf:Description");
  if (std::string_view(description.attribute("xmlns:orrery").value()) != recipe_namespace) return {};
  return description.child("orrery:recipe").text().get();
}

}  // namespace orrery::exporter
