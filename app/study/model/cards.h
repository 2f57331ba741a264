// The cards of published models: part of the program, so that a study needs no file.
#pragma once

#include <span>
#include <string_view>

#include "core/model/card.h"

namespace orrery::study {

/// As a choice of a study, in alphabetical order: every model whose parameters can be counted, and none of them.
inline constexpr std::string_view none_or_carded =
    "none|"
    "bert-base|bert-large|bloom|bloom-560m|deepseek-v2-lite|deepseek-v3|falcon-40b|falcon-7b|flan-t5-base|"
    "gemma-2-9b|gemma-2b|gemma-3-1b|gemma-3-4b-v5|gemma-7b|gpt-neox-20b|gpt-oss-20b|gpt2|gpt2-large|"
    "gpt2-medium|gpt2-xl|gpt3|llama-13b|llama-2-70b|llama-2-7b|llama-3-8b|llama-3.1-405b|llama-3.1-70b|"
    "llama-3.1-8b|llama-3.2-1b|llama-3.2-3b|llama-4-scout|llama-65b|llama-7b|mistral-7b|mixtral-8x7b|mpt-7b|"
    "olmo-3-7b|opt-1.3b|opt-125m|opt-6.7b|palm-540b|phi-4-mini|qwen-7b|qwen2.5-0.5b|qwen2.5-7b|"
    "qwen3-30b-a3b|qwen3-8b|roberta-base|smollm2-135m|t5-base|t5-small|transformer-base|transformer-big";
inline constexpr std::string_view carded = none_or_carded.substr(5);

std::span<const std::string_view> card_names();
/// Throws InvalidArgument for a name that is none of them, with the nearest.
model::Card published_card(std::string_view name);

}  // namespace orrery::study
