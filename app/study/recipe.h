// A recipe: what it takes to make a figure again, byte for byte: study, parameters, page. Stored as TOML.
//
//   orrery = 1
//   study = "rope/rotation"
//   device = "cpu"
//   [parameters]
//   base = 500000.0
//   [page]
//   size = "12cm×7.5cm"   # or a name: column, slide …
//   theme = "print"
//
// A lecture keeps its figures in one file: what stands above the first [[figure]] holds for all of them.
//
//   orrery = 1
//   [page]
//   size = "column"
//   [[figure]]
//   name = "base-10000"   # of the file it is written to
//   study = "rope/rotation"
//   [figure.parameters]
//   base = 10000.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/layout.h"
#include "app/study/animation.h"
#include "app/study/study.h"
#include "core/tensor/embedded_file.h"

namespace orrery::study {

struct Recipe {
  const Study* study = nullptr;
  parameter::Settings settings;
  DeviceChoice device = DeviceChoice::cpu;
  std::string theme = "print";
  figure::Size size;  ///< points; zero: 12 cm wide, as high as the figure's aspect says
  bool title = false;
  std::string own_title{};          ///< written above the figure in place of its own sentence
  double dpi = 0;                   ///< zero: what suits the format
  bool transparent = false;         ///< no ground behind the figure
  std::string font{}, math_font{};  ///< families in place of the theme's; empty: the theme's
  figure::View view{};              ///< what was zoomed and switched off
  std::optional<Animation> animation{};
};

struct NamedRecipe {
  std::string name;  ///< of its file, without an ending; empty: none was given
  Recipe recipe;
};

/// Every parameter is written, in the order of its declaration, so that a later change of a default changes
/// no old figure.
std::string to_toml(const Recipe&);

/// `origin` is what errors call the text: a file name. Throws Failure: "origin:line:column: what, and what is
/// allowed". The text may come from anybody.
Recipe recipe_from_toml(std::string_view text, std::string_view origin);
/// All figures of a file, one or several.
std::vector<NamedRecipe> recipes_from_toml(std::string_view text, std::string_view origin);

/// The recipes of assets/recipes, made part of the program by the build.
extern const tensor::EmbeddedFile built_in_recipes[];
extern const int built_in_recipes_count;

}  // namespace orrery::study
