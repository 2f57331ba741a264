// The faces of the window, found by name on this machine: Inter for words, JetBrains Mono for numbers, or
// what there is.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "app/gui/glyphs.h"

namespace orrery::gui {

/// A typeface at a size, with what it takes to set different faces on one baseline. Lengths in layout units.
struct Face {
  ImFont* font = nullptr;
  float size = 0;          ///< as Dear ImGui counts it: from the ascender to the descender
  float ascent = 0;        ///< from the top of the line to the baseline
  float cap = 0;           ///< height of a capital: what looks like the middle of a word is half of it
  Glyphs* more = nullptr;  ///< what it was asked for beyond the common characters

  float width(std::string_view text) const;
  /// The characters of this text are wanted, now or in the frame that follows.
  void ask(std::string_view text) const {
    if (more) more->ask(text);
  }
};

struct Faces {
  Face words, words_bold, head, title, numbers, small_numbers, wordmark;
  std::string note;  ///< which wanted typefaces are missing; empty: none
};

/// What each of the faces has beyond the common characters.
struct MoreGlyphs {
  Glyphs words, words_bold, head, title, numbers, small_numbers;
  bool fresh() const {
    return words.fresh() || words_bold.fresh() || head.fresh() || title.fresh() || numbers.fresh() ||
           small_numbers.fresh();
  }
};

struct FontFile {
  std::string path;
  int index = 0;
  bool exact = false;  ///< of the family that was asked for
};

/// Weights as in CSS: 400 regular, 600 semibold.
FontFile find_font(std::string_view family, int weight, bool monospaced);
/// One that has Chinese, whatever its family; an empty path where this machine has none.
FontFile find_chinese_font(int weight);

/// Fills the atlas anew. `scale` layout units and `raster` device pixels to each of them; never fails: with
/// no font at all on the machine, Dear ImGui's own stands in.
Faces build_faces(ImFontAtlas&, float scale, float raster, MoreGlyphs&);

}  // namespace orrery::gui
