// What tests/reference/make_training.py has written.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/source.h"

namespace orrery::training {

inline nlohmann::json numbers_of_pytorch() {
  return nlohmann::json::parse(std::ifstream(support::source("tests/reference/training.json")));
}

}  // namespace orrery::training
