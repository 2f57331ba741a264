// The sinusoidal table: as a picture, as waves, and by what its rows say to each other.
#include "app/study/kit.h"
#include "app/study/position/sinusoidal_example.h"
#include "app/study/position/sinusoidal_layouts.h"
#include "app/study/position/sinusoidal_picture.h"
#include "app/study/position/sinusoidal_settings.h"

namespace orrery::study::position_sinusoidal {
namespace {

using position::SinusoidalLayout;

constexpr std::string_view besides_example = "show=all|parted|table|waves|products|layouts";

constexpr auto parameters = std::to_array<Parameter>({
    whole("length", "Positions", "128", {2, 131072}, "rows of the table",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    read_when(sinusoidal_width, besides_example),
    sinusoidal_base,
    sinusoidal_layout,
    numbers("waves", "Waves", "0,16,32,64", {0, 1023},
            "dimensions drawn as waves; those past the width are left out", {.only_when = besides_example}),
    whole("position", "Position", "3", {0, 131072}, "p: the row that the example works out",
          {.travel = Travel::log, .unit = "tokens", .plays = true}),
    whole("digits", "Digits", "6", {2, 10}, "after the point, in the example",
          {.only_when = "show=example", .presentation = true}),
    show_parameter(
        "all|parted|waves|products|table|layouts|example",
        "sines and cosines with their waves, a part of that, the table as it is stored, three programs' "
        "layouts, or the example d = 4"),
});

constexpr Index wave_length = 128;  // positions drawn as waves: about twenty periods of the fastest
constexpr Index reach = 64;         // distances to either side whose dot product is drawn

/// A dimension drawn as a wave: its pair, and which of the two it is.
struct Wave {
  Index dimension = 0;
  double frequency = 0;
  bool sine = false;
  std::string name() const { return "dimension " + std::to_string(dimension); }
};

std::vector<Wave> waves_of(const Settings& settings) {
  const Index width = settings.integer("width");
  const position::SinusoidalParams params = sinusoidal_params(settings);
  const std::vector<double> frequencies = position::sinusoidal_frequencies(width, params);
  std::vector<Wave> waves;
  for (const double wanted : settings.vector("waves"))
    for (Index i = 0; i < width / 2; ++i) {
      const auto [sine, cosine] = dimensions_of(i, width, params.layout);
      const Index dimension = std::lround(wanted);
      if (dimension == sine || dimension == cosine)
        waves.push_back({dimension, frequencies[static_cast<std::size_t>(i)], dimension == sine});
    }
  return waves;
}

Series wave_series(const Settings& settings, const Run& run, const std::vector<Wave>& drawn) {
  const Index count = std::min<Index>(settings.integer("length"), wave_length),
              width = settings.integer("width");
  const Matrix columns = twin::sinusoidal(run, count, width, sinusoidal_params(settings)).transpose();
  Series waves("waves", {"position", "tokens", counted(count)});
  for (const Wave& wave : drawn) waves.add(wave.name(), row_of(columns, wave.dimension));
  return waves;
}

/// The wave itself, which goes on between its positions.
Line continuous(const Wave& wave, double last, int lane, double amplitude, double first) {
  constexpr double steps = 24;  // of a period
  const double step = std::min(1.0, 2 * std::numbers::pi / (wave.frequency * steps));
  Line line{
      .ink = {Role::series, lane, 0.55}, .width = 0.7, .dash_by_series = false, .reading = {.none = true}};
  for (double p = 0; p < last + step / 2; p += step) {
    const double at = std::min(p, last), angle = (first + at) * wave.frequency;
    line.x.push_back(at);
    line.y.push_back(lane - amplitude * (wave.sine ? std::sin(angle) : std::cos(angle)));
  }
  return line;
}

/// The row that the example works out, where it is shown.
void mark_position(Panel& panel, const Settings& settings) {
  if (const Index p = settings.integer("position"); p < settings.integer("length"))
    panel.marks.push_back(Rule{.at = number(p), .width = 1, .dash = Dash::solid});
}

/// One lane per dimension, the first at the top: dots are the table's values. Right of it, how long each wave is.
Panel wave_panel(const Settings& settings, const Series& waves, const std::vector<Wave>& drawn) {
  const double first = sinusoidal_params(settings).offset;
  constexpr double amplitude = 0.4;  // of a lane
  const double lanes = number(std::max<std::size_t>(drawn.size(), 1));
  const Range across{-0.55, lanes - 0.45};
  Panel panel{.title = "Single dimensions",
              .x = counts("position $p$"),
              .y = {.label = "dimension", .range = across, .reversed = true},
              .legend = LegendPlace::none};
  panel.right =
      figure::SecondAxis{.axis = {.range = across, .reversed = true}, .map = [](double y) { return y; }};
  int lane = 0;
  for (const Wave& wave : drawn) {
    panel.marks.push_back(continuous(wave, waves.x().back(), lane, amplitude, first));
    Points dots = waves.points(wave.name(), {.ink = series(lane), .radius = 0.9, .symbol_by_series = false});
    dots.reading = {.name = wave.name(), .value = waves[wave.name()], .role = wave.name()};
    for (double& y : dots.y) y = lane - amplitude * y;
    panel.marks.push_back(std::move(dots));
    panel.y.names.push_back(std::to_string(wave.dimension));
    panel.right->axis.names.push_back("$\\lambda$ = " + short_text(2 * std::numbers::pi / wave.frequency, 3));
    ++lane;
  }
  mark_position(panel, settings);
  return panel;
}

/// Sines or cosines, pair by pair, with the positions at which each comes round for the first time.
Panel parted_panel(const Settings& settings, const Run& run, const Series& frequencies, Waves which) {
  const Index length = settings.integer("length");
  Panel panel =
      sinusoidal_picture(run, length, settings.integer("width"), sinusoidal_params(settings), which);
  panel.title = which == Waves::sines ? "Sines, $\\sin(p\\,\\omega_i)$" : "Cosines, $\\cos(p\\,\\omega_i)$";
  panel.y.group = 1;
  std::get<Heatmap>(panel.marks[0]).colors.group = 1;
  Line round{.ink = ink(Role::text),
             .width = 0.8,
             .dash = Dash::dashed,
             .reading = {.name = "one wavelength", .role = "wavelength"}};
  for (std::size_t i = 0; i < frequencies.size(); ++i)
    if (const double wavelength = frequencies["wavelength"][i]; wavelength <= number(length - 1)) {
      round.x.push_back(wavelength);
      round.y.push_back(number(i));
    }
  if (which == Waves::sines && !round.x.empty()) round.label = "one wavelength";
  panel.marks.insert(panel.marks.begin() + 1, std::move(round));
  mark_position(panel, settings);
  return panel;
}

figure::Figure table_figure(const Settings& settings, const Run& run) {
  const bool in_turn = sinusoidal_params(settings).layout == SinusoidalLayout::paper;
  Picture picture(in_turn ? "A row of the table for each position: sines and cosines in turn"
                          : "A row of the table for each position: all sines, then all cosines",
                  "The table as it is stored: positions from left to right, dimensions from top to bottom.");
  picture.at({0, 0}, "table",
             sinusoidal_picture(run, settings.integer("length"), settings.integer("width"),
                                sinusoidal_params(settings)));
  return std::move(picture).whole({.aspect = 1.6});
}

/// The row in the middle against its neighbours on both sides.
Series dot_series(const Settings& settings, const Run& run) {
  const Index side = std::min<Index>(reach, (settings.integer("length") - 1) / 2);
  const Matrix rows =
      twin::sinusoidal(run, 2 * side + 1, settings.integer("width"), sinusoidal_params(settings));
  std::vector<double> distances = counted(rows.rows());
  for (double& k : distances) k -= number(side);
  Series dots("dot_products", {"distance", "tokens", std::move(distances)});
  dots.add("dot product", row_of(twin::scores(run, rows.row(side), rows, {.scale = 1, .mask = {}})));
  return dots;
}

Panel dot_panel(const Series& dots, double half_width) {
  return {.title = "Dot products",
          .x = counts("distance $k$"),
          .y = values(),
          .marks = {dots.line("dot product", {.dash_by_series = false}), quiet_level(half_width, "$d/2$")},
          .legend = LegendPlace::none};
}

Series frequency_series(const Settings& settings) {
  const std::vector<double> frequencies =
      position::sinusoidal_frequencies(settings.integer("width"), sinusoidal_params(settings));
  Series series("frequencies", {"pair", "", counted(std::ssize(frequencies))});
  series.add({"frequency", "rad/token", frequencies});
  series.add({.name = "wavelength", .unit = "tokens", .digits = 5},
             [&](double i) { return 2 * std::numbers::pi / frequencies[Index(i)]; });
  return series;
}

/// How many waves there are, and how long.
std::string waves_text(const Series& frequencies) {
  const auto [least, most] = std::ranges::minmax(frequencies["wavelength"]);
  if (frequencies.size() == 1) return "Positions as one wave, " + short_text(most, 3) + " tokens long";
  return "Positions as " + grouped(number(frequencies.size())) + " waves, from " + short_text(least, 3) +
         " to " + short_text(most, 3) + " tokens long";
}

/// Positions spread over the whole table, the first and the last among them.
std::vector<Index> sample_positions(Index length) {
  std::vector<Index> positions;
  for (Index i = 0; i < 32; ++i) positions.push_back((length - 1) * i / 31);
  return positions;
}

/// The whole row 50 of eight dimensions, worked out elsewhere with more digits than a double has.
Check known_row(const Run& run) {
  constexpr std::array row_50{-0.26237485370392877, 0.9649660284921132, -0.9589242746631385,
                              0.28366218546322625,  0.479425538604203,  0.8775825618903728,
                              0.04997916927067833,  0.9987502603949663};
  const Matrix row = twin::sinusoidal(run, 1, 8, {.offset = 50});
  Worst worst;
  for (Index j = 0; j < 8; ++j) worst.meet(std::abs(row(0, j) - row_50[static_cast<std::size_t>(j)]));
  return known_answer("$d = 8$: row 50 is the known one", worst, sinusoidal_slack(run, 50));
}

/// Its exponents end at 1, the paper's a little before.
Check slowest_wave(const Settings& settings) {
  const Index width = std::max<Index>(4, settings.integer("width"));
  const double base = settings.real("base");
  const double last =
      position::sinusoidal_frequencies(width, {.base = base, .layout = SinusoidalLayout::tensor2tensor})
          .back();
  return {"tensor2tensor: the slowest wave is $2\\pi b$ tokens long", std::abs(last * base - 1), 0x1p-48};
}

std::vector<Check> checks_of(const Settings& settings, const Run& run) {
  const Index width = settings.integer("width"), length = settings.integer("length");
  const auto row = [&](const Run& each, Index p) {
    return twin::sinusoidal(each, 1, width, sinusoidal_params(settings, number(p)));
  };
  const std::vector<Index> positions = sample_positions(length);
  const auto sampled = [&](const Run& each) {
    Matrix rows(std::ssize(positions), width);
    for (Index i = 0; i < rows.rows(); ++i) rows.row(i) = row(each, positions[i]);
    return rows;
  };
  const double d = number(width);
  const double length_error = (sampled(run).rowwise().squaredNorm().array() - 0.5 * d).abs().maxCoeff();

  const Index step = std::min<Index>(5, length - 1);
  const auto dot_at = [&](Index p) { return row(run, p).row(0).dot(row(run, p + step).row(0)); };
  Worst dot_error;
  for (const Index p : positions) {
    run.check();
    dot_error.meet(std::abs(dot_at(std::min(p, length - 1 - step)) - dot_at(0)));
  }
  // Every value is off by u at most, so a sum of d products by 2 d u, and by d² 2^-53 for adding them up in
  // double. Angles up to 131072 are rounded to 2^-37, which moves no single product by more than 2^-36.
  const double u = twin::unit_roundoff(run), sum_bound = 2 * d * u + d * d * 0x1p-53;
  return {
      {"every row has the squared length $d/2$", length_error, sum_bound},
      {"the dot product depends on the distance only", dot_error, 2 * sum_bound + d * 0x1p-35},
      twin::equals_reference(run, {position::sinusoidal_bound, position::sinusoidal_bound}, sampled),
      known_row(run),
      slowest_wave(settings),
  };
}

/// The example has four dimensions, whatever width was set: all that is said beside it is of those.
Settings as_shown(Settings settings) {
  if (settings.choice("show") != "example") return settings;
  settings.set("width", "4");
  settings.set("waves", "0,1,2,3");
  return settings;
}

/// Row p in the pair of the second wave that is drawn, or of the only one.
std::string worked_of(const Settings& settings, const Run& run, const std::vector<Wave>& drawn) {
  const Index width = settings.integer("width");
  const position::SinusoidalParams params = sinusoidal_params(settings);
  const double p = settings.real("position"), half = number(width) / 2;
  const Index wanted = drawn.empty() ? 0 : drawn[std::min<std::size_t>(1, drawn.size() - 1)].dimension;
  Index pair = 0;
  for (Index i = 0; i < width / 2; ++i) {
    const auto [sine, cosine] = dimensions_of(i, width, params.layout);
    if (wanted == sine || wanted == cosine) pair = i;
  }
  Term exponent = -term(2 * number(pair)) / number(width);
  if (params.layout != SinusoidalLayout::paper) exponent = half > 1 ? -term(number(pair)) / (half - 1) : 0;
  const Term angle = term(p) * worked::power(params.base, exponent);
  const auto [sine, cosine] = dimensions_of(pair, width, params.layout);
  const Matrix row = twin::sinusoidal(twin::on_reference(run), 1, width, sinusoidal_params(settings, p));
  Worked worked;
  worked.add(subscripted("y", p, number(sine)), sin(angle), row(0, sine));
  return worked.add(subscripted("y", p, number(cosine)), cos(angle), row(0, cosine)).tex();
}

StudyResult compute(const Settings& chosen, const Run& run) {
  run.check();
  const Settings settings = as_shown(chosen);
  const Index length = settings.integer("length"), width = settings.integer("width");
  const double base = settings.real("base");
  const WorkedExample example{.position = settings.integer("position"),
                              .digits = static_cast<int>(settings.integer("digits")),
                              .params = sinusoidal_params(settings)};
  const std::vector<Wave> drawn = waves_of(settings);
  const Series waves = wave_series(settings, run, drawn), dots = dot_series(settings, run),
               frequencies = frequency_series(settings);
  Picture picture(
      waves_text(frequencies),
      "The table, its sines left and its cosines right: positions from left to right, pairs from top to "
      "bottom, and a line where each comes round for the first time. Below, single dimensions as "
      "waves, and the dot product of two rows, which is symmetric in their distance.");
  picture.at({0, 0}, "parted", parted_panel(settings, run, frequencies, Waves::sines));
  picture.at({0, 1}, "parted", parted_panel(settings, run, frequencies, Waves::cosines));
  picture.at({1, 0}, "waves", wave_panel(settings, waves, drawn));
  picture.at({1, 1}, "products", dot_panel(dots, 0.5 * number(width)));
  picture.instead("table", [&] { return table_figure(settings, run); });
  picture.instead("layouts", [&] { return layouts_figure(run, length, width, base); });
  picture.instead("example", [&] { return example_figure(example); });
  return {
      std::move(picture).figure(
          settings, {.aspect = 1.35, .rows = {1.2, 1}, .cols = {1, 1}, .telling = {"parted", "waves"}}),
      {waves.table(), dots.table(), frequencies.table(), layouts_table(width, base), example_table(example)},
      checks_of(settings, run),
      worked_of(settings, run, drawn)};
}

constexpr auto tries = std::to_array<Try>({
    {"Work out four dimensions by hand, digit by digit.", "show=example",
     [](auto& now, auto&) {
       return std::abs(at(now, "worked_example", "value", 0) - std::sin(3.0)) < 1e-15 &&
              now.figure.panels.size() == 2;
     }},
    {"Three programs, three tables: where the sines lie, and how fast they are.", "show=layouts",
     [](auto& now, auto&) {
       return now.figure.panels.size() == 4 &&
              at(now, "layouts", "tensor2tensor: cosine", 1) != at(now, "layouts", "paper: cosine", 1) &&
              at(now, "layouts", "tensor2tensor: frequency", 1) < at(now, "layouts", "paper: frequency", 1);
     }},
    {"Put all sines before all cosines, as tensor2tensor does.", "layout=tensor2tensor",
     [](auto& now, auto& before) {  // dimension 1 is then the second pair's sine
       return at(now, "worked_example", "pair", 1) == 1 && at(before, "worked_example", "pair", 1) == 0;
     }},
    {"A small base: no wave is longer than 179 tokens, and still no distant row looks alike.", "base=30",
     [](auto& now, auto&) {
       return most(column(now, "frequencies", "wavelength")) < 179 &&
              largest(column_from(now, "dot_products", "dot product", 15)) <
                  0.15 * at(now, "dot_products", "dot product", 0);
     }},
    {"Look at 131 072 positions at once: even the slowest wave comes round twice.", "length=131072",
     [](auto& now, auto&) { return between(2, 131072 / most(column(now, "frequencies", "wavelength")), 3); }},
});

}  // namespace

extern const Study study{
    .id = "position/sinusoidal",
    .title = "Sinusoidal",
    .topic = "Absolute and additive",
    .summary = "every position has its own pattern of slow and fast waves",
    .formula = R"(y_{p,2i} = \sin(p\,b^{-2i/d}), \quad y_{p,2i+1} = \cos(p\,b^{-2i/d}))",
    .about =
        "Each pair of dimensions is a point on a circle that turns at its own speed; a step of k tokens is "
        "the same rotation wherever it begins. The dot product of two rows therefore depends on their "
        "distance only, and not on its direction.",
    .source =
        "Vaswani et al. 2017, arXiv 1706.03762, section 3.5; tensor2tensor, get_timing_signal_1d; fairseq, "
        "SinusoidalPositionalEmbedding",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::position_sinusoidal
