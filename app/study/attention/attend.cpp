#include "app/study/attention/attend.h"

#include <cmath>
#include <vector>

#include "core/tensor/random.h"

namespace orrery::study {

using attention::Mask;
using parameter::Settings;
using position::RopeLayout;
using position::RopeTable;
using tensor::Index;
using twin::Matrix;

namespace {

/// Before any rotation. Alike: the same vector for all queries and keys, so that only positions make a
/// difference.
Vectors content_of(const Settings& settings) {
  const Index length = settings.integer("length"), width = settings.integer("head_width");
  const auto seed = static_cast<std::uint64_t>(settings.integer("seed"));
  if (settings.choice("content") == "alike") {
    const Matrix all = twin::rounded(tensor::Random(seed).normals(1, width)).replicate(length, 1);
    return {all, all};
  }
  return {twin::rounded(tensor::Random(seed, 0).normals(length, width)),
          twin::rounded(tensor::Random(seed, 1).normals(length, width))};
}

}  // namespace

Mask mask_of(const Settings& settings) {
  const std::string& name = settings.choice("mask");
  if (name == "none") return {};
  if (name == "causal") return {.kind = Mask::Kind::causal};
  return {.kind = Mask::Kind::sliding, .window = settings.integer("window")};
}

double scale_of(const Settings& settings) {
  return settings.toggle("scaled") ? 1 / std::sqrt(static_cast<double>(settings.integer("head_width"))) : 1;
}

RopeTable positions_table(const Settings& settings) {
  std::vector<double> positions;
  for (Index m = 0; m < settings.integer("length"); ++m) positions.push_back(static_cast<double>(m));
  return position::rope_table(
      positions, position::rope_default_frequencies(settings.integer("head_width"), settings.real("base")));
}

Vectors turned(const Run& run, const Vectors& content, const RopeTable& table) {
  return {twin::rope(run, content.q, table, RopeLayout::half),
          twin::rope(run, content.k, table, RopeLayout::half)};
}

Attention attend(const Settings& settings, const Run& run) {
  Attention a;
  a.vectors = content_of(settings);
  if (settings.toggle("rope")) a.vectors = turned(run, a.vectors, positions_table(settings));
  run.progress(0.2);
  const double scale = scale_of(settings);
  a.free = twin::scores(run, a.vectors.q, a.vectors.k, {.scale = scale, .mask = {}});
  run.progress(0.4);
  a.masked = twin::scores(run, a.vectors.q, a.vectors.k, {.scale = scale, .mask = mask_of(settings)});
  run.progress(0.5);
  a.weights = twin::softmax(run, a.masked, {.temperature = settings.real("temperature")});
  run.progress(0.6);
  return a;
}

}  // namespace orrery::study
