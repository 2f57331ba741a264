// Programs that are not ours, which show what Orrery wrote.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace orrery::eyes {

struct Judge {
  std::string_view name;     ///< "librsvg"
  std::string_view ending;   ///< what it reads: ".svg"
  std::string_view program;  ///< without it the judge is asked nothing, aloud
  std::string_view package;  ///< Debian's, that has it
  /// A shell's line: {in}, {out} (a PNG) and {stem} (the same without its ending) stand for files. At 150 dpi.
  std::string_view line;
  bool svg_text = false;  ///< of an SVG whose words are text
};

std::span<const Judge> judges();

bool is_here(const Judge&);

/// What the judge shows of `file`, as the PNG `out`. Throws Failure with what it said.
void show(const Judge&, const std::filesystem::path& file, const std::filesystem::path& out);

}  // namespace orrery::eyes
