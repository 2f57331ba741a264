// The part of a configuration that is about language, as one flat object.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace orrery::model {

struct LanguagePart {
  nlohmann::json decoder;  ///< or the only stack
  /// Of files that keep the two stacks of an encoder–decoder model in objects of their own.
  std::optional<nlohmann::json> encoder;
};

/// Models for several media keep their language part in an object of its own, and some keep what concerns attention in
/// another: what the inner one says counts first.
LanguagePart language_part(const nlohmann::json& root);

}  // namespace orrery::model
