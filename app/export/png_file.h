// PNG files in memory.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/figure/ink.h"

namespace orrery::exporter {

struct PngFile {
  int width = 0, height = 0;
  std::vector<figure::Color> pixels;                       ///< row 0 at the top, alpha not multiplied in
  double dpi = 0;                                          ///< 0: not said
  std::vector<std::pair<std::string, std::string>> texts;  ///< keyword, UTF-8
};

/// Without an alpha channel when all is opaque.
std::string encode_png(const PngFile&);

/// The texts of a PNG, nothing decoded but them. Throws Failure for a broken file.
std::vector<std::pair<std::string, std::string>> png_texts(const std::string& bytes);

}  // namespace orrery::exporter
