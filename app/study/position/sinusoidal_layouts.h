// Three programs' tables of sines and cosines beside each other: where the dimensions lie, and how their speeds differ.
#pragma once

#include "app/figure/figure.h"
#include "app/figure/table.h"
#include "app/study/twin.h"

namespace orrery::study {

/// The first word stands at position 0 in the paper and in tensor2tensor, and at padding_idx + 1 in fairseq, whose
/// dictionary has its padding at 1.
inline constexpr double fairseq_first = 2;

figure::Figure layouts_figure(const Run&, tensor::Index length, tensor::Index width, double base);
/// Per dimension: pair, sine or cosine, and frequency, by both rules.
figure::Table layouts_table(tensor::Index width, double base);

}  // namespace orrery::study
