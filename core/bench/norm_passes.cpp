#include "core/bench/norm_passes.h"

#include <cmath>

#include "core/bench/norm_passes_kernels.h"
#include "core/simd/share.h"

namespace orrery::bench {
namespace {

using tensor::Index;

/// One pass: f(row, its first element, how many) for every row, over all threads.
template <class F>
void each_row(Index rows, Index width, F f) {
  simd::share(rows, rows * width, [&](Index first, Index end) {
    for (Index r = first; r < end; ++r) f(r, r * width, static_cast<std::size_t>(width));
  });
}

void square(const float* x, float* y, Index rows, Index width) {
  each_row(rows, width, [=](Index, Index at, std::size_t n) { row_product(x + at, x + at, y + at, n); });
}

void means(const float* x, float* by_row, Index rows, Index width) {
  each_row(rows, width,
           [=](Index r, Index at, std::size_t n) { by_row[r] = static_cast<float>(row_mean(x + at, n)); });
}

void divide_by_root(const float* x, const float* by_row, double eps, float* y, Index rows, Index width) {
  each_row(rows, width, [=](Index r, Index at, std::size_t n) {
    row_times(x + at, static_cast<float>(1 / std::sqrt(by_row[r] + eps)), y + at, n);
  });
}

void multiply(const float* x, const float* w, float* y, Index rows, Index width) {
  each_row(rows, width, [=](Index, Index at, std::size_t n) { row_product(x + at, w, y + at, n); });
}

}  // namespace

NormPasses::NormPasses(Index rows, Index width)
    : rows_(rows), width_(width), first_(rows * width), second_(rows * width), by_row_(rows) {}

void NormPasses::layer_norm(const float* x, const float* weight, const float* bias, double eps, float* y) {
  float *const a = first_.data(), *const b = second_.data(), *const by_row = by_row_.data();
  means(x, by_row, rows_, width_);
  each_row(rows_, width_, [=](Index r, Index at, std::size_t n) { row_less(x + at, by_row[r], a + at, n); });
  square(a, b, rows_, width_);
  means(b, by_row, rows_, width_);
  divide_by_root(a, by_row, eps, b, rows_, width_);
  multiply(b, weight, a, rows_, width_);
  each_row(rows_, width_, [=](Index, Index at, std::size_t n) { row_sum(a + at, bias, y + at, n); });
}

void NormPasses::rms_norm(const float* x, const float* weight, double eps, float* y) {
  float *const a = first_.data(), *const b = second_.data(), *const by_row = by_row_.data();
  square(x, a, rows_, width_);
  means(a, by_row, rows_, width_);
  divide_by_root(x, by_row, eps, b, rows_, width_);
  multiply(b, weight, y, rows_, width_);
}

}  // namespace orrery::bench
