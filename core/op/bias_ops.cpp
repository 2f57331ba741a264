// Biases on attention scores: alibi, t5_bias, kerple, fire. All give H × L × L: a matrix of queries and keys for
// each head.
#include <algorithm>
#include <span>

#include "core/op/adapters.h"
#include "core/op/bias_operands.h"
#include "core/op/gradient.h"
#include "core/op/operands.h"
#include "core/position/alibi.h"
#include "core/position/fire.h"
#include "core/position/kerple.h"
#include "core/position/t5_bias.h"

namespace orrery::op {

position::Direction direction_of(const parameter::Settings& s) {
  return s.choice("direction") == "bidirectional" ? position::Direction::bidirectional
                                                  : position::Direction::causal;
}

void OfLength::fit(parameter::Settings& s, const Sizes& sizes) {
  s.set("length", std::int64_t{sizes.S});
}

tensor::Index bias_length(const Call& call, tensor::Index heads) {
  const tensor::Index length = call.settings.integer("length");
  constexpr tensor::Index most = tensor::Index{1} << 31;
  if (heads > 0 && length > 0 && length > most / heads / length) {
    throw InvalidArgument(about("length")
                              .found(length)
                              .fault("found {} for {} heads", length, heads)
                              .allowed("heads × length² up to {}", most));
  }
  return length;
}

namespace {

using parameter::Settings;
using tensor::Array;
using tensor::Index;
using tensor::Matrix;
using tensor::View;

/// write(y) fills y, (H L) × L.
template <class T>
Work bias_work(Index heads, Index length, auto write) {
  const auto y = room<T>(heads * length, length);
  return Work(y, {heads, length, length}, [=] { write(View<T>(*y)); });
}

/// What a twin of relative_bias.h makes of values by distance, one row a head. They are made anew in each run.
template <class T>
Work expanded(Index heads, Index length, auto values, auto twin) {
  return bias_work<T>(heads, length, [=](View<T> y) {
    const Matrix<T> v = values().template cast<T>();
    twin(View<const T>(v), y);
  });
}

Work expanded_on_cpu(const Call& call, Index heads, Index length, auto values) {
  return in_compute_format(
      call, [&]<class T>(T) { return expanded<T>(heads, length, values, position::relative_bias_cpu<T>); });
}

Work expanded_on_gpu(const Call& call, Index heads, Index length, auto values) {
  return expanded<float>(heads, length, values, on_device(call, position::relative_bias_gpu));
}

/// Values of one number each, the same for all twins but for the last rounding.
template <class T>
Array as_array(const std::vector<double>& values, std::vector<Index> shape) {
  Matrix<T> row(1, static_cast<Index>(values.size()));
  std::ranges::transform(values, row.data(), [](double v) { return static_cast<T>(v); });
  return array_of(row, std::move(shape));
}

bool slopes_wanted(const Call& call) {
  return call.settings.choice("output") == "slopes";
}

template <class T>
Work slopes(const Call& call) {
  const std::vector<double> k = position::alibi_slopes(call.settings.integer("heads"));
  return Work(as_array<T>(k, {std::ssize(k)}));
}

struct AlibiShape {
  Index heads, length;
  position::Direction direction;

  explicit AlibiShape(const Call& call)
      : heads(call.settings.integer("heads")),
        length(bias_length(call, heads)),
        direction(direction_of(call.settings)) {}
  Matrix<double> values() const { return position::alibi_values(heads, length, direction); }
};

position::T5Buckets t5_buckets(const Settings& s) {
  const position::T5Buckets buckets{.num_buckets = s.integer("num_buckets"),
                                    .max_distance = s.integer("max_distance"),
                                    .direction = direction_of(s)};
  check_t5_buckets(buckets);
  return buckets;
}

bool buckets_wanted(const Call& call) {
  return call.settings.choice("output") == "buckets";
}

template <class T>
Work buckets(const Call& call) {
  const position::T5Buckets rule = t5_buckets(call.settings);
  const Index length = bias_length(call, 1);
  std::vector<double> k;
  for (Index m = 0; m < length; ++m) {
    for (Index n = 0; n < length; ++n) k.push_back(static_cast<double>(t5_bucket(n - m, rule)));
  }
  return Work(as_array<T>(k, {length, length}));
}

const Array& t5_table(const Call& call) {
  const Array* table = call.find("table");
  const Index buckets = call.settings.integer("num_buckets");
  if (table == nullptr) {
    throw InvalidArgument(
        about(Subject::Kind::input, "table")
            .fault("this input is missing")
            .allowed("{} × H, a bias for each bucket and head, or output=buckets", buckets));
  }
  if (table->shape.size() != 2 || table->shape[0] != buckets)
    throw InvalidArgument(
        wrong_shape("table", *table).allowed("{} × H, a bias for each bucket and head", buckets));
  return *table;
}

struct T5Shape {
  Matrix<double> table;
  position::T5Buckets rule;
  Index heads, length;

  explicit T5Shape(const Call& call)
      : table(matrix_of<double>(t5_table(call))),
        rule(t5_buckets(call.settings)),
        heads(table.cols()),
        length(bias_length(call, heads)) {}
  Matrix<double> values() const { return position::t5_bias_values<double>(table, rule, length); }
};

position::KerpleParams kerple_params(const Settings& s) {
  position::KerpleParams params{
      .kernel = s.choice("kind") == "power" ? position::KerpleKernel::power : position::KerpleKernel::log,
      .direction = direction_of(s),
      .r1 = s.vector("r1"),
      .r2 = s.vector("r2")};
  check_kerple(params);
  return params;
}

}  // namespace

Work Alibi::ref(const Call& call) {
  if (slopes_wanted(call)) return slopes<double>(call);
  const AlibiShape shape(call);
  return bias_work<double>(shape.heads, shape.length,
                           [=](View<double> y) { position::alibi_ref(shape.heads, shape.direction, y); });
}

Work Alibi::cpu(const Call& call) {
  if (slopes_wanted(call)) return in_compute_format(call, [&]<class T>(T) { return slopes<T>(call); });
  const AlibiShape shape(call);
  return expanded_on_cpu(call, shape.heads, shape.length, [=] { return shape.values(); });
}

Work Alibi::gpu(const Call& call) {
  device_of(call);
  if (slopes_wanted(call)) return slopes<float>(call);  // a handful of powers of two, made once on the host
  const AlibiShape shape(call);
  return expanded_on_gpu(call, shape.heads, shape.length, [=] { return shape.values(); });
}

Work Alibi::staged(const Call& call) {
  if (slopes_wanted(call)) {
    Array k = slopes<double>(call).done();
    k.values.round_to(call.precision.storage);
    return Work(std::move(k));
  }
  const AlibiShape shape(call);
  return expanded<double>(
      shape.heads, shape.length,
      [shape, precision = call.precision] {
        return position::alibi_staged_values(shape.heads, shape.length, shape.direction, precision);
      },
      position::relative_bias_cpu<double>);
}

Bounds Alibi::bounds(const Call&) {
  return {position::relative_bias_bound, position::relative_bias_bound};
}

Work T5Bias::ref(const Call& call) {
  if (buckets_wanted(call)) return buckets<double>(call);
  const T5Shape shape(call);
  return bias_work<double>(shape.heads, shape.length,
                           [=](View<double> y) { position::t5_bias_ref(shape.table, shape.rule, y); });
}

Work T5Bias::cpu(const Call& call) {
  if (buckets_wanted(call)) return in_compute_format(call, [&]<class T>(T) { return buckets<T>(call); });
  const T5Shape shape(call);
  return expanded_on_cpu(call, shape.heads, shape.length, [=] { return shape.values(); });
}

Work T5Bias::gpu(const Call& call) {
  device_of(call);
  if (buckets_wanted(call)) return buckets<float>(call);  // whole numbers, the same on every device
  const T5Shape shape(call);
  return expanded_on_gpu(call, shape.heads, shape.length, [=] { return shape.values(); });
}

/// Looked up as it is stored; nothing else is rounded.
Work T5Bias::staged(const Call& call) {
  if (buckets_wanted(call)) return buckets<double>(call);
  T5Shape shape(call);
  round_to(call.precision.storage,
           std::span(shape.table.data(), static_cast<std::size_t>(shape.table.size())));
  return expanded<double>(
      shape.heads, shape.length, [=] { return shape.values(); }, position::relative_bias_cpu<double>);
}

Gradients T5Bias::vjp(const Call& call, const Array& gradient) {
  const position::T5Buckets rule = t5_buckets(call.settings);
  const Array* given = call.find("table");
  const Index heads = given == nullptr ? 1 : t5_table(call).cols(), length = bias_length(call, heads);
  require_gradient_shape(gradient, buckets_wanted(call) ? std::vector<Index>{length, length}
                                                        : std::vector<Index>{heads, length, length});
  if (given == nullptr) return {};
  return in_compute_format(call, [&]<class T>(T) {
    Matrix<T> dtable = Matrix<T>::Zero(rule.num_buckets, heads);
    if (!buckets_wanted(call)) {
      // An array of H × L × L is (H L) × L to its readers.
      position::t5_bias_vjp<T>(matrix_of<T>(gradient), rule, dtable);
    }
    return Gradients{{"table", array_of(dtable, given->shape)}};
  });
}

Bounds T5Bias::bounds(const Call&) {
  return {position::relative_bias_bound, position::relative_bias_bound};
}

Work Kerple::ref(const Call& call) {
  const position::KerpleParams params = kerple_params(call.settings);
  return bias_work<double>(params.heads(), bias_length(call, params.heads()),
                           [=](View<double> y) { position::kerple_ref(params, y); });
}

Work Kerple::cpu(const Call& call) {
  const position::KerpleParams params = kerple_params(call.settings);
  const Index length = bias_length(call, params.heads());
  return expanded_on_cpu(call, params.heads(), length,
                         [=] { return position::kerple_values(params, length); });
}

Work Kerple::gpu(const Call& call) {
  device_of(call);
  const position::KerpleParams params = kerple_params(call.settings);
  const Index length = bias_length(call, params.heads());
  return expanded_on_gpu(call, params.heads(), length,
                         [=] { return position::kerple_values(params, length); });
}

Work Kerple::staged(const Call& call) {
  const position::KerpleParams params = kerple_params(call.settings);
  const Index length = bias_length(call, params.heads());
  return expanded<double>(
      params.heads(), length,
      [=, precision = call.precision] { return position::kerple_staged_values(params, length, precision); },
      position::relative_bias_cpu<double>);
}

Bounds Kerple::bounds(const Call&) {
  return {position::relative_bias_bound, position::relative_bias_bound};
}

}  // namespace orrery::op
