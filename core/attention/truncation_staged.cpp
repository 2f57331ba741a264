#include "core/attention/truncation.h"
#include "core/tensor/format.h"

namespace orrery::attention {

namespace {

void truncate_stored(tensor::View<const double> x, const auto& rule, tensor::Format storage,
                     tensor::View<double> y) {
  const tensor::Matrix<double> stored =
      x.eigen().unaryExpr([storage](double v) { return tensor::round_to(storage, v); });
  truncate_ref(stored, rule, y);
}

}  // namespace

void truncate_staged(tensor::View<const double> x, const TopK& rule, const tensor::Precision& precision,
                     tensor::View<double> y) {
  truncate_stored(x, rule, precision.storage, y);
}

void truncate_staged(tensor::View<const double> x, const TopP& rule, const tensor::Precision& precision,
                     tensor::View<double> y) {
  truncate_stored(x, rule, precision.storage, y);
}

void truncate_staged(tensor::View<const double> x, const MinP& rule, const tensor::Precision& precision,
                     tensor::View<double> y) {
  truncate_stored(x, rule, precision.storage, y);
}

}  // namespace orrery::attention
