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
//   language = "zh"       # of the figure's words; English when it is not given
//   [compare]             # the side A that it is compared with; what is not said is as above
//   mode = "overlay"      # or side-by-side, difference
//   [compare.parameters]
//   base = 10000.0
//
// A lecture keeps its figures in one file: what stands above the first [[figure]] holds for all of them.
//
//   orrery = 1
//   [page]
//   size = "column"
//   [[figure]]
//   name = "base-10000"   # of the file it is written to
//   title = "Small base"  # what people call it
//   study = "rope/rotation"
//   [figure.parameters]
//   base = 10000.0
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/figure/layout.h"
#include "app/recipe/animation.h"
#include "app/recipe/comparison.h"
#include "app/recipe/page.h"
#include "app/study/study.h"
#include "core/tensor/embedded_file.h"

namespace orrery::recipe {

struct Recipe : Page {
  const study::Study* study = nullptr;
  parameter::Settings settings;
  study::DeviceChoice device = study::DeviceChoice::cpu;
  figure::Size size;    ///< points; zero: 12 cm wide, as high as the figure's aspect says
  figure::View view{};  ///< what was zoomed and switched off
  std::optional<Animation> animation{};
  std::optional<Compare> compare{};
};

struct NamedRecipe {
  std::string name;  ///< of its file, without an ending; empty: none was given
  Recipe recipe;
  std::string title{};  ///< what people call it; empty: none was given
};

/// Every parameter is written, in the order of its declaration, so that a later change of a default changes
/// no old figure.
std::string to_toml(const Recipe&);
/// The same for many figures, at least one: recipes_from_toml reads back exactly these. Throws InvalidArgument for a name
/// that a file cannot have, or that two of them have.
std::string to_toml(std::span<const NamedRecipe>);
/// A name for a file made of a title, such as no name in `taken`; it joins them.
std::string file_name(std::string_view title, std::set<std::string>& taken);

/// `origin` is what errors call the text: a file name. Throws Failure: "origin:line:column: what, and what is
/// allowed". The text may come from anybody.
Recipe recipe_from_toml(std::string_view text, std::string_view origin);
/// All figures of a file, one or several.
std::vector<NamedRecipe> recipes_from_toml(std::string_view text, std::string_view origin);

/// The recipes of assets/recipes, made part of the program by the build.
extern const tensor::EmbeddedFile built_in_recipes[];
extern const int built_in_recipes_count;

}  // namespace orrery::recipe
