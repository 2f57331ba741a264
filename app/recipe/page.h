// What the page of a figure is, whatever figure stands on it: of a recipe and of the export dialog alike. What each field is
// called and may be is declared once, in page_fields.h.
#pragma once

#include <string>

#include "app/language/language.h"

namespace orrery::recipe {

struct Page {
  std::string theme = "print";
  bool title = false;
  std::string own_title{};   ///< written above the figure in place of its own sentence
  double dpi = 0;            ///< zero: what suits the format
  bool transparent = false;  ///< no ground behind the figure
  bool svg_text = false;     ///< the words of an SVG are text, in the fonts of its reader
  language::Language language = language::Language::en;  ///< of the figure's words
  std::string font{}, math_font{};  ///< families in place of the theme's; empty: the theme's
  bool operator==(const Page&) const = default;
};

}  // namespace orrery::recipe
