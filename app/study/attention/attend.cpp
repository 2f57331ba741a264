#include "app/study/attention/attend.h"

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "app/study/kit/words.h"
#include "core/tensor/error.h"
#include "core/tensor/random.h"

namespace orrery::study {

using attention::Mask;
using parameter::Settings;
using position::RopeLayout;
using position::RopeTable;
using tensor::Index;
using twin::Matrix;

namespace {

constexpr std::size_t most_words_read = 512;

/// Of the query and of the key of a word one half of the length is its own and the same in both, and one half is each one's:
/// what is alike finds itself.
Vectors vectors_of(const std::vector<std::string>& words, Index width, std::uint64_t seed) {
  const auto length = static_cast<Index>(words.size());
  Vectors v{Matrix(length, width), Matrix(length, width)};
  for (Index m = 0; m < length; ++m) {
    const std::uint64_t own = seed ^ number_of_word(words[static_cast<std::size_t>(m)]);
    const Matrix meaning = tensor::Random(own, 0).normals(1, width);
    v.q.row(m) = (meaning + tensor::Random(own, 1).normals(1, width)) / std::numbers::sqrt2;
    v.k.row(m) = (meaning + tensor::Random(own, 2).normals(1, width)) / std::numbers::sqrt2;
  }
  return {twin::rounded(v.q), twin::rounded(v.k)};
}

/// Before any rotation. Alike: the same vector for all queries and keys, so that only positions make a
/// difference.
Vectors content_of(const Settings& settings) {
  const Index length = length_of(settings), width = settings.integer("head_width");
  const auto seed = static_cast<std::uint64_t>(settings.integer("seed"));
  if (settings.choice("content") == "words") return vectors_of(words_at(settings), width, seed);
  if (settings.choice("content") == "alike") {
    const Matrix all = twin::rounded(tensor::Random(seed).normals(1, width)).replicate(length, 1);
    return {all, all};
  }
  return {twin::rounded(tensor::Random(seed, 0).normals(length, width)),
          twin::rounded(tensor::Random(seed, 1).normals(length, width))};
}

}  // namespace

std::vector<std::string> words_at(const Settings& settings) {
  if (settings.choice("content") != "words") return {};
  std::vector<std::string> words = words_in(settings.text("text"));
  if (words.empty() || words.size() > most_words_read)
    throw InvalidArgument(about(Subject::Kind::parameter, "text")
                              .found(std::to_string(words.size()))
                              .fault("it has {} words", std::to_string(words.size()))
                              .allowed("{} to {}", 1, most_words_read));
  return words;
}

Index length_of(const Settings& settings) {
  if (settings.choice("content") == "words") return static_cast<Index>(words_at(settings).size());
  return settings.integer("length");
}

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
  for (Index m = 0, length = length_of(settings); m < length; ++m)
    positions.push_back(static_cast<double>(m));
  return position::rope_table(
      positions, position::rope_default_frequencies(settings.integer("head_width"), settings.real("base")));
}

Vectors turned(const Run& run, const Vectors& content, const RopeTable& table) {
  return {twin::rope(run, content.q, table, RopeLayout::half),
          twin::rope(run, content.k, table, RopeLayout::half)};
}

Vectors vectors_that_meet(const Settings& settings, const Run& run) {
  const Vectors content = content_of(settings);
  return settings.toggle("rope") ? turned(run, content, positions_table(settings)) : content;
}

Attention attend(const Settings& settings, const Run& run) {
  Attention a;
  a.vectors = vectors_that_meet(settings, run);
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
