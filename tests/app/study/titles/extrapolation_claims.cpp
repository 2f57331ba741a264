// What the studies past the trained length say in their titles, looked up in their tables.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/study/rope/rules.h"
#include "tests/app/study/titles/said.h"

namespace orrery::study::titles {
namespace extrapolation_claims {
namespace {

std::vector<double> powers(const Stretch& s) {
  std::vector<double> theta;
  for (tensor::Index i = 0; i < s.head_width / 2; ++i)
    theta.push_back(std::pow(s.base, -2.0 * static_cast<double>(i) / static_cast<double>(s.head_width)));
  return theta;
}

/// The mean of the partial sums over the pairs, formed anew.
double mean_partial_sum(const std::vector<double>& theta, double r) {
  double re = 0, im = 0, sum = 0;
  for (const double t : theta) {
    re += std::cos(r * t);
    im += std::sin(r * t);
    sum += std::hypot(re, im);
  }
  return sum / static_cast<double>(theta.size());
}

bool decay(const Said& said) {
  const auto part =
      said.as("From distance {} to {} the bound is at most {}, at 0 it is {}; a key can score most at {}");
  const double reach = said.settings.real("reach"), half = reach / 2;
  const std::vector<double> theta = powers(stretch_of(said.settings));
  if (!part) return false;
  double most = 0;
  for (double r = std::ceil(half); r <= reach; ++r) most = std::max(most, mean_partial_sum(theta, r));
  const double marked = said.settings.real("distance");  // drawn too, between two tokens
  if (reach <= 600 && marked >= half && marked <= reach)
    most = std::max(most, mean_partial_sum(theta, marked));
  return says((*part)[0], half) && says((*part)[1], reach) && says((*part)[2], most, 3) &&
         says((*part)[3], mean_partial_sum(theta, 0), 3) && says((*part)[4], marked);
}

double similarity(const std::vector<double>& theta, double m) {
  double sum = 0;
  for (const double t : theta) sum += std::cos(m * t);
  return sum;
}

/// Σ cos(m θ_i) ≥ 0 up to the reach and below 0 just after it; of a long reach a sample.
bool reaches(const std::vector<double>& theta, double reach, bool and_no_further) {
  const double step = std::max(1.0, std::floor(reach * static_cast<double>(theta.size()) / 2e6));
  for (double m = 1; m <= reach; m += step)
    if (similarity(theta, m) < -1e-9) return false;
  return !and_no_further || similarity(theta, reach + 1) < 1e-9;
}

bool base(const Said& said) {
  const Stretch s = stretch_of(said.settings);
  const double context = said.settings.real("context");
  const auto &contexts = said.column("least_base", "context"),
             &least = said.column("least_base", "least base");
  Said first = said;
  const std::size_t half = said.text.find("; ");
  const bool found = !contexts.empty() && contexts.back() == context;
  if (found != (half != said.text.npos)) return false;
  if (found) {
    const Said second{said.study, said.settings, said.result, said.text.substr(half + 2)};
    const auto part = second.as("the least base found for {} is {}");
    if (!part || !says((*part)[0], context) || !says((*part)[1], least.back(), 4)) return false;
    first.text = said.text.substr(0, half);
  }
  if (const auto part = first.as("Base {} reaches at least {} tokens"))
    return says((*part)[0], s.base) && says((*part)[1], 2 * context) &&
           reaches(powers(s), 2 * context - 1, false);
  const auto part = first.as("Base {} reaches {} {}");
  return part && says((*part)[0], s.base) && counts((*part)[1], (*part)[2], "token", "tokens") &&
         reaches(powers(s), number_of((*part)[1]), true);
}

bool base_heading(const Said& said) {
  const auto part = said.as("A like key against an unlike one, base {}");
  return part && says((*part)[0], stretch_of(said.settings).base);
}

/// Pairs that a rule turns past their arc by one of their own steps, from the table or, for a rule that is not in it, from
/// its frequencies.
double pairs_beyond(const Said& said, const Stretch& s, const StretchedRule& rule) {
  const std::vector<double> theta = powers(s);
  const auto& seen = said.column("coverage", "seen");
  const bool listed = rule.id != "yarn_paper" && rule.id != "proportional" && rule.id != "resonance";
  constexpr double turn = 2 * std::numbers::pi;
  double beyond = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double reached = std::min(1.0, (s.factor * s.trained - 1) * rule.rope.inv_freq[i] / turn);
    const double fresh = listed ? said.column("coverage", "new, " + rule.label)[i] : reached - seen[i];
    beyond += fresh > 0 && fresh * turn >= theta[i];
  }
  return beyond;
}

bool coverage(const Said& said) {
  const Stretch s = stretch_of(said.settings);
  const std::string& rule = said.settings.choice("rule");
  const auto without = [&](const std::vector<std::string>& part) {
    return says(part[0], pairs_beyond(said, s, stretched_rule("none", s))) &&
           says(part[1], std::ssize(said.column("coverage", "seen"))) &&
           counts(part[0], part[2], "turns", "turn");
  };
  if (rule == "none") {
    const auto part = said.as("{} of {} pairs {} a step or more past what training showed");
    return part && without(*part);
  }
  const auto part = said.as("{} of {} pairs {} a step or more past what training showed; with {}, {}");
  const StretchedRule ringed = stretched_rule(rule, s);
  if (!part || !without(*part)) return false;
  const std::string rest = (*part)[3] + ", " + (*part)[4];  // "YaRN, code" has a comma too
  return rest.starts_with(ringed.label + ", ") &&
         says(rest.substr(ringed.label.size() + 2), pairs_beyond(said, s, ringed));
}

bool scores(const Said& said) {
  const double trained = stretch_of(said.settings).trained;
  const auto &x = said.column("scores", "distance"), &lowest = said.column("scores", "unchanged, lowest"),
             &highest = said.column("scores", "unchanged, highest");
  if (const auto part = said.as("No distance here is beyond the trained length of {}"))
    return says((*part)[0], trained) && x.back() <= trained;
  const auto part = said.as("Past distance {}, up to {}, the score without a rule runs from {} to {}");
  double least = 1e300, most = -1e300;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] <= trained) continue;
    least = std::min(least, lowest[i]);
    most = std::max(most, highest[i]);
  }
  // A query at the last distance is the last whose weights are drawn: no stretch goes on behind it.
  return part && least <= most && says((*part)[0], trained) && says((*part)[1], x.back()) &&
         x.back() == said.column("past", "position").back() && says((*part)[2], least, 2) &&
         says((*part)[3], most, 2);
}

bool entropy(const Said& said) {
  const double trained = said.settings.real("trained_length");
  const auto end = [&](std::string_view column) { return said.column("entropy", column).back(); };
  const auto whole = [&](const std::vector<std::string>& part) {
    return says(part[0], end("length")) && says(part[1], end("no remedy"), 3) &&
           says(part[2], end("all keys alike"), 3);
  };
  if (const auto part = said.as("At {} keys the entropy is {} of at most {} nat; remedies begin past {}"))
    return whole(*part) && says((*part)[3], trained) && end("length") <= trained &&
           end("scale, log n") == 1 && end("scale, YaRN's temperature") == 1;
  const auto part = said.as("At {} keys the entropy is {} of at most {} nat; in a window of {}, {}");
  return part && whole(*part) && says((*part)[3], trained) && says((*part)[4], end("sliding window"), 3);
}

const Entries entries{{"extrapolation/decay", decay},
                      {"extrapolation/base", base, base_heading},
                      {"extrapolation/coverage", coverage},
                      {"extrapolation/scores", scores},
                      {"extrapolation/entropy", entropy}};

}  // namespace
}  // namespace extrapolation_claims

}  // namespace orrery::study::titles
