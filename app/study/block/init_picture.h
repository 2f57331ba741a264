// What block/init draws of the models that it has started: its tables and its panels.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "app/study/block/model_start.h"
#include "app/study/block/start_moments.h"
#include "app/study/kit.h"

namespace orrery::study::block_init {

/// Rows of the embedding have deviation 1, as nn.Embedding's, or 0.02, as GPT-2's.
struct Start {
  std::string_view choice, name;
  transformer::Initialisation numbers;
};
inline constexpr auto starts = std::to_array<Start>({
    {"xavier", "Xavier", {transformer::Spread::xavier_normal, 0, 1, transformer::IntoStream::as_others}},
    {"he", "He", {transformer::Spread::he_normal, 0, 1, transformer::IntoStream::as_others}},
    {"lecun", "LeCun", {transformer::Spread::lecun_normal, 0, 1, transformer::IntoStream::as_others}},
    {"normal", "N(0, 0.02²)", {transformer::Spread::normal, 0.02, 0.02, transformer::IntoStream::as_others}},
    {"gpt2", "GPT-2", {transformer::Spread::normal, 0.02, 0.02, transformer::IntoStream::divided}},
    {"zero", "zero", {transformer::Spread::lecun_normal, 0, 1, transformer::IntoStream::zero}},
});
/// The place of the one with 0 in what enters the stream.
constexpr std::size_t zero = 5;

/// Of every start, the deepest model so far, and what the depths before it gave.
struct Found {
  std::array<ModelStart, starts.size()> measured{};
  std::array<StartMoments, starts.size()> expected{};
  std::vector<double> depths{};
  std::array<std::vector<double>, starts.size()> first_gradient{};
};

/// "variance": the stream's mean square behind each layer, measured and expected.
Series variance_series(const Found&);
/// "gradients": the length of the gradient by all arrays of a layer.
Series gradient_series(const Found&);
/// "arrays": that of one start, array by array.
Series array_series(const ModelStart&);
/// "depth": that of the first layer, by how many there are.
Series depth_series(const Found&);

Panel variance_panel(const Series&);
Panel gradient_panel(const Series&);
Panel loss_panel(const Table& losses);
Panel array_panel(const Series&, const Start&);
Panel depth_panel(const Series&);

}  // namespace orrery::study::block_init
