#include "app/study/embedding/scale_models.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/study/model/cards.h"
#include "app/study/model_facts.h"

namespace orrery::study {
namespace {

/// Whose code multiplies: the first Transformer (section 3.4 of its paper) and Gemma (modeling_gemma.py, modeling_gemma2.py,
/// modeling_gemma3.py: hidden_size ** 0.5 in the format of the weights).
constexpr std::array<std::string_view, 4> scaling_types{"transformer", "gemma", "gemma2", "gemma3_text"};

bool scales(const model::Card& card) {
  return std::ranges::find(scaling_types, card.model_type) != scaling_types.end();
}

}  // namespace

const std::vector<ScaledModel>& scaled_models() {
  static const std::vector<ScaledModel> models = [] {
    std::vector<ScaledModel> all;
    for (const std::string_view name : card_names())
      if (const model::Card card = published_card(name); scales(card))
        all.push_back({std::string(model_title(name)), *card.width});
    std::ranges::stable_sort(all, {}, &ScaledModel::width);
    return all;
  }();
  return models;
}

tensor::Index count_of_unscaled_models() {
  return std::ssize(card_names()) - std::ssize(scaled_models());
}

}  // namespace orrery::study
