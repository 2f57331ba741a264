#include "core/transformer/initialise.h"

#include <algorithm>
#include <cmath>

#include "core/simd/share.h"
#include "core/tensor/random.h"

namespace orrery::transformer {
namespace {

/// FNV-1a: of a name, the stream that its numbers come from.
std::uint32_t stream_of(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

/// The deviation of an outputs × inputs matrix.
double deviation_of(Spread spread, double given, Index outputs, Index inputs) {
  const auto in = static_cast<double>(inputs), out = static_cast<double>(outputs);
  switch (spread) {
    case Spread::lecun_normal:
      return std::sqrt(1 / in);
    case Spread::xavier_normal:
    case Spread::xavier_uniform:
      return std::sqrt(2 / (in + out));
    case Spread::he_normal:
      return std::sqrt(2 / in);
    case Spread::normal:
      break;
  }
  return given;
}

/// What DeepNorm's β is for.
bool is_scaled_by_beta(Role role) {
  return role == Role::value || role == Role::mix || role == Role::expand || role == Role::contract;
}

bool ends_in_stream(Role role) {
  return role == Role::mix || role == Role::contract;
}

/// Of one array: the deviation of what is drawn, 0 where nothing is.
class Rule {
 public:
  Rule(const Config& config, const Initialisation& start) : config_(config), start_(start) {}

  double deviation(const NamedSlot& array) const {
    switch (array.role) {
      case Role::gain:
      case Role::bias:
        return 0;
      case Role::embedding:
        return start_.embedding_deviation;
      case Role::distance:
        return deviation_of(Spread::lecun_normal, 0, array.slot.rows, array.slot.cols);
      case Role::query:
      case Role::value:
      case Role::mix:
      case Role::expand:
      case Role::contract:
      case Role::head:
        break;
    }
    double deviation = deviation_of(start_.spread, start_.deviation, array.slot.rows, array.slot.cols);
    const bool of_encoder = array.name.starts_with("encoder.");
    if (is_scaled_by_beta(array.role))
      deviation *= (of_encoder ? encoder_deep_norm(config_) : decoder_deep_norm(config_)).beta;
    if (!ends_in_stream(array.role) || start_.into_stream == IntoStream::as_others) return deviation;
    if (start_.into_stream == IntoStream::zero) return 0;
    return deviation / std::sqrt(static_cast<double>(residuals(of_encoder)));
  }

  double constant(const NamedSlot& array) const {
    if (array.role != Role::gain) return 0;
    if (array.name.ends_with(".norm_inner.weight")) return start_.inner_gain;
    return array.name.ends_with(".norm_before.weight") ? start_.before_gain : 1;
  }

  bool uniform(const NamedSlot& array) const {
    return start_.spread == Spread::xavier_uniform && array.role != Role::embedding &&
           array.role != Role::distance;
  }

 private:
  /// How often a stack adds to its stream.
  Index residuals(bool of_encoder) const {
    if (config_.family != Family::encoder_decoder) return 2 * config_.layers;
    return of_encoder ? 2 * config_.encoder_layers : 3 * config_.layers;
  }

  const Config& config_;
  const Initialisation& start_;
};

}  // namespace

Beginning beginning_of(const Config& config, const NamedSlot& array, const Initialisation& start) {
  const Rule rule(config, start);
  return {
      .deviation = rule.deviation(array), .constant = rule.constant(array), .uniform = rule.uniform(array)};
}

void standard_draws(std::string_view name, bool uniform, std::uint64_t seed, std::span<double> draws) {
  const tensor::Random random(seed, stream_of(name));
  const double half_width = std::sqrt(3.0);
  constexpr Index cost = 8;  // of a number, in additions and more
  const auto count = static_cast<Index>(draws.size());
  simd::share(count, cost * count, [&](Index first, Index end) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(end); ++i)
      draws[i] = uniform ? half_width * (2 * random.uniform(i) - 1) : random.normal(i);
  });
}

template <class T>
std::vector<T> initial_values(const Config& config, const Layout& layout, const Initialisation& start,
                              std::uint64_t seed) {
  std::vector<T> values(static_cast<std::size_t>(layout.size()));
  std::vector<double> draws;
  for (const NamedSlot& array : layout.arrays()) {
    const std::span<T> own = array.slot.numbers(std::span<T>(values));
    const Beginning beginning = beginning_of(config, array, start);
    if (beginning.deviation == 0) {
      std::ranges::fill(own, static_cast<T>(beginning.constant));
      continue;
    }
    draws.resize(own.size());
    standard_draws(array.name, beginning.uniform, seed, draws);
    std::ranges::transform(draws, own.begin(),
                           [&](double z) { return static_cast<T>(beginning.deviation * z); });
  }
  return values;
}

template std::vector<float> initial_values(const Config&, const Layout&, const Initialisation&,
                                           std::uint64_t);
template std::vector<double> initial_values(const Config&, const Layout&, const Initialisation&,
                                            std::uint64_t);

}  // namespace orrery::transformer
