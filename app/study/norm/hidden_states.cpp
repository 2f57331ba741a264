#include "app/study/norm/hidden_states.h"
#include "app/study/kit/read_numbers.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/study/kit/numbers.h"
#include "app/study/reading.h"
#include "core/file/tensor_files.h"
#include "core/tensor/array.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using parameter::Settings;
using tensor::Index;
using twin::Matrix;

constexpr Index widest = 16384;
constexpr std::uint64_t most_read = std::uint64_t{1} << 26;

Matrix read_patient(const Settings& settings, const Run& run, std::string_view name) {
  const std::string path = settings.file(name);
  return read_patiently(run.stop, path, [path] { return read_rows(path); });
}

Standardised standardised(const Matrix& row) {
  const double mean = row.mean(), deviation = std::sqrt((row.array() - mean).square().mean());
  // What the rounding of a sum leaves of a constant row is no deviation, nor is one whose squares are 0.
  if (row.maxCoeff() == row.minCoeff() || deviation == 0) return {Matrix::Zero(1, row.cols()), row(0, 0), 1};
  return {(row.array() - mean).matrix() / deviation, mean / deviation, deviation};
}

/// A row of mean exactly 0 and variance exactly 1, but for rounding; every token has a stream of its own.
Matrix standard_row(const Settings& settings, Index token, Index width, double outlier) {
  Matrix z = tensor::Random(seed_of(settings), static_cast<std::uint32_t>(token)).normals(1, width);
  const auto standardise = [&] {
    z.array() -= z.mean();
    z /= std::sqrt(z.squaredNorm() / number(z.cols()));
  };
  standardise();
  if (outlier == 0) return z;
  z(0, width / 3) += outlier;
  standardise();
  return z;
}

HiddenStates from_file(const Settings& settings, const Run& run) {
  const Matrix all = read_patient(settings, run, "states");
  const Index token = settings.integer("token");
  if (token >= all.rows())
    throw InvalidArgument(
        about("token").found(token).allowed("below {}, the number of tokens in the file", all.rows()));
  const Matrix x =
      twin::rounded(all.middleRows(token, std::min(settings.integer("tokens"), all.rows() - token)));
  return {.x = x, .row = standardised(x.topRows(1))};
}

}  // namespace

Matrix read_rows(const std::string& path) {
  const file::StoredArray stored = file::open_tensor(file::tensor_path_on_disk(path));
  const Index cols = stored.shape.empty() ? 1 : stored.shape.back();
  if (stored.count == 0 || cols > widest)
    stored.fail(Complaint()
                    .found(tensor::shape_text(stored.shape))
                    .fault("shape {}", tensor::shape_text(stored.shape))
                    .allowed("tokens with 1 to {} features each, the last axis", widest));
  const Matrix x = stored.read(most_read).matrix<double>();
  if (!within_reach(x.reshaped())) stored.fail(beyond_reach());
  return x;
}

HiddenStates hidden_states(const Settings& settings, const Run& run) {
  if (!settings.file("states").empty()) return from_file(settings, run);
  const Index first = settings.integer("token"), tokens = settings.integer("tokens");
  const bool seeded = settings.choice("components") == "seeded";
  const Matrix typed = row_matrix(settings.vector("vector"));
  HiddenStates states{.x = {}, .row = {}, .seeded = seeded};
  if (seeded) {
    const Index width = settings.integer("width");
    states.row = {standard_row(settings, first, width, settings.real("outlier")), settings.real("mean"),
                  settings.real("scale")};
  } else {
    states.row = standardised(typed);
  }
  const auto& [z, mean, scale] = states.row;
  states.x.resize(tokens, z.cols());
  states.x.row(0) = seeded ? Matrix(scale * (z.array() + mean)) : typed;
  for (Index i = 1; i < tokens; ++i)
    // A row of one number has no deviation to be divided by.
    if (z.cols() > 1)
      states.x.row(i) =
          scale *
          (standard_row(settings, first + i, z.cols(), seeded ? settings.real("outlier") : 0).array() + mean);
    else
      states.x.row(i) = typed;
  states.x = twin::rounded(states.x);
  return states;
}

Affine gain_and_bias(const Settings& settings, const Run& run, Index width) {
  const auto read = [&](std::string_view name) {
    const Matrix all = read_patient(settings, run, name);
    if (all.size() != width)
      throw InvalidArgument(about(name).found(all.size()).allowed("{} numbers, one for each feature", width));
    return std::vector<double>(all.data(), all.data() + all.size());
  };
  Affine affine;
  if (settings.file("gains").empty()) {
    constexpr std::uint32_t stream = 1u << 20;  // none of a token's
    const Matrix spread = tensor::Random(seed_of(settings), stream).normals(1, width);
    affine.weight = row_of((1 + settings.real("gain_spread") * spread.array()).matrix());
  } else {
    affine.weight = read("gains");
  }
  affine.bias = settings.file("biases").empty()
                    ? std::vector<double>(static_cast<std::size_t>(width), settings.real("bias"))
                    : read("biases");
  // What all twins see alike.
  for (auto* each : {&affine.weight, &affine.bias})
    for (double& v : *each) v = static_cast<float>(v);
  return affine;
}

}  // namespace orrery::study
