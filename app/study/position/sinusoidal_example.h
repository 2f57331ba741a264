// The table of four dimensions worked out by hand: each value from its formula to its digits.
#pragma once

#include "app/figure/figure.h"
#include "app/figure/table.h"
#include "app/study/twin.h"

namespace orrery::study {

struct WorkedExample {
  tensor::Index position = 3;  ///< the row that is worked out
  int digits = 6;              ///< after the point
  position::SinusoidalParams params = {};
};

/// Above, the four values of the row step by step; below, that row among its neighbours. In double on every device.
figure::Figure example_figure(const WorkedExample&);
figure::Table example_table(const WorkedExample&);

}  // namespace orrery::study
