// The three figure formats, each from the same sheet. Same sheet, same bytes.
#pragma once

#include <string>

#include "app/export/text.h"
#include "app/figure/scene.h"

namespace orrery::exporter {

/// A scene ready for paper, and what the file says about itself.
struct Sheet {
  figure::Scene scene;
  std::string title;        ///< plain text
  std::string description;  ///< plain text
  std::string recipe;       ///< TOML; empty: none
  double dpi = 300;
  bool transparent = false;
};

/// Names that readers and writers share.
inline constexpr const char* creator = "Orrery";
inline constexpr const char* attachment_name = "recipe.toml";
inline constexpr const char* png_keyword = "orrery-recipe";
inline constexpr const char* svg_namespace = "urn:orrery:recipe";
inline constexpr std::size_t most_recipe_bytes = std::size_t{1} << 20;

std::string pdf_bytes(const Sheet&, const TextSetter&);
std::string svg_bytes(const Sheet&, const TextSetter&);
std::string png_bytes(const Sheet&, const TextSetter&);

/// Readers of what those wrote: the recipe, empty where the file is whole but has none. Throw Failure for a
/// broken file.
std::string pdf_recipe(const std::string& bytes);
std::string svg_recipe(const std::string& bytes);
std::string png_recipe(const std::string& bytes);

}  // namespace orrery::exporter
