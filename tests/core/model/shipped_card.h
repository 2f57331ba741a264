// The files that come with the program, as cards.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "core/model/card.h"
#include "tests/support/source.h"

namespace orrery::model {

/// By its name alone. A name that is no file's fails the test.
inline Card shipped_card(const std::string& name) {
  for (const char* folder : {"assets/cards/", "assets/models/"}) {
    const std::filesystem::path file = support::source(folder) + name + ".json";
    if (std::filesystem::exists(file)) return read_card(file);
  }
  ADD_FAILURE() << name << " has no file";
  return {};
}

}  // namespace orrery::model
