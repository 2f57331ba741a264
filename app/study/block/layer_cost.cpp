#include "app/study/block/layer_cost.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace orrery::study::block_complexity {
namespace {

double window_of(const Layer& l) {
  return std::min(l.window, l.length);
}

}  // namespace

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::self_attention:
      return "self-attention";
    case Kind::recurrent:
      return "recurrent";
    case Kind::convolution:
      return "convolution";
    case Kind::restricted:
      break;
  }
  return "restricted attention";
}

double operations(Kind kind, const Layer& l) {
  const double n = l.length, d = l.width;
  switch (kind) {
    case Kind::self_attention:
      return n * n * d;
    case Kind::recurrent:
      return n * d * d;
    case Kind::convolution:
      return l.kernel * n * d * d;
    case Kind::restricted:
      break;
  }
  return window_of(l) * n * d;
}

double sequential(Kind kind, const Layer& l) {
  return kind == Kind::recurrent ? l.length : 1;
}

double path(Kind kind, const Layer& l) {
  const double apart = l.length - 1;
  switch (kind) {
    case Kind::self_attention:
      return 1;
    case Kind::recurrent:
      return apart;
    case Kind::restricted:
      return std::ceil(apart / (window_of(l) - 1));
    case Kind::convolution:
      break;
  }
  if (!l.dilated) return std::ceil(apart / (l.kernel - 1));
  double layers = 0;
  for (double seen = 1; seen < l.length; seen *= l.kernel) ++layers;  // a logarithm would round
  return layers;
}

double path_walked(Kind kind, const Layer& l) {
  const auto n = static_cast<std::size_t>(l.length);
  std::vector<char> told(n, 0);  // who knows of the first token
  told[0] = 1;
  double layers = 0;
  for (double apart = 1; !told.back(); ++layers) {
    const double most = kind == Kind::convolution  ? l.kernel
                        : kind == Kind::restricted ? window_of(l)
                                                   : l.length;
    std::vector<char> next = told;
    for (std::size_t m = 0; m < n; ++m)
      for (double back = 0; back < (kind == Kind::recurrent ? 2 : most); ++back)
        if (const double from = static_cast<double>(m) - back * apart; from >= 0)
          next[m] |= told[static_cast<std::size_t>(from)];
    told = std::move(next);
    if (kind == Kind::convolution && l.dilated) apart *= l.kernel;
  }
  return layers;
}

double of_scores_and_values(const Layer& l) {
  return 4 * l.length * l.width;
}

double of_projections(const Layer& l) {
  return 8 * l.width * l.width;
}

double of_feed_forward(const Layer& l, const FeedForward& f) {
  return 2 * f.matrices * l.width * f.hidden;
}

double crossing_of_scores(const FeedForward& f) {
  return f.hidden * f.matrices / 2;
}

double crossing_of_attention(const Layer& l, const FeedForward& f) {
  return crossing_of_scores(f) - 2 * l.width;
}

}  // namespace orrery::study::block_complexity
