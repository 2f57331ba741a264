// The table behind every rotation: angle, cosine and sine by position and pair, and what it takes to keep it.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/rope/source.h"
#include "app/study/studies.h"
#include "app/study/tables.h"
#include "app/study/text.h"
#include "core/position/rope.h"
#include "core/position/rope_wavelengths.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using tensor::Format;
using tensor::Index;

constexpr std::string_view parts = "all|angle|cos|sin";

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    base_parameter,
    head_width_parameter,
    with_fallback(trained_length_parameter, "8192"),
    {.name = "first",
     .label = "First position",
     .kind = Kind::integer,
     .fallback = "0",
     .min = 0,
     .max = 10485760,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "where the picture begins",
     .plays = true},
    {.name = "shown",
     .label = "Positions shown",
     .kind = Kind::integer,
     .fallback = "256",
     .min = 8,
     .max = 1048576,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "how many of them; long pictures are sampled, never built"},
    {.name = "stored",
     .label = "Kept as",
     .kind = Kind::choice,
     .fallback = "f32",
     .choices = "f64|f32|f16|bf16",
     .help = "format of the cached cosines and sines"},
    {.name = "both_halves",
     .label = "Both halves",
     .kind = Kind::toggle,
     .fallback = "on",
     .help =
         "every cosine and sine is kept twice, once for each half of a head, as Hugging Face's code does"},
    show_parameter(parts, "everything, or one map alone for a column of text"),
});

constexpr double full_turn = 2 * std::numbers::pi;
constexpr Index listed_positions = 512;  // rows of the tables; a longer picture is sampled

enum class Quantity : std::uint8_t { angle, cosine, sine };

double value(Quantity quantity, double position, double theta, double attention_factor) {
  const double phi = position * theta;
  if (quantity == Quantity::cosine) return attention_factor * std::cos(phi);
  if (quantity == Quantity::sine) return attention_factor * std::sin(phi);
  return std::fmod(phi, full_turn);
}

/// Positions are seen where a pixel's middle falls, as on a screen that is too coarse for the table.
figure::Sampler sampler_of(const Spectrum& s, Quantity quantity) {
  return [theta = s.inv_freq, a = s.attention_factor, quantity](figure::Range x, figure::Range y, int cols,
                                                                int rows) {
    figure::Grid grid{rows, cols, std::vector<float>(static_cast<std::size_t>(rows) * cols)};
    for (int r = 0; r < rows; ++r) {
      const double middle = std::round(y.lo + y.length() * (r + 0.5) / rows);
      const auto pair = static_cast<std::size_t>(std::clamp<double>(middle, 0, std::ssize(theta) - 1));
      for (int c = 0; c < cols; ++c) {
        const double position = std::round(x.lo + x.length() * (c + 0.5) / cols);
        grid.values[static_cast<std::size_t>(r) * cols + c] =
            static_cast<float>(value(quantity, position, theta[pair], a));
      }
    }
    return grid;
  };
}

struct Shown {
  Index first, count;
};

figure::Panel map_panel(const Spectrum& s, Shown shown, Quantity quantity, std::string title) {
  const double last = std::max(static_cast<double>(shown.first + shown.count), s.context);
  const double a = s.attention_factor;
  figure::Heatmap map;
  map.x = {-0.5, last - 0.5};
  map.y = {-0.5, static_cast<double>(s.pairs()) - 0.5};
  map.sampler = sampler_of(s, quantity);
  map.full_cols = static_cast<int>(last);
  map.full_rows = static_cast<int>(s.pairs());
  if (quantity == Quantity::angle)
    map.colors = {.map = figure::ColorMap::cyclic, .range = figure::Range{0, full_turn}};
  else
    map.colors = {.map = figure::ColorMap::diverging, .range = figure::Range{-a, a}};
  figure::Panel panel;
  panel.title = std::move(title);
  const auto from = static_cast<double>(shown.first);
  panel.x = {.label = "position $m$",
             .range = figure::Range{from - 0.5, from + static_cast<double>(shown.count) - 0.5},
             .ticks = figure::TickHint::integers};
  panel.y = {.label = "pair $i$", .range = map.y, .ticks = figure::TickHint::integers, .reversed = true};
  panel.x.group = 1;
  panel.frame = true;
  panel.marks = {std::move(map)};
  return panel;
}

figure::Table map_table(const Spectrum& s, Shown shown, Quantity quantity, std::string name) {
  const Index rows = std::min(shown.count, listed_positions);
  figure::Table table{std::move(name), {{.name = "position", .unit = "tokens"}}};
  for (Index m = 0; m < rows; ++m) table.columns[0].values.push_back(static_cast<double>(shown.first + m));
  for (Index i = 0; i < s.pairs(); ++i) {
    figure::Column column{.name = "pair " + std::to_string(i)};
    for (const double m : table.columns[0].values)
      column.values.push_back(
          value(quantity, m, s.inv_freq[static_cast<std::size_t>(i)], s.attention_factor));
    table.columns.push_back(std::move(column));
  }
  return table;
}

figure::Table cache_table(const std::vector<Spectrum>& layers, bool both_halves) {
  figure::Table table{"cache",
                      {{.name = "layer"},
                       {.name = "positions", .unit = "tokens"},
                       {.name = "pairs"},
                       {.name = "numbers", .digits = 12},
                       {.name = "f64", .unit = "byte", .digits = 12},
                       {.name = "f32", .unit = "byte", .digits = 12},
                       {.name = "f16, bf16", .unit = "byte", .digits = 12}}};
  for (std::size_t k = 0; k < layers.size(); ++k) {
    const Spectrum& s = layers[k];
    const auto bytes = [&](Format format) {
      return position::rope_cache_bytes(s.context, s.pairs(), both_halves, format);
    };
    const std::array row{static_cast<double>(k), s.context,          static_cast<double>(s.pairs()),
                         bytes(Format::f64) / 8, bytes(Format::f64), bytes(Format::f32),
                         bytes(Format::bf16)};
    add_row(table, row);
  }
  return table;
}

/// "64 MiB": binary units, three digits.
std::string bytes_text(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return rounded_text(bytes, bytes >= 1000 ? 4 : 3) + " " + units[unit];
}

std::vector<Check> checks_of(const Spectrum& s, Shown shown, Format format) {
  double length_error = 0, turn_error = 0, rounding = 0, largest = 1;
  const double a = s.attention_factor;
  for (const Index m : {shown.first, shown.first + shown.count / 2, shown.first + shown.count - 1}) {
    for (const double theta : s.inv_freq) {
      const auto p = static_cast<double>(m);
      const double c = value(Quantity::cosine, p, theta, a), z = value(Quantity::sine, p, theta, a);
      const double next = value(Quantity::cosine, p + 1, theta, a);
      length_error = std::max(length_error, std::abs(c * c + z * z - a * a));
      turn_error = std::max(turn_error, std::abs(next - (c * std::cos(theta) - z * std::sin(theta))));
      rounding = std::max(rounding, std::abs(tensor::round_to(format, c) - c));
      largest = std::max(largest, (p + 1) * theta);
    }
  }
  const tensor::FormatInfo& f = tensor::info(format);
  return {
      // Cosine, sine and their squares twice, the sum and a²: eight roundings, where a library's cosine is good to 0.55
      // units in the last place.
      {"$c^2 + s^2 = a^2$: every row turns without stretching", length_error, 8 * 0x1p-53 * a * a},
      // Two angles are rounded by 2^-53 of their size each; ten roundings of cosines, products and sums.
      {"the row of $m + 1$ is that of $m$ turned by $\\theta_i$", turn_error,
       a * (2 * largest + 10) * 0x1p-53},
      // Half a unit in the last place; among the subnormals half of the smallest one.
      {std::string(f.name) + " keeps every cosine to half a unit in the last place", rounding,
       a * f.unit_roundoff + f.min_normal * f.unit_roundoff},
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const std::vector<Spectrum> layers = spectra(settings);
  const Spectrum& s = layers.front();
  const Shown shown{settings.integer("first"), settings.integer("shown")};
  const Format format = tensor::format_from_name(settings.choice("stored"));
  const bool both = settings.toggle("both_halves");

  const double bytes = position::rope_cache_bytes(s.context, s.pairs(), both, format);
  const std::string size =
      bytes_text(bytes) + " in " + settings.choice("stored") + " for " + grouped(s.context) + " positions";
  StudyResult result;
  result.figure.title = "One table of cosines and sines: " + size;
  result.figure.description =
      "Three maps of position against pair: the angle within a turn, its cosine and its sine. The first "
      "pairs "
      "change from token to token, the last ones hardly at all.";
  result.figure.panels = {map_panel(s, shown, Quantity::angle, "Angle $m\\theta_i$ within a turn (rad)"),
                          map_panel(s, shown, Quantity::cosine, "Cosine"),
                          map_panel(s, shown, Quantity::sine, "Sine: with the cosines " + size)};
  for (int i = 0; i < 3; ++i) result.figure.panels[i].cell = {i, 0};
  result.figure.row_weights = {1, 1, 1};
  result.figure.aspect = 1.1;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = {cache_table(layers, both), map_table(s, shown, Quantity::angle, "angle"),
                   map_table(s, shown, Quantity::cosine, "cos"), map_table(s, shown, Quantity::sine, "sin")};
  run.check();
  result.checks = checks_of(s, shown, format);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"The cache of Llama 3.1: 131 072 positions.", "model=llama-3.1-8b"},
    {"The whole of that table at once: half of its pairs hardly begin to turn.",
     "model=llama-3.1-8b shown=131072"},
    {"The same in 16 bits and without the copy: a quarter of the memory.",
     "model=llama-3.1-8b stored=bf16 both_halves=off"},
});

}  // namespace

const Study rope_angles{
    .id = "rope/angles",
    .title = "Angles and cache",
    .topic = "Rotary positions",
    .summary = "the table of cosines and sines, and the memory it takes",
    .formula = R"(c_{m,i} = a \cos(m\theta_i), \quad s_{m,i} = a \sin(m\theta_i))",
    .about =
        "Every position has a row: an angle for each pair, kept as cosine and sine. The angles of fast pairs "
        "look "
        "like noise after a few tokens, those of slow pairs change over the whole text. The rows depend on "
        "nothing "
        "but the position, so that one table serves all heads and layers of a kind.",
    .source = "Su et al. 2021, arXiv 2104.09864, eq. 34; Hugging Face's rotary caches (both halves)",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
