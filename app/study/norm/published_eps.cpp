#include "app/study/norm/published_eps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "app/study/model/cards.h"
#include "app/study/text.h"

namespace orrery::study {
namespace {

using norm::EpsPlace;

/// Powers of ten without their 1.
std::string as_power(double x) {
  const double exponent = std::round(std::log10(x));
  return x == std::stod("1e" + std::to_string(static_cast<int>(exponent)))
             ? "$10^{" + std::to_string(static_cast<int>(exponent)) + "}$"
             : scientific_text(x, 3);
}

std::vector<PublishedEps> collected() {
  std::map<double, double> models;
  for (const std::string_view name : card_names())
    if (const auto eps = published_card(name).norm.eps) models[*eps] += 1;
  std::vector<PublishedEps> all{
      {.of = "Keras", .number = "$10^{-3}$", .eps = 1e-3},
      // finfo(float32).eps, where torch.nn.RMSNorm is given none.
      {.of = "nn.RMSNorm", .number = "$2^{-23}$", .eps = 0x1p-23},
      {.of = "RMSNorm paper's code", .number = "$10^{-8}$", .eps = 1e-8, .place = EpsPlace::outside},
  };
  for (const auto& [eps, count] : models)
    all.push_back(
        {.of = amount(count, "model", "models"), .number = as_power(eps), .models = count, .eps = eps});
  std::ranges::sort(all, std::ranges::greater{}, [](const PublishedEps& p) { return knee(p.eps, p.place); });
  return all;
}

}  // namespace

double knee(double eps, EpsPlace place) {
  return place == EpsPlace::inside ? std::sqrt(eps) : eps;
}

double size_kept(double rms, double eps, EpsPlace place) {
  const double at = knee(eps, place);
  return place == EpsPlace::inside ? rms / std::hypot(rms, at) : rms / (rms + at);
}

double size_that_keeps(double kept, double eps, EpsPlace place) {
  const double at = knee(eps, place);
  return place == EpsPlace::inside ? at * kept / std::sqrt((1 - kept) * (1 + kept)) : at * kept / (1 - kept);
}

const std::vector<PublishedEps>& published_eps() {
  static const std::vector<PublishedEps> all = collected();
  return all;
}

}  // namespace orrery::study
