#include "core/simd/narrow.h"

#include <gtest/gtest.h>

#include "core/tensor/random.h"
#include "core/tensor/view.h"

namespace orrery::simd::narrow_test {
namespace {

using tensor::Index;
using tensor::Matrix;

Matrix<float> normals(Index rows, Index cols, unsigned stream) {
  return tensor::Random(3, stream).normals(rows, cols).cast<float>();
}

/// A sum of K terms, each below some 10: K additions of 6e-8 of it in the worst case.
double allowed(Index terms) {
  return 1e-6 * static_cast<double>(terms + 4);
}

TEST(Narrow, AddsAProductEitherWayRound) {
  for (const Index rows : {1, 3, 4, 7, 16, 65})
    for (const Index terms : {0, 1, 5, 64})
      for (const Index columns : {1, 8, 12, 16, 24, 40, 70}) {
        const Index width = narrow_width(columns);
        ASSERT_GE(width, columns);
        const Matrix<float> a = normals(rows, terms, 1), b = normals(terms, width, 2),
                            start = normals(rows, width, 3);
        const Matrix<float> turned = a.transpose();
        const Matrix<double> exact = start.cast<double>() + a.cast<double>() * b.cast<double>();
        Matrix<float> y = start, of_turned = start;
        add_narrow_product({a.data(), terms, 1, b.data(), y.data(), rows, terms, width});
        add_narrow_product({turned.data(), 1, rows, b.data(), of_turned.data(), rows, terms, width});
        EXPECT_LE((y.cast<double>() - exact).cwiseAbs().maxCoeff(), allowed(terms))
            << rows << " " << terms << " " << columns;
        EXPECT_EQ(y, of_turned);
      }
}

TEST(Narrow, GoesBackThroughWeights) {
  for (const Index queries : {1, 4, 9})
    for (const Index keys : {1, 7, 24, 53})
      for (const Index width : {1, 12, 16}) {
        const Index room = narrow_width(keys);
        const Matrix<float> g = normals(queries, width, 1), p = normals(queries, keys, 2),
                            mean = normals(queries, 1, 3);
        Matrix<float> v = Matrix<float>::Zero(width, room);
        v.leftCols(keys) = normals(width, keys, 4);
        Matrix<float> ds = Matrix<float>::Constant(queries + 1, keys, 7);
        weights_back({g.data(), width, queries, v.data(), room, width, keys, p.data(), keys, mean.data(),
                      ds.data(), keys});
        const Matrix<double> dp = g.cast<double>() * v.leftCols(keys).cast<double>();
        for (Index t = 0; t < queries; ++t)
          for (Index n = 0; n < keys; ++n)
            EXPECT_NEAR(ds(t, n), p(t, n) * (dp(t, n) - mean(t, 0)), allowed(width)) << t << " " << n;
        EXPECT_TRUE((ds.row(queries).array() == 7).all());
      }
}

}  // namespace
}  // namespace orrery::simd::narrow_test
