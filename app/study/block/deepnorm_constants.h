// DeepNorm's constants by the number of layers.
#pragma once

#include "app/study/kit.h"
#include "core/transformer/residual.h"

namespace orrery::study::block_deepnorm {

/// The deepest that the paper trained.
inline constexpr double deepest = 1000;

/// By the number of layers, of a stack alone and of an encoder–decoder with as many on both sides.
Series constants_series(std::vector<double> depths);
/// Those of a table, the asked one among them.
std::vector<double> told_depths(double asked);
/// From 1 on, two to an octave.
std::vector<double> drawn_depths();
/// A stack of so many layers alone, and an encoder of so many with a decoder of so many.
Table here_table(Index layers, Index decoder_layers);

/// How far 4Nβ²/α² of a stack alone and 6Mβ²/α² of a decoder are from 1.
double off_from_one(Index layers, Index decoder_layers);
/// Of 12 layers alone, and of an encoder of 12 with a decoder of 6: how far from what the formulas of the paper give in a
/// calculator of many digits.
double off_from_published();

Panel constants_panel(const Series& drawn, double asked);
/// The constants in rows, that of the asked depth in the accent colour.
Panel constants_board(const Series& told, double asked);

}  // namespace orrery::study::block_deepnorm
