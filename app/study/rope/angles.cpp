// The table behind every rotation: angle, cosine and sine by position and pair, and what it takes to keep it.
#include "app/study/kit.h"
#include "app/study/rope/source.h"
#include "app/study/rope/worked_frequency.h"
#include "core/position/rope_wavelengths.h"

namespace orrery::study::rope_angles {
namespace {

using tensor::Format;

constexpr auto parameters = std::to_array<Parameter>({
    model_parameter,
    base_parameter,
    head_width_parameter,
    with_fallback(trained_length_parameter, "8192"),
    whole("first", "First position", "0", {0, 10485760}, "where the picture begins",
          {.travel = Travel::log, .unit = "tokens", .plays = true}),
    whole("shown", "Positions shown", "256", {8, 1048576},
          "how many of them; long pictures are sampled, never built",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    with_fallback(choice("stored", "Kept as", "f64|f32|f16|bf16", "format of the cached cosines and sines"),
                  "f32"),
    toggle("both_halves", "Both halves", "on",
           "every cosine and sine is kept twice, once for each half of a head, as Hugging Face's code does"),
    show_parameter("all|angle|waves|memory|cos|sin",
                   "everything, or one panel alone; cos and sin are maps like that of the angle"),
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
  return [theta = s.inv_freq, a = s.attention_factor, quantity](Range x, Range y, int cols, int rows) {
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

Panel quantity_panel(const Spectrum& s, Shown shown, Quantity quantity, std::string title) {
  const double a = s.attention_factor, from = number(shown.first);
  const ColorScale colors = quantity == Quantity::angle
                                ? ColorScale{.map = ColorMap::cyclic, .range = Range{0, full_turn}}
                                : ColorScale{.map = ColorMap::diverging, .range = Range{-a, a}};
  const auto last = std::max(shown.first + shown.count, static_cast<Index>(s.context));
  Panel panel = map_panel(std::move(title), heatmap(sampler_of(s, quantity), s.pairs(), last, colors),
                          "position $m$", "pair $i$");
  panel.x.range = Range{from - 0.5, from + number(shown.count) - 0.5};
  panel.x.group = 1;
  return panel;
}

/// The pair whose wavelength, as a share of what is shown, is nearest to this one.
Index pair_of_wavelength(const Spectrum& s, Shown shown, double share) {
  const auto off = [&](double theta) {
    return theta > 0 ? std::abs(std::log(full_turn / theta / (share * number(shown.count)))) : INFINITY;
  };
  return std::ranges::min_element(s.inv_freq, {}, off) - s.inv_freq.begin();
}

/// Two rows of the map cut out: a pair that goes round some times in what is shown, and one that does not.
std::vector<Index> rows_cut_out(const Spectrum& s, Shown shown) {
  const Index fast = pair_of_wavelength(s, shown, 0.2), slow = pair_of_wavelength(s, shown, 2);
  return fast == slow ? std::vector{fast} : std::vector{fast, slow};
}

Panel wave_panel(const Spectrum& s, Shown shown, const std::vector<Index>& rows) {
  constexpr int most_points = 512;
  const double a = s.attention_factor, from = number(shown.first), last = number(shown.count - 1);
  std::vector<double> positions;
  const int points = static_cast<int>(std::min<Index>(most_points, shown.count));
  for (int i = 0; i < points; ++i) positions.push_back(from + std::round(last * i / (points - 1)));
  Panel panel{.title = "The marked rows as waves",
              .x = counts("position $m$", Range{from - 0.5, from + last + 0.5}),
              .y = values("", Range{-1.1 * a, 1.1 * a}),
              .legend = LegendPlace::above};
  panel.x.group = 1;
  int color = 0;
  for (const Index pair : rows) {
    for (const bool sine : {false, true}) {
      Line line{.x = positions,
                .ink = series(color),
                .dash = sine ? Dash::dashed : Dash::solid,
                .label = "pair " + std::to_string(pair) + (sine ? ", sine" : ", cosine"),
                .dash_by_series = false};
      for (const double m : positions)
        line.y.push_back(value(sine ? Quantity::sine : Quantity::cosine, m,
                               s.inv_freq[static_cast<std::size_t>(pair)], a));
      panel.marks.push_back(std::move(line));
    }
    ++color;
  }
  return panel;
}

/// "64 MiB": binary units, three digits.
std::string bytes_text(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return rounded_text(bytes, bytes >= 1000 ? 4 : 3) + " " + units[unit];
}

/// What the whole table takes in each format; the chosen one in the accent colour.
Panel memory_panel(const Spectrum& s, bool both_halves, Format chosen) {
  struct Kept {
    Format format;
    const char* name;
  };
  constexpr std::array formats{Kept{Format::f64, "f64"}, Kept{Format::f32, "f32"},
                               Kept{Format::bf16, "f16, bf16"}};
  if (chosen == Format::f16) chosen = Format::bf16;  // as large
  constexpr double mebi = 1 << 20;
  Panel panel{.title = "Memory by format",
              .x = counts("", Range{-0.6, number(std::ssize(formats)) - 0.4}),
              .y = values("MiB"),
              .legend = LegendPlace::none};
  double most = 0;
  for (std::size_t i = 0; i < formats.size(); ++i) {
    const double bytes = position::rope_cache_bytes(s.context, s.pairs(), both_halves, formats[i].format);
    const Ink tint = formats[i].format == chosen ? ink(Role::accent) : series(0);
    panel.x.names.emplace_back(formats[i].name);
    panel.marks.push_back(Bars{.x = {number(i)},
                               .height = {bytes / mebi},
                               .width = 0.6,
                               .ink = tint,
                               .reading = {.name = formats[i].name}});
    panel.marks.push_back(Note{.x = number(i),
                               .y = bytes / mebi,
                               .text = bytes_text(bytes),
                               .ink = ink(Role::secondary),
                               .v = VAlign::bottom,
                               .dy = -2});
    most = std::max(most, bytes / mebi);
  }
  panel.y.range = Range{0, 1.4 * most};
  return panel;
}

Series quantity_series(const Spectrum& s, Shown shown, Quantity quantity, std::string name) {
  std::vector<double> positions = counted(std::min(shown.count, listed_positions));
  for (double& m : positions) m += number(shown.first);
  Series series(std::move(name), {"position", "tokens", positions});
  for (std::size_t i = 0; i < s.inv_freq.size(); ++i)
    series.add("pair " + std::to_string(i),
               [&](double m) { return value(quantity, m, s.inv_freq[i], s.attention_factor); });
  return series;
}

/// Kinds of attention that share their frequencies share one table.
std::vector<Spectrum> tables_of(const Settings& settings) {
  std::vector<Spectrum> all = spectra(settings), distinct;
  for (Spectrum& s : all) {
    const bool again = std::ranges::any_of(distinct, [&](const Spectrum& other) {
      return other.inv_freq == s.inv_freq && other.attention_factor == s.attention_factor;
    });
    if (!again) distinct.push_back(std::move(s));
  }
  return distinct;
}

Table cache_table(const std::vector<Spectrum>& layers, bool both_halves) {
  Table table{"cache",
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
    add_row(table, k, s.context, s.pairs(), bytes(Format::f64) / 8, bytes(Format::f64), bytes(Format::f32),
            bytes(Format::bf16));
  }
  return table;
}

std::vector<Check> checks_of(const Spectrum& s, Shown shown, Format format) {
  Worst length_error, turn_error, within_error, rounding;
  double largest = 1;
  const double a = s.attention_factor;
  for (const Index m : {shown.first, shown.first + shown.count / 2, shown.first + shown.count - 1})
    for (const double theta : s.inv_freq) {
      const double p = number(m), c = value(Quantity::cosine, p, theta, a),
                   z = value(Quantity::sine, p, theta, a);
      const double next = value(Quantity::cosine, p + 1, theta, a);
      length_error.meet(std::abs(c * c + z * z - a * a));
      turn_error.meet(std::abs(next - (c * std::cos(theta) - z * std::sin(theta))));
      const double within = value(Quantity::angle, p, theta, a);
      within_error.meet(std::abs(a * std::cos(within) - c));
      within_error.meet(std::abs(a * std::sin(within) - z));
      rounding.meet(std::abs(tensor::round_to(format, c) - c));
      largest = std::max(largest, (p + 1) * theta);
    }
  const tensor::FormatInfo& f = tensor::info(format);
  return {
      // Cosine, sine and their squares twice, the sum and a²: eight roundings, where a library's cosine is good to 0.55
      // units in the last place.
      {"$c^2 + s^2 = a^2$: every row turns without stretching", length_error, 8 * 0x1p-53 * a * a},
      // Two angles are rounded by 2^-53 of their size each; ten roundings of cosines, products and sums.
      {"the row of $m + 1$ is that of $m$ turned by $\\theta_i$", turn_error,
       a * (2 * largest + 10) * 0x1p-53},
      // fmod is exact, but 2π is rounded: for each turn by 2^-51.8, for each radian by 2^-54.5; four roundings more.
      {"the angle within a turn has the same cosine and sine", within_error, a * (largest + 4) * 0x1p-53},
      // Half a unit in the last place; among the subnormals half of the smallest one.
      {std::string(f.name) + " keeps every cosine to half a unit in the last place", rounding,
       a * f.unit_roundoff + f.min_normal * f.unit_roundoff},
  };
}

/// Of the faster of the two marked rows, at the last position that the tables list.
std::string worked_of(const Spectrum& s, Shown shown, Index pair) {
  const double m = number(shown.first + std::min(shown.count, listed_positions) - 1), a = s.attention_factor,
               theta = s.inv_freq[static_cast<std::size_t>(pair)];
  const Term angle = term(m) * theta;
  const auto kept = [&](const Term& of_angle) { return a == 1 ? of_angle : a * of_angle; };
  Worked worked;
  add_frequency(worked, "\\theta", s.rule, pair);
  worked.add(subscripted("c", m, number(pair)), kept(cos(angle)), value(Quantity::cosine, m, theta, a));
  worked.add(subscripted("s", m, number(pair)), kept(sin(angle)), value(Quantity::sine, m, theta, a));
  return worked.tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  const std::vector<Spectrum> layers = tables_of(settings);
  const Spectrum& s = layers.front();
  const Shown shown{settings.integer("first"), settings.integer("shown")};
  const Format format = tensor::format_from_name(settings.choice("stored"));
  const bool both = settings.toggle("both_halves");
  const std::string size = bytes_text(position::rope_cache_bytes(s.context, s.pairs(), both, format)) +
                           " in " + settings.choice("stored") + " for " + grouped(s.context) + " positions";
  const std::string title = "One table of cosines and sines: " + size;
  Picture picture(
      title,
      "A map of position against pair: the angle within a turn. Below, cosine and sine of two of its "
      "rows as waves, and the memory that the whole table takes in each format.");
  const std::vector<Index> rows = rows_cut_out(s, shown);
  Panel map = quantity_panel(s, shown, Quantity::angle, "Angle $m\\theta_i$ within a turn (rad)");
  for (int color = 0; const Index pair : rows)  // in the colours of their waves
    map.marks.emplace_back(level(number(pair), {.ink = series(color++), .width = 1.2, .dash = Dash::solid}));
  picture.at({0, 0, 1, 2}, "angle", std::move(map));
  picture.at({1, 0}, "waves", wave_panel(s, shown, rows));
  picture.at({1, 1}, "memory", memory_panel(s, both, format));
  for (const auto& [quantity, name] : {std::pair{Quantity::cosine, "cos"}, {Quantity::sine, "sin"}})
    picture.instead(name, [&, quantity] {
      Picture alone(title, "A map of position against pair.");
      alone.at({0, 0}, "", quantity_panel(s, shown, quantity, ""));
      return std::move(alone).whole({.aspect = 1.6});
    });
  std::vector<Table> tables{cache_table(layers, both)};
  for (const auto& [quantity, name] :
       {std::pair{Quantity::angle, "angle"}, {Quantity::cosine, "cos"}, {Quantity::sine, "sin"}}) {
    run.check();
    tables.push_back(quantity_series(s, shown, quantity, name).table());
  }
  return {std::move(picture).figure(settings, {.aspect = 1.25, .rows = {1, 1}, .cols = {1.25, 1}}),
          std::move(tables), checks_of(s, shown, format), worked_of(s, shown, rows.front())};
}

/// Pairs that do not come round in so many positions: at position 1 an angle is the pair's frequency.
Index unfinished_pairs(const StudyResult& result, double positions) {
  const std::vector<Column>& columns = result.tables[1].columns;
  return std::count_if(columns.begin() + 1, columns.end(),
                       [&](const Column& pair) { return pair.values[1] * (positions - 1) < full_turn; });
}

constexpr auto tries = std::to_array<Try>({
    {"The cache of Llama 3.1: 131 072 positions.", "model=llama-3.1-8b",
     [](auto& now, auto&) { return at(now, "cache", "positions", 0) == 131072; }},
    {"The whole of that table at once: 25 of its 64 pairs do not complete a turn.",
     "model=llama-3.1-8b shown=131072", [](auto& now, auto&) { return unfinished_pairs(now, 131072) == 25; }},
    {"The same in 16 bits and without the copy: a quarter of the memory.",
     "model=llama-3.1-8b stored=bf16 both_halves=off",
     [](auto& now, auto&) {  // of a cosine and a sine for each pair, twice, in f32
       return 4 * at(now, "cache", "f16, bf16", 0) == 131072.0 * 64 * 2 * 2 * 4;
     }},
});

}  // namespace

extern const Study study{
    .id = "rope/angles",
    .title = "Angles and cache",
    .topic = "Rotary positions",
    .summary = "the table of cosines and sines, and the memory it takes",
    .formula = R"(c_{m,i} = a \cos(m\theta_i), \quad s_{m,i} = a \sin(m\theta_i))",
    .about =
        "Every position has a row: an angle for each pair, kept as cosine and sine. The angles of fast pairs "
        "look like noise after a few tokens, those of slow pairs change over the whole text. The rows depend "
        "on nothing but the position, so that one table serves all heads and layers of a kind.",
    .source = "Su et al. 2021, arXiv 2104.09864, eq. 34; Hugging Face's rotary caches (both halves)",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_angles
