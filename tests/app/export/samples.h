// A scene with one of everything, and a place for files.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "app/export/export.h"
#include "app/export/formats.h"
#include "app/export/text.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace orrery::exporter::samples {

inline const figure::Fonts print_fonts{"Latin Modern Roman", "Latin Modern Roman", "Latin Modern Math"};
inline const figure::Fonts screen_fonts{"Inter", "JetBrains Mono", "Latin Modern Math"};

inline const TextSetter& print_text() {
  static const TextSetter text(print_fonts);
  return text;
}

/// Numbers that need every kind of care on the way: quotes, comments, markup, other scripts, blanks at the
/// ends.
inline const std::string recipe =
    "  study = \"rope/rotation\"\n[set]\nbase = 500000.0  # b & d, a < b > c\ncrlf = true\r\nnote = \"θ 旋转 "
    "]]> \\\\ \"\n\n";

inline std::shared_ptr<const std::vector<figure::Color>> four_cells() {
  using figure::Color;
  return std::make_shared<const std::vector<Color>>(
      std::vector<Color>{{68, 1, 84, 255}, {253, 231, 37, 255}, {33, 145, 140, 255}, {0, 114, 178, 255}});
}

/// 120 mm × 75 mm. The image's corners fall on whole pixels at 72 and 144 dpi.
inline Sheet sheet() {
  using namespace figure;
  Sheet s;
  s.scene.width = 120 / 25.4 * 72;
  s.scene.height = 75 / 25.4 * 72;
  s.scene.background = {255, 255, 255, 255};
  s.scene.primitives = {
      Clip{{20, 20, 200, 120}},
      Polyline{
          {{20, 20}, {60, 90}, {std::nan(""), 0}, {80, 20}, {1e9, 90}}, {213, 94, 0, 255}, 1, {3, 2}, false},
      Unclip{},
      Polygon{{{30, 150}, {60, 150}, {45, 180}}, {0, 158, 115, 128}},
      Discs{{{100, 160}, {110, 165}}, 2.5, {204, 121, 167, 255}},
      Image{{240, 40, 60, 30}, 2, 2, four_cells()},
      Label{{20, 200},
            "angle $\\theta_i = m \\cdot b^{-2i/d}$",
            {},
            {0, 0, 0, 255},
            HAlign::left,
            VAlign::baseline,
            true},
      Label{{12, 100}, "mean partial sum", {}, {0, 0, 0, 255}, HAlign::center, VAlign::top, false},
  };
  s.title = "Rotation & decay";
  s.description = "Two lines <and> a map";
  s.recipe = recipe;
  return s;
}

using Folder = support::TemporaryFolder;
using support::contents;
using support::FullDisk;
using support::message_of;
using support::put;

}  // namespace orrery::exporter::samples
