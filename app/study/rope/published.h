// Published models, from their own configuration files: part of the program, so that a study needs no file.
#pragma once

#include <string_view>

#include "core/model/rope_config.h"

namespace orrery::study {

/// As a choice of a study: "own" stands for the numbers that the other parameters give.
inline constexpr std::string_view own_or_published =
    "own|deepseek-v2-lite|deepseek-v3|gemma-3-4b-v5|gemma-4-shape-v5|gpt-oss-20b|internvl2.5-llm-dynamic|"
    "llama-3.1-8b|llama-3.2-1b|llama-4-scout|ministral-3-8b|olmo-3-7b|phi-4-mini|qwen2-vl-7b|"
    "qwen2.5-7b-yarn4|smollm2-135m";

/// The text of its config.json, also of those that only model/cards.h names. Throws InvalidArgument for a name that is none
/// of them.
std::string_view published_config(std::string_view name);

/// Read for a text of `length` tokens; none: a short one.
model::RopeConfig published_model(std::string_view name, std::optional<double> length = {});

}  // namespace orrery::study
