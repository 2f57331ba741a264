#include "app/study/rope/xpos_overflow.h"

#include "core/tensor/format.h"

namespace orrery::study {
namespace {

using position::RopeTable;
using position::ScoreSide;
using tensor::Format;

constexpr int places = 256;
constexpr std::array formats{Format::f16, Format::bf16, Format::f32};

std::string format_name(Format format) {
  return std::string(tensor::name(format));
}

/// The first whole position of which `holds` is true, from where on it stays so.
double first_where(auto holds) {
  double low = 0, high = 1;
  while (!holds(high)) low = high, high *= 2;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

std::vector<double> tokens_of(const Text& text) {
  std::vector<double> tokens;
  for (int i = 0; i <= places; ++i) tokens.push_back(std::round((text.length - 1) * i / places));
  tokens.erase(std::ranges::unique(tokens).begin(), tokens.end());
  return tokens;
}

double origin_of(const Text& text) {
  return text.centred ? std::floor(text.length / 2) : 0;
}

/// One vector at one position as a model in this format has it.
std::vector<double> turned_in(Format format, const std::vector<double>& x, const XposVectors& v,
                              const position::XposParams& params, double at, ScoreSide side) {
  const std::vector<double> positions{at};
  RopeTable table = position::rope_table(positions, v.omega);
  position::apply_xpos(table, positions, params, side);
  const tensor::Index pairs = table.pairs();
  std::vector<double> y(x.size());
  const auto round = [format](double value) { return tensor::round_to(format, value); };
  for (tensor::Index i = 0; i < pairs; ++i) {
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(i + pairs);
    const double c = round(table.cos(0, i)), s = round(table.sin(0, i));
    y[a] = round(c * x[a] - s * x[b]);
    y[b] = round(s * x[a] + c * x[b]);
  }
  return y;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

}  // namespace

Series xpos_factors(double zeta, const position::XposParams& params, const Text& text) {
  Series factors("factors", {"token", "", tokens_of(text)});
  const double origin = origin_of(text);
  const double slope = std::log10(zeta) / params.scale_base;
  factors.add("query", [&](double token) { return slope * (token - origin); });
  return factors.add("key", [&](double token) { return slope * (origin - token); });
}

Table xpos_overflow(double zeta, const position::XposParams& params) {
  Table table{"overflow",
              {{.name = "format"},
               {.name = "key overflows from", .unit = "tokens", .digits = 9},
               {.name = "query vanishes from", .unit = "tokens", .digits = 9},
               {.name = "longest text, centred", .unit = "tokens", .digits = 9}}};
  for (const Format format : formats) {
    const auto factor = [&](double position) {
      return tensor::round_to(format, std::pow(zeta, position / params.scale_base));
    };
    const double key = first_where([&](double n) { return std::isinf(factor(-n)); }),
                 query = first_where([&](double m) { return factor(m) == 0; });
    // From −L/2 on, queries begin as large as keys end.
    add_row(table, Called{format_name(format), number(table.columns[0].values.size())}, key, query,
            2 * key - 1);
  }
  return table;
}

std::vector<Series> xpos_anywhere(const Run& run, const XposVectors& v, const position::XposParams& params,
                                  const Text& text) {
  const double lengths = std::sqrt(product(v.q, v.q) * product(v.k, v.k)), origin = origin_of(text);
  const auto score = [&](Format format, double n) {
    return product(turned_in(format, v.q, v, params, n + text.distance, ScoreSide::query),
                   turned_in(format, v.k, v, params, n, ScoreSide::key)) /
           lengths;
  };
  const double exact = score(Format::f64, 0);
  std::vector<Series> all;
  for (const Format format : formats) {
    run.check();
    std::vector<double> tokens, errors;
    for (const double token : tokens_of(text)) {
      const double off = std::abs(score(format, token - origin) - exact);
      if (!std::isfinite(off)) continue;  // infinite, or 0 · ∞
      tokens.push_back(token);
      errors.push_back(off);
    }
    all.emplace_back("anywhere_" + format_name(format), Column{"token", "", std::move(tokens)});
    all.back().add("error", std::move(errors));
  }
  return all;
}

Panel xpos_factor_panel(const Series& factors) {
  // Not past what floats hold, and a little beyond what f16 does.
  const double most = std::max(largest(factors["query"]), largest(factors["key"])),
               edge = std::clamp(1.1 * most, 8.0, 64.0);  // room for a name above the last limit
  Panel panel{.title = "Factors of the fastest pair",
              .x = counts("token"),
              .y = values(R"($\log_{10}\zeta_0^{\pm m/B}$)", Range{-edge, edge}),
              .legend = LegendPlace::above};
  const auto mark = [&](double at, const char* text) {
    if (std::abs(at) < edge) panel.marks.emplace_back(quiet_level(at, text));
  };
  mark(std::log10(65504.0), "f16");
  mark(-24 * std::log10(2.0), "");
  mark(128 * std::log10(2.0), "bf16, f32");
  mark(-149 * std::log10(2.0), "");
  panel.marks.push_back(factors.line("key", {.ink = series(1), .label = "key"}));
  panel.marks.push_back(factors.line("query", {.ink = series(0), .label = "query"}));
  return panel;
}

Panel xpos_anywhere_panel(const std::vector<Series>& anywhere, const Text& text) {
  Panel panel{.title = "The same score anywhere",
              .x = counts("token", Range{0, text.length - 1}),
              .y = {.label = "error / $|q||k|$", .scale = Scale::log(10), .grid = true},
              .legend = LegendPlace::above};
  for (std::size_t i = 0; i < anywhere.size(); ++i)
    panel.marks.push_back(anywhere[i].line(
        "error", {.ink = series(static_cast<int>(i)), .width = 0.8, .label = format_name(formats[i])}));
  return panel;
}

}  // namespace orrery::study
