// Look-up into a table, and back: the logits of every row of it.
#include <cmath>

#include "core/embedding/embedding.h"
#include "core/embedding/embedding_vjp.h"
#include "core/embedding/unembedding.h"
#include "core/embedding/unembedding_vjp.h"
#include "core/op/adapters.h"
#include "core/op/gradient.h"
#include "core/op/operands.h"

namespace orrery::op {
namespace {

using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

const Array& table_of(const Call& call) {
  const Array& table = call.input("table");
  if (table.shape.size() == 2) return table;
  throw InvalidArgument(wrong_shape("table", table).allowed(name_phrase("V × D")));
}

/// The ids as row numbers of the table.
std::vector<Index> ids_of(const Array& ids, const Array& table) {
  std::vector<Index> rows;
  rows.reserve(ids.values.size());
  for (const double id : ids.values) {
    if (!(id >= 0 && id < static_cast<double>(table.rows()) && id == std::floor(id))) {
      throw InvalidArgument(about(Subject::Kind::input, "ids")
                                .found(parameter::shortest(id))
                                .allowed("whole numbers from 0, below {}, the rows of the table ({})",
                                         table.rows(), tensor::shape_text(table.shape)));
    }
    rows.push_back(static_cast<Index>(id));
  }
  return rows;
}

embedding::Scale scale_of(const Call& call) {
  return call.settings.choice("scale") == "sqrt_d" ? embedding::Scale::sqrt_d : embedding::Scale::none;
}

/// One row of `width` for each element.
std::vector<Index> with_axis(std::vector<Index> shape, Index width) {
  shape.push_back(width);
  return shape;
}

template <class T>
Work embed(const Call& call, auto twin) {
  const Array &ids = call.input("ids"), &table = table_of(call);
  const std::vector<Index> rows = ids_of(ids, table);
  const auto values = kept<T>(table), out = room<T>(std::ssize(rows), table.cols());
  const embedding::Scale scale = scale_of(call);
  return Work(
      out, with_axis(ids.shape, table.cols()),
      [=] { twin(std::span<const Index>(rows), View<const T>(*values), scale, View<T>(*out)); }, values);
}

/// The tokens and the table that gives their logits.
struct Tied {
  const Array &x, &table;
  std::vector<Index> result_shape;
};

Tied tied_of(const Call& call) {
  const Array &x = input_with_axes(call, "x", 1, "… × D"), &table = table_of(call);
  if (table.cols() != x.cols()) {
    throw InvalidArgument(
        wrong_shape("table", table).allowed("V × {}, as x is {}", x.cols(), tensor::shape_text(x.shape)));
  }
  std::vector<Index> shape = x.shape;
  shape.back() = table.rows();
  return {x, table, std::move(shape)};
}

template <class T>
Work unembed(const Call& call, auto twin) {
  const Tied tied = tied_of(call);
  const auto x = kept<T>(tied.x), table = kept<T>(tied.table), out = room<T>(x->rows(), table->rows());
  return Work(
      out, tied.result_shape, [=] { twin(View<const T>(*x), View<const T>(*table), View<T>(*out)); }, x,
      table);
}

}  // namespace

Work Embedding::ref(const Call& call) {
  return embed<double>(call, embedding::embedding_ref);
}

Work Embedding::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return embed<T>(call, embedding::embedding_cpu<T>); });
}

Work Embedding::gpu(const Call& call) {
  return embed<float>(call, on_device(call, embedding::embedding_gpu));
}

Work Embedding::staged(const Call& call) {
  return embed<double>(call, [precision = call.precision](auto ids, auto table, auto scale, auto y) {
    embedding::embedding_staged(ids, table, scale, precision, y);
  });
}

Gradients Embedding::vjp(const Call& call, const Array& gradient) {
  const Array &ids = call.input("ids"), &table = table_of(call);
  const std::vector<Index> rows = ids_of(ids, table);
  require_gradient_shape(gradient, with_axis(ids.shape, table.cols()));
  return in_compute_format(call, [&]<class T>(T) {
    const Matrix<T> g = matrix_of<T>(gradient);
    Matrix<T> dtable(table.rows(), table.cols());
    embedding::embedding_vjp<T>(rows, g, scale_of(call), dtable);
    return Gradients{{"table", array_of(dtable, table.shape)}};
  });
}

Bounds Embedding::bounds(const Call&) {
  return {embedding::embedding_bound, embedding::embedding_gpu_bound};
}

Work Unembedding::ref(const Call& call) {
  return unembed<double>(call, embedding::unembedding_ref);
}

Work Unembedding::cpu(const Call& call) {
  return in_compute_format(call, [&]<class T>(T) { return unembed<T>(call, embedding::unembedding_cpu<T>); });
}

Work Unembedding::gpu(const Call& call) {
  return unembed<float>(call, on_device(call, embedding::unembedding_gpu));
}

Work Unembedding::staged(const Call& call) {
  return unembed<double>(call, [precision = call.precision](auto x, auto table, auto y) {
    embedding::unembedding_staged(x, table, precision, y);
  });
}

Gradients Unembedding::vjp(const Call& call, const Array& gradient) {
  const Tied tied = tied_of(call);
  require_gradient_shape(gradient, tied.result_shape);
  return in_compute_format(call, [&]<class T>(T) {
    const Matrix<T> x = matrix_of<T>(tied.x), table = matrix_of<T>(tied.table), g = matrix_of<T>(gradient);
    Matrix<T> dx(x.rows(), x.cols()), dtable(table.rows(), table.cols());
    embedding::unembedding_vjp<T>(x, table, g, dx, dtable);
    return Gradients{{"x", array_of(dx, tied.x.shape)}, {"table", array_of(dtable, tied.table.shape)}};
  });
}

Bounds Unembedding::bounds(const Call& call) {
  const tensor::Bound bound{.abs = 0x1p-126, .rel = embedding::unembedding_bound(call.input("x").cols())};
  return {bound, bound, true};
}

Array Unembedding::magnitude(const Call& call) {
  return magnitude_of_absolutes(call, ref);
}

double Unembedding::flops(const Call& call) {
  return 2 * static_cast<double>(call.input("x").size()) * static_cast<double>(call.input("table").rows());
}

/// A row for each id, of a table that is much longer.
double Embedding::reads(const Call& call) {
  return static_cast<double>(call.input("ids").size() * call.input("table").cols());
}

}  // namespace orrery::op
