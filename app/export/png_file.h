// PNG files in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery::exporter {

struct PngFile {
  int width = 0, height = 0;
  /// One row as RGB, or as RGBA with the alpha not multiplied in. Row 0 is at the top. Rows are asked for one by one, in
  /// order: a large picture is never held twice. Must not throw.
  std::function<void(int row, std::uint8_t* to)> row;
  bool alpha = false;
  double dpi = 0;                                          ///< 0: not said
  std::vector<std::pair<std::string, std::string>> texts;  ///< keyword, UTF-8
};

std::string encode_png(const PngFile&);

struct PngPixels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  ///< the alpha not multiplied in; row 0 is at the top
};

/// Of a picture that is ours. Throws Failure for a broken one.
PngPixels decode_png(std::string_view bytes);

/// The texts of a PNG, nothing decoded but them. Throws Failure for a broken file.
std::vector<std::pair<std::string, std::string>> png_texts(const std::string& bytes);

}  // namespace orrery::exporter
