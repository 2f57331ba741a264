#include "app/study/attention/cache_asked.h"

#include "app/study/rope/decoding.h"

namespace orrery::study::attention_cache {

using position::rope_frequencies;
using position::RopeFrequencies;
using position::RopeRule;
using position::RopeTable;
using position::RopeType;

namespace {

constexpr position::XposParams xpos{};

CachePlan plan_of(const Settings& settings) {
  CachePlan plan{.prompt = settings.integer("prompt"),
                 .chunk = settings.integer("chunk"),
                 .decoded = settings.integer("decoded"),
                 .pads = settings.integer("padding"),
                 .pads_counted = settings.choice("pads") == "counted",
                 .capacity = settings.integer("capacity"),
                 .first_kept = settings.integer("first_kept"),
                 .renumbered = settings.toggle("renumber")};
  const std::string& mistake = settings.choice("mistake");
  const auto names = parameter::choices_of(choice("mistake", {}, mistakes, {}));
  plan.mistake = static_cast<CacheMistake>(std::ranges::find(names, mistake) - names.begin());
  return plan;
}

RopeFrequencies plain(Index width, double base) {
  return rope_frequencies({.type = RopeType::standard, .rotary_dim = width, .base = base});
}

/// As long lists have it: what is fast stays, what is slow is divided by all of s.
RopeFrequencies long_list(Index width, double base, double factor) {
  RopeRule rule{.type = RopeType::longrope,
                .rotary_dim = width,
                .base = base,
                .original_length = 2,
                .length = 4,
                .attention_factor = 1};
  for (Index i = 0; i < width / 2; ++i) {
    rule.short_factor.push_back(1);
    rule.long_factor.push_back(std::pow(factor, 2 * number(i) / number(width - 2)));
  }
  return rope_frequencies(rule);
}

}  // namespace

Turning::Turning(const Settings& settings)
    : change(settings.choice("change")),
      width(settings.integer("head_width")),
      base(settings.real("base")),
      trained(settings.real("trained")),
      factor(settings.real("factor")),
      new_base(settings.real("new_base")) {}

const RopeFrequencies& Turning::at(double length) {
  const auto found = by_length_.find(length);
  if (found != by_length_.end()) return found->second;
  RopeFrequencies frequencies = plain(width, base);
  if (length > trained) {
    if (change == "dynamic")
      frequencies = rope_frequencies({.type = RopeType::dynamic,
                                      .rotary_dim = width,
                                      .base = base,
                                      .factor = factor,
                                      .max_length = trained,
                                      .length = length});
    if (change == "dynamic_yarn")
      frequencies = rope_frequencies({.type = RopeType::yarn,
                                      .rotary_dim = width,
                                      .base = base,
                                      .factor = length / trained,
                                      .original_length = trained});
    if (change == "longrope") frequencies = long_list(width, base, factor);
    if (change == "base") frequencies = plain(width, new_base);
  }
  return by_length_.emplace(length, std::move(frequencies)).first->second;
}

double Turning::centre(double length) const {
  return change == "xpos" ? std::floor(length / 2) : 0;
}

RopeTable Turning::table(std::span<const TurnedWith> rows, ScoreSide side) {
  RopeTable all{{std::ssize(rows), width / 2}, {std::ssize(rows), width / 2}};
  for (std::size_t from = 0, to = 0; from < rows.size(); from = to) {
    std::vector<double> positions, centred;
    for (; to < rows.size() && rows[to].length == rows[from].length; ++to) {
      positions.push_back(rows[to].position);
      centred.push_back(rows[to].position - centre(rows[to].length));
    }
    const RopeFrequencies& f = at(rows[from].length);
    RopeTable some = position::rope_table(positions, f.inv_freq, f.attention_factor);
    if (change == "xpos") position::apply_xpos(some, centred, xpos, side);
    all.cos.middleRows(static_cast<Index>(from), some.tokens()) = some.cos;
    all.sin.middleRows(static_cast<Index>(from), some.tokens()) = some.sin;
  }
  return all;
}

RopeTable Turning::difference(const TurnedWith& from, const TurnedWith& to) {
  const RopeFrequencies &before = at(from.length), &after = at(to.length);
  std::vector<double> angles(after.inv_freq.size());
  for (std::size_t i = 0; i < angles.size(); ++i)
    angles[i] = to.position * after.inv_freq[i] - from.position * before.inv_freq[i];
  RopeTable table =
      position::rope_table(std::array{1.0}, angles, after.attention_factor / before.attention_factor);
  const double moved = (to.position - centre(to.length)) - (from.position - centre(from.length));
  if (change == "xpos") position::apply_xpos(table, std::array{moved}, xpos, ScoreSide::key);
  return table;
}

double Turning::shade(double length) {
  if (change == "xpos") return centre(length);
  return at(0).inv_freq.back() / at(length).inv_freq.back();  // a text of no length is unchanged
}

std::string_view Turning::shade_name() const {
  return change == "xpos" ? "centre of the scales" : "slowest pair, times slower";
}

std::string Turning::short_shade_name() const {
  return change == "xpos" ? std::string(shade_name()) : "slowest pair, ×";
}

Asked::Asked(const Settings& settings) : plan(plan_of(settings)), turning(settings) {
  auto drawn = queries_and_keys(settings, plan.tokens(), turning.width);
  q = std::move(drawn.q);
  k = std::move(drawn.k);
}

}  // namespace orrery::study::attention_cache
