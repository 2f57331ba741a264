// One pair of a rotation drawn large, and the whole vector column by column.
#pragma once

#include "app/figure/figure.h"
#include "app/study/kit/series.h"
#include "app/study/rope/clocks.h"
#include "core/tensor/view.h"

namespace orrery::study {

/// A clock with what its plane is called: two columns of a head, or the complex numbers.
struct PairPlane {
  Clock clock;
  tensor::Index pair = 0, column_a = 0, column_b = 0;
  double attention_factor = 1;
  bool alone =
      false;  ///< with axes and numbers; else their names stand inside, and the room goes to the plane
  bool complex = false;  ///< with the factor e^{i m θ} on the unit circle beside the product
};

figure::Panel plane_panel(const PairPlane&);

/// Every component before and after the rotation, by column.
Series column_series(const tensor::Matrix<double>& before, const tensor::Matrix<double>& after);
/// Those before as rings, those after as stems; by itself it says which is which.
figure::Panel vector_panel(const Series& columns, bool alone);

}  // namespace orrery::study
