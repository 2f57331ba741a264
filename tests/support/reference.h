// Numbers that this program did not make: tests/reference/values.json.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "tests/support/source.h"

namespace orrery::support {

/// The file, read once. Ask it by path: reference_values().at("norm_example").at("layernorm").at("y").
inline const nlohmann::json& reference_values() {
  static const nlohmann::json values = [] {
    const std::string path = orrery::support::source("tests/reference/values.json");
    std::ifstream file(path);
    if (!file) throw std::runtime_error(path + ": cannot be read");
    return nlohmann::json::parse(file);
  }();
  return values;
}

}  // namespace orrery::support
