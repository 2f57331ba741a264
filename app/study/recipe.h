// A recipe: what it takes to make a figure again, byte for byte: study, parameters, page. Stored as TOML.
//
//   orrery = 1
//   study = "rope/rotation"
//   device = "cpu"
//   [parameters]
//   base = 500000.0
//   [page]
//   width = 340.16   # points
//   height = 212.6
//   theme = "print"
#pragma once

#include <string>
#include <string_view>

#include "app/figure/layout.h"
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
};

/// Every parameter is written, in the order of its declaration, so that a later change of a default changes
/// no old figure.
std::string to_toml(const Recipe&);
/// `origin` is what errors call the text: a file name. Throws Failure: "origin:line:column: what, and what is
/// allowed".
Recipe recipe_from_toml(std::string_view text, std::string_view origin);

/// The recipes of assets/recipes, made part of the program by the build.
extern const tensor::EmbeddedFile built_in_recipes[];
extern const int built_in_recipes_count;

}  // namespace orrery::study
