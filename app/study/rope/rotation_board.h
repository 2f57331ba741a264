// The lines of rope/steps: angles, and each pair turned.
#pragma once

#include <string>
#include <vector>

#include "app/study/kit/board.h"
#include "app/study/rope/hand_rotation.h"

namespace orrery::study::rope_steps {

/// As many as are asked for and right.
int decimals_of(const parameter::Settings&, const Pair&);
/// "10000^{-2/4}", or "2" where the frequencies are multiples.
std::string frequency_text(const parameter::Settings&, tensor::Index pair);
/// "y_{0}"
std::string y_name(tensor::Index dimension);

std::vector<BoardLine> angle_lines(const parameter::Settings&, const std::vector<Pair>&);
/// As products, matrices or complex factors, by the setting `form`.
std::vector<BoardLine> turned_lines(const parameter::Settings&, const std::vector<Pair>&);

}  // namespace orrery::study::rope_steps
