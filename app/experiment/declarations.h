// What a training may be asked: the tables and keys of SETTINGS.toml, each declared once. Reading, messages, the hash of a
// cell, what a grid varies and the documentation (FORMATS.md beside this file, which a test compares) all follow from it.
#pragma once

#include <span>
#include <string_view>

#include "core/parameter/parameter.h"

namespace orrery::experiment {

/// A table of SETTINGS.toml.
struct Section {
  std::string_view name;  ///< "model"
  std::string_view help;
  /// Parameter::only_when looks at keys of this table, or of the one that it names: "model.placement=output".
  std::span<const parameter::Parameter> keys;
};

/// In the order in which they are written.
std::span<const Section> sections();
/// Where the last of them stands, which says nothing about the training itself: what is asked of it.
inline constexpr std::string_view asked_section = "evaluation";

}  // namespace orrery::experiment
