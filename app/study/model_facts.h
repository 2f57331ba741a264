// What a published model's configuration says, fact by fact: what Parameter::model_fact names.
//
//   name                      "llama-3.1-8b", as in a study's choice of models; else "own" where the study's numbers are
//   rope_theta, rotary_dim, head_dim, layout, rule, factor
//                             of the first kind of layer that turns at all, resolved as published code does
//   trained_length            before any extension, as far as its layers saw: core/model/trained_length.h, tokens
//   max_position_embeddings   the longest text that it is made for, tokens
//   hidden_size, num_attention_heads, sliding_window, rms_norm_eps
//                             as they stand in the file, under this name or its family's (n_embd, layer_norm_eps)
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::study {

/// Settings that courses use, which no model has: base 10 000 and 4096 tokens, heads of 4 (by hand), 64 and 128 numbers.
std::span<const std::string_view> course_names();
/// The published models, in alphabetical order.
std::span<const std::string_view> published_names();
/// As its makers write it: "Llama 3.1 8B".
std::string_view model_title(std::string_view model);

/// As typed for a parameter; several where studies call it differently ("default", "none"): the first that is allowed is
/// meant. Empty where the file does not say. A course has what rotary positions need. Throws InvalidArgument for a model or
/// a fact that is not known.
std::vector<std::string> model_fact(std::string_view model, std::string_view fact);

}  // namespace orrery::study
