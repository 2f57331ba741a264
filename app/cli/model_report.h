// What a model is made of and what it costs, as JSON and for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "core/model/card.h"
#include "core/tensor/format.h"

namespace orrery::cli {

/// A text of so many tokens, and the format that its cache is kept in.
struct CostOf {
  double length = 0;
  tensor::Format format = tensor::Format::bf16;
};

nlohmann::ordered_json model_json(const model::Card&, const CostOf&);
/// Side by side.
std::string model_text(std::span<const model::Card>, const CostOf&);

}  // namespace orrery::cli
