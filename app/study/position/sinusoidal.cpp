// The sinusoidal table: as a picture, as waves, and by what its rows say to each other.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/position/sinusoidal_example.h"
#include "app/study/position/sinusoidal_layouts.h"
#include "app/study/position/sinusoidal_picture.h"
#include "app/study/position/sinusoidal_settings.h"
#include "app/study/studies.h"
#include "app/study/text.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using position::SinusoidalLayout;
using tensor::Index;
using twin::Matrix;

constexpr std::string_view parts = "all|table|waves|products|layouts|example";

constexpr std::string_view besides_example = "show=all|table|waves|products|layouts";

constexpr Parameter width_of_table = [] {
  Parameter width = sinusoidal_width;
  width.only_when = besides_example;
  return width;
}();

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "length",
     .label = "Positions",
     .kind = Kind::integer,
     .fallback = "128",
     .min = 2,
     .max = 131072,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "rows of the table"},
    width_of_table,
    sinusoidal_base,
    sinusoidal_layout,
    {.name = "waves",
     .label = "Waves",
     .kind = Kind::vector,
     .fallback = "0,16,32,64",
     .min = 0,
     .max = 1023,
     .help = "dimensions drawn as waves; those past the width are left out",
     .only_when = besides_example},
    {.name = "position",
     .label = "Position",
     .kind = Kind::integer,
     .fallback = "3",
     .min = 0,
     .max = 131072,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "p: the row that the example works out",
     .plays = true},
    {.name = "digits",
     .label = "Digits",
     .kind = Kind::integer,
     .fallback = "6",
     .min = 2,
     .max = 10,
     .help = "after the point, in the example",
     .only_when = "show=example",
     .presentation = true},
    show_parameter(parts,
                   "the table with its waves, a part of that, three programs' layouts, or the example d = 4"),
});

constexpr Index wave_length = 128;  // positions drawn as waves: about twenty periods of the fastest
constexpr Index reach = 64;         // distances to either side whose dot product is drawn

std::vector<Index> wave_dimensions(const Settings& settings) {
  std::vector<Index> dimensions;
  for (const double wanted : settings.vector("waves")) {
    const auto dimension = static_cast<Index>(std::lround(wanted));
    if (dimension < settings.integer("width")) dimensions.push_back(dimension);
  }
  return dimensions;
}

figure::Table wave_table(const Settings& settings, const Run& run) {
  const Index count = std::min<Index>(settings.integer("length"), wave_length);
  const Matrix rows = twin::sinusoidal(run, count, settings.integer("width"), sinusoidal_params(settings));
  figure::Table table{"waves", {{.name = "position", .unit = "tokens"}}};
  for (Index p = 0; p < count; ++p) table.columns[0].values.push_back(static_cast<double>(p));
  for (const Index dimension : wave_dimensions(settings)) {
    figure::Column column{.name = "dimension " + std::to_string(dimension)};
    for (Index p = 0; p < count; ++p) column.values.push_back(rows(p, dimension));
    table.columns.push_back(std::move(column));
  }
  return table;
}

/// One lane per dimension, the first at the top.
figure::Panel wave_panel(const figure::Table& waves) {
  constexpr double amplitude = 0.4;  // of a lane
  const std::size_t lanes = waves.columns.size() - 1;
  figure::Panel panel;
  panel.title = "Single dimensions";
  panel.x = {.label = "position $p$", .ticks = figure::TickHint::integers};
  panel.y = {.label = "dimension",
             .range = figure::Range{-0.55, static_cast<double>(std::max<std::size_t>(lanes, 1)) - 0.45},
             .reversed = true};
  panel.legend = figure::LegendPlace::none;
  for (std::size_t i = 0; i < lanes; ++i) {
    const figure::Column& column = waves.columns[i + 1];
    figure::Line line{.x = waves.columns[0].values,
                      .ink = figure::series(static_cast<int>(i)),
                      .dash_by_series = false,
                      .reading = {.name = column.name, .value = column.values, .role = column.name}};
    for (const double value : column.values) line.y.push_back(static_cast<double>(i) - amplitude * value);
    panel.marks.push_back(std::move(line));
    panel.y.names.push_back(column.name.substr(column.name.find(' ') + 1));
  }
  return panel;
}

/// The row in the middle against its neighbours on both sides.
figure::Table dot_table(const Settings& settings, const Run& run) {
  const Index side = std::min<Index>(reach, (settings.integer("length") - 1) / 2);
  const Matrix rows =
      twin::sinusoidal(run, 2 * side + 1, settings.integer("width"), sinusoidal_params(settings));
  const Matrix dots = twin::scores(run, rows.row(side), rows, {.scale = 1, .mask = {}});
  figure::Table table{"dot_products", {{.name = "distance", .unit = "tokens"}, {.name = "dot product"}}};
  for (Index i = 0; i < dots.cols(); ++i) {
    table.columns[0].values.push_back(static_cast<double>(i - side));
    table.columns[1].values.push_back(dots(0, i));
  }
  return table;
}

figure::Panel dot_panel(const figure::Table& dots, double half_width) {
  figure::Panel panel;
  panel.title = "Dot products";
  panel.x = {.label = "distance $k$", .ticks = figure::TickHint::integers};
  panel.y.grid = true;
  panel.legend = figure::LegendPlace::none;
  figure::Rule top{
      .direction = figure::Direction::horizontal, .at = half_width, .ink = {figure::Role::secondary, 0, 1}};
  top.dash = figure::Dash::dotted;
  top.text = "$d/2$";
  panel.marks = {figure::Line{.x = dots.columns[0].values,
                              .y = dots.columns[1].values,
                              .ink = figure::series(0),
                              .dash_by_series = false},
                 top};
  return panel;
}

figure::Table frequency_table(const Settings& settings) {
  figure::Table table{"frequencies",
                      {{.name = "pair"},
                       {.name = "frequency", .unit = "rad/token"},
                       {.name = "wavelength", .unit = "tokens", .digits = 5}}};
  const std::vector<double> frequencies =
      position::sinusoidal_frequencies(settings.integer("width"), sinusoidal_params(settings));
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    table.columns[0].values.push_back(static_cast<double>(i));
    table.columns[1].values.push_back(frequencies[i]);
    table.columns[2].values.push_back(2 * std::numbers::pi / frequencies[i]);
  }
  return table;
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
  double worst = 0;
  for (Index j = 0; j < 8; ++j)
    worst = std::max(worst, std::abs(row(0, j) - row_50[static_cast<std::size_t>(j)]));
  return {"$d = 8$: row 50 is the known one", worst, sinusoidal_slack(run, 50)};
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
    return twin::sinusoidal(each, 1, width, sinusoidal_params(settings, static_cast<double>(p)));
  };
  const std::vector<Index> positions = sample_positions(length);
  Matrix rows(static_cast<Index>(positions.size()), width);
  for (std::size_t i = 0; i < positions.size(); ++i) rows.row(static_cast<Index>(i)) = row(run, positions[i]);

  const double half = 0.5 * static_cast<double>(width);
  const double length_error = (rows.rowwise().squaredNorm().array() - half).abs().maxCoeff();

  const Index step = std::min<Index>(5, length - 1);
  const auto dot_at = [&](Index p) { return row(run, p).row(0).dot(row(run, p + step).row(0)); };
  double dot_error = 0;
  for (const Index p : positions) {
    run.check();
    dot_error = std::max(dot_error, std::abs(dot_at(std::min(p, length - 1 - step)) - dot_at(0)));
  }
  // Every value is off by u at most, so a sum of d products by 2 d u, and by d² 2^-53 for adding them up in
  // double. Angles up to 131072 are rounded to 2^-37, which moves no single product by more than 2^-36.
  const double d = static_cast<double>(width), u = twin::unit_roundoff(run);
  const double sum_bound = 2 * d * u + d * d * 0x1p-53;
  return {
      {"every row has the squared length $d/2$", length_error, sum_bound},
      {"the dot product depends on the distance only", dot_error, 2 * sum_bound + d * 0x1p-35},
      twin::equals_reference(run, {position::sinusoidal_bound, position::sinusoidal_bound},
                             [&](const Run& each) {
                               Matrix all(static_cast<Index>(positions.size()), width);
                               for (std::size_t i = 0; i < positions.size(); ++i)
                                 all.row(static_cast<Index>(i)) = row(each, positions[i]);
                               return all;
                             }),
      known_row(run),
      slowest_wave(settings),
  };
}

/// The table, its waves and its products, or a part of them.
figure::Figure table_figure(const Settings& settings, const Run& run, const figure::Table& waves,
                            const figure::Table& dots) {
  figure::Panel table = sinusoidal_picture(run, settings.integer("length"), settings.integer("width"),
                                           sinusoidal_params(settings));
  run.check();
  table.cell = {0, 0, 1, 2};
  figure::Panel wave = wave_panel(waves),
                dot = dot_panel(dots, 0.5 * static_cast<double>(settings.integer("width")));
  wave.cell = {1, 0};
  dot.cell = {1, 1};
  figure::Figure figure;
  figure.title = "Every position has its own pattern of slow and fast waves";
  figure.description =
      "The table of sines and cosines: positions from left to right, dimensions from top to bottom, fast "
      "ones at the top. Below, single dimensions as waves, and the dot product of two rows, which is "
      "symmetric "
      "in their distance.";
  figure.panels = {std::move(table), std::move(wave), std::move(dot)};
  figure.row_weights = {1.2, 1};
  figure.col_weights = {1.3, 1};
  figure.aspect = 1.35;
  show_only(figure, parts, settings.choice("show"));
  return figure;
}

/// The example has four dimensions, whatever width was set: all that is said beside it is of those.
Settings as_shown(Settings settings) {
  if (settings.choice("show") != "example") return settings;
  settings.set("width", "4");
  settings.set("waves", "0,1,2,3");
  return settings;
}

StudyResult compute(const Settings& chosen, const Run& run) {
  run.check();
  const Settings settings = as_shown(chosen);
  const Index length = settings.integer("length"), width = settings.integer("width");
  const double base = settings.real("base");
  const WorkedExample example{.position = settings.integer("position"),
                              .digits = static_cast<int>(settings.integer("digits")),
                              .params = sinusoidal_params(settings)};
  const std::string& shown = settings.choice("show");
  figure::Table waves = wave_table(settings, run), dots = dot_table(settings, run);
  StudyResult result;
  result.figure = shown == "example"   ? example_figure(run, example)
                  : shown == "layouts" ? layouts_figure(run, length, width, base)
                                       : table_figure(settings, run, waves, dots);
  result.tables = {std::move(waves), std::move(dots), frequency_table(settings), layouts_table(width, base),
                   example_table(run, example)};
  result.checks = checks_of(settings, run);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Work out four dimensions by hand, digit by digit.", "show=example"},
    {"Three programs, three tables: where the sines lie, and how fast they are.", "show=layouts"},
    {"Put all sines before all cosines, as tensor2tensor does.", "layout=tensor2tensor"},
    {"A small base: the pattern comes back soon.", "base=30"},
    {"Look at 131 072 positions at once.", "length=131072"},
});

}  // namespace

const Study position_sinusoidal{
    .id = "position/sinusoidal",
    .title = "Sinusoidal",
    .topic = "Absolute and additive",
    .summary = "every position has its own pattern of slow and fast waves",
    .formula = R"(y_{p,2i} = \sin(p\,b^{-2i/d}), \quad y_{p,2i+1} = \cos(p\,b^{-2i/d}))",
    .about =
        "Each pair of dimensions is a point on a circle that turns at its own speed; a step of k tokens is "
        "the same "
        "rotation wherever it begins. The dot product of two rows therefore depends on their distance only, "
        "and not on "
        "its direction.",
    .source =
        "Vaswani et al. 2017, arXiv 1706.03762, section 3.5; tensor2tensor, get_timing_signal_1d; fairseq, "
        "SinusoidalPositionalEmbedding",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
