// A recipe: what it takes to make a figure again, byte for byte: study, parameters, page. Stored as TOML.
//
//   orrery = 1
//   study = "rope/rotation"
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

namespace orrery::study {

struct Recipe {
  const Study* study = nullptr;
  parameter::Settings settings;
  DeviceChoice device = DeviceChoice::cpu;
  std::string theme = "print";
  figure::Size size;    ///< points; zero: 12 cm wide, as high as the figure's aspect says
  bool title = false;
};

std::string to_toml(const Recipe&);
/// `origin` is what errors call the text: a file name. Throws Failure: "origin:line:column: what, and what is allowed".
Recipe recipe_from_toml(std::string_view text, std::string_view origin);

}  // namespace orrery::study
