#include "app/export/png_file.h"

#include <png.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "core/tensor/error.h"

namespace orrery::exporter {
namespace {

// libpng reports errors by longjmp, which runs no destructors: the functions between setjmp and the jump
// therefore own nothing. What they work on belongs to their callers.

struct Reader {
  const std::string& bytes;
  std::size_t at = 0;
};

extern "C" {
void orrery_png_append(png_structp png, png_bytep data, png_size_t count) {
  static_cast<std::string*>(png_get_io_ptr(png))->append(reinterpret_cast<const char*>(data), count);
}
void orrery_png_flush(png_structp) {}
void orrery_png_take(png_structp png, png_bytep out, png_size_t count) {
  auto* reader = static_cast<Reader*>(png_get_io_ptr(png));
  if (reader->bytes.size() - reader->at < count) png_error(png, "the file ends too early");
  std::memcpy(out, reader->bytes.data() + reader->at, count);
  reader->at += count;
}
void orrery_png_error(png_structp png, png_const_charp message) {
  auto* text = static_cast<char*>(png_get_error_ptr(png));
  std::strncpy(text, message, 99);
  png_longjmp(png, 1);
}
void orrery_png_warning(png_structp, png_const_charp) {}
}

bool write_png(png_structp png, png_infop info, const PngFile& file, png_text* texts, int text_count,
               png_bytep row, std::string* out) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_write_fn(png, out, orrery_png_append, orrery_png_flush);
  png_set_compression_level(png, 6);
  png_set_IHDR(png, info, static_cast<png_uint_32>(file.width), static_cast<png_uint_32>(file.height), 8,
               file.alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (file.dpi > 0) {
    const auto per_metre = static_cast<png_uint_32>(std::lround(file.dpi / 0.0254));
    png_set_pHYs(png, info, per_metre, per_metre, PNG_RESOLUTION_METER);
  }
  if (text_count > 0) png_set_text(png, info, texts, text_count);
  png_write_info(png, info);
  for (int y = 0; y < file.height; ++y) {
    file.row(y, row);
    png_write_row(png, row);
  }
  png_write_end(png, info);
  return true;
}

/// Up to the pixels: what was written before them is ours.
bool read_png_info(png_structp png, png_infop info, Reader* reader, png_textp* texts, int* count) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, reader, orrery_png_take);
  png_set_chunk_malloc_max(png, 4U << 20);
  png_set_chunk_cache_max(png, 64);
  png_set_user_limits(png, 1U << 20, 1U << 20);
  png_read_info(png, info);
  png_get_text(png, info, texts, count);
  return true;
}

/// Chunk after chunk to IEND, so that a file cut off among its pixels is known without decoding them.
bool reaches_end(const std::string& bytes) {
  std::size_t at = 8;
  while (bytes.size() - at >= 12) {
    const auto byte = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(bytes[at + i]));
    };
    const std::size_t length = byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
    if (length > bytes.size() - at - 12) return false;
    if (bytes.compare(at + 4, 4, "IEND") == 0) return true;
    at += length + 12;
  }
  return false;
}

}  // namespace

std::string encode_png(const PngFile& file) {
  std::vector<png_text> texts;
  for (const auto& [keyword, text] : file.texts) {
    png_text entry{};
    entry.compression = PNG_ITXT_COMPRESSION_zTXt;
    entry.key = const_cast<char*>(keyword.c_str());
    entry.text = const_cast<char*>(text.c_str());
    entry.itxt_length = text.size();
    entry.lang = const_cast<char*>("");
    entry.lang_key = const_cast<char*>("");
    texts.push_back(entry);
  }
  std::vector<png_byte> row(static_cast<std::size_t>(file.width) * (file.alpha ? 4 : 3));
  char reason[100] = "out of memory";
  std::string bytes;
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, reason, orrery_png_error, orrery_png_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  const bool written =
      info && write_png(png, info, file, texts.data(), static_cast<int>(texts.size()), row.data(), &bytes);
  png_destroy_write_struct(&png, &info);
  if (!written) throw Failure(wrong("cannot make a PNG: {}", foreign(reason)));
  return bytes;
}

PngPixels decode_png(std::string_view bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  PngPixels pixels;
  bool read = png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) != 0;
  if (read) {
    image.format = PNG_FORMAT_RGBA;
    pixels = {static_cast<int>(image.width), static_cast<int>(image.height),
              std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
    read = png_image_finish_read(&image, nullptr, pixels.rgba.data(), 0, nullptr) != 0;
  }
  if (!read) throw Failure(wrong("broken {}: {}", "PNG", foreign(image.message)));
  return pixels;
}

std::vector<std::pair<std::string, std::string>> png_texts(const std::string& bytes) {
  if (bytes.size() < 8 || !reaches_end(bytes))
    throw Failure(wrong("broken {}: the file ends too early", "PNG"));
  char reason[100] = "out of memory";
  Reader reader{bytes};
  png_textp texts = nullptr;
  int count = 0;
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, reason, orrery_png_error, orrery_png_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  const bool read = info && read_png_info(png, info, &reader, &texts, &count);
  std::vector<std::pair<std::string, std::string>> result;
  for (int i = 0; read && i < count; ++i)
    result.emplace_back(texts[i].key, texts[i].text ? texts[i].text : "");
  png_destroy_read_struct(&png, &info, nullptr);
  if (!read) throw Failure(wrong("broken {}: {}", "PNG", foreign(reason)));
  return result;
}

}  // namespace orrery::exporter
