// The faces of the window, found by name on this machine: Inter for words, JetBrains Mono for numbers, or
// what there is.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

namespace orrery::gui {

/// A typeface at a size, with what it takes to set different faces on one baseline. Lengths in layout units.
struct Face {
  ImFont* font = nullptr;
  float size = 0;    ///< as Dear ImGui counts it: from the ascender to the descender
  float ascent = 0;  ///< from the top of the line to the baseline
  float cap = 0;     ///< height of a capital: what looks like the middle of a word is half of it

  float width(std::string_view text) const;
};

struct Faces {
  Face words, words_bold, head, title, numbers, small_numbers, wordmark;
  std::string note;  ///< which wanted typefaces are missing; empty: none
};

struct FontFile {
  std::string path;
  int index = 0;
  bool exact = false;  ///< of the family that was asked for
};

/// Weights as in CSS: 400 regular, 600 semibold.
FontFile find_font(std::string_view family, int weight, bool monospaced);

/// Fills the atlas anew. `scale` layout units and `raster` device pixels to each of them; never fails: with
/// no font at all on the machine, Dear ImGui's own stands in.
Faces build_faces(ImFontAtlas&, float scale, float raster);

}  // namespace orrery::gui
