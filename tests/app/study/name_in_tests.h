// The name of a study in the name of a test: letters, digits and underlines.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "app/study/study.h"

namespace orrery::study {

inline std::string name_in_tests(const testing::TestParamInfo<const Study*>& tested) {
  std::string name(tested.param->id);
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

}  // namespace orrery::study
