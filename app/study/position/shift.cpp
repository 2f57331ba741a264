// A step of k tokens in the sinusoidal table: one rotation for every position, drawn as a matrix and as clocks.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/position/sinusoidal_settings.h"
#include "app/study/rope/clocks.h"
#include "app/study/studies.h"
#include "app/study/tables.h"
#include "app/study/text.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using position::SinusoidalParams;
using tensor::Index;
using twin::Matrix;

constexpr std::string_view parts = "all|matrix|clocks|rows";

constexpr parameter::Parameter narrow() {
  Parameter width = sinusoidal_width;
  width.fallback = "16";
  width.max = 256;
  return width;
}

constexpr auto parameters = std::to_array<Parameter>({
    narrow(),
    {.name = "position",
     .label = "Position",
     .kind = Kind::integer,
     .fallback = "20",
     .min = 0,
     .max = 65536,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "p: where the step begins; the matrix does not depend on it",
     .plays = true},
    {.name = "shift",
     .label = "Shift",
     .kind = Kind::integer,
     .fallback = "3",
     .min = 0,
     .max = 65536,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "k: how long the step is",
     .plays = true},
    sinusoidal_base,
    sinusoidal_layout,
    show_parameter(parts),
});

constexpr Index most_clocks = 32;

/// Row `position` of the table in double, on whatever device the study runs.
Matrix exact_row(Index width, SinusoidalParams params, double position) {
  params.offset = position;
  Matrix row = Matrix::Zero(1, width);
  position::sinusoidal_ref(params, tensor::View<double>(row));
  return row;
}

/// R_k with R_k PE(p) = PE(p + k): a block [cos sin; −sin cos] of kω_i for each pair. Row k of the table holds just
/// these numbers.
Matrix rotation_by(double k, Index width, const SinusoidalParams& params) {
  const Matrix row = exact_row(width, params, k);
  Matrix r = Matrix::Zero(width, width);
  for (Index i = 0; i < width / 2; ++i) {
    const auto [s, c] = dimensions_of(i, width, params.layout);
    r(s, s) = r(c, c) = row(0, c);
    r(s, c) = row(0, s);
    r(c, s) = -row(0, s);
  }
  return r;
}

/// One step: where it begins, what the matrix makes of it, and where the table says it ends.
struct Step {
  Matrix rotation, from, turned, to;
  double position, shift;
  Index width() const { return from.cols(); }
};

Step step_of(const Run& run, const Settings& settings) {
  const Index width = settings.integer("width");
  const auto p = static_cast<double>(settings.integer("position"));
  const auto k = static_cast<double>(settings.integer("shift"));
  Step step{.rotation = rotation_by(k, width, sinusoidal_params(settings)),
            .from = twin::sinusoidal(run, 1, width, sinusoidal_params(settings, p)),
            .turned = {},
            .to = twin::sinusoidal(run, 1, width, sinusoidal_params(settings, p + k)),
            .position = p,
            .shift = k};
  step.turned = step.from * step.rotation.transpose();
  return step;
}

figure::Panel matrix_panel(const Step& step) {
  const Index width = step.width();
  const tensor::Matrix<float> cells = step.rotation.cast<float>();
  figure::Heatmap map;
  map.x = map.y = {-0.5, static_cast<double>(width) - 0.5};
  map.colors = {.map = figure::ColorMap::diverging, .range = figure::Range{-1, 1}};
  map.grid = std::make_shared<figure::Grid>(figure::Grid{
      static_cast<int>(width), static_cast<int>(width), {cells.data(), cells.data() + cells.size()}});
  figure::Panel panel;
  panel.title = "Matrix $R_{" + std::to_string(static_cast<int>(step.shift)) + "}$";
  panel.x = {.label = "dimension of $\\mathrm{PE}(p)$", .range = map.x, .ticks = figure::TickHint::integers};
  panel.y = {.label = "dimension of $\\mathrm{PE}(p+k)$",
             .range = map.y,
             .ticks = figure::TickHint::integers,
             .reversed = true};
  panel.equal_aspect = true;
  panel.frame = true;
  panel.marks = {std::move(map)};
  return panel;
}

/// Each pair as a point (cos, sin) on its circle, before and after the step.
figure::Panel clocks_of(const Step& step, const Settings& settings) {
  const SinusoidalParams params = sinusoidal_params(settings);
  const std::vector<double> frequencies = position::sinusoidal_frequencies(step.width(), params);
  std::vector<Clock> clocks;
  for (Index i = 0; i < std::min(step.width() / 2, most_clocks); ++i) {
    const auto [s, c] = dimensions_of(i, step.width(), params.layout);
    clocks.push_back({.from_x = step.from(0, c),
                      .from_y = step.from(0, s),
                      .to_x = step.to(0, c),
                      .to_y = step.to(0, s),
                      .angle = step.shift * frequencies[static_cast<std::size_t>(i)]});
  }
  figure::Panel panel = clock_panel(clocks);
  panel.title = step.width() / 2 > most_clocks ? "The first 32 pairs" : "Pairs as clocks";
  return panel;
}

figure::Panel rows_panel(const Step& step) {
  const auto number = [](double n) { return std::to_string(static_cast<int>(n)); };
  const std::string from = "$\\mathrm{PE}(" + number(step.position) + ")$",
                    to = "$\\mathrm{PE}(" + number(step.position + step.shift) + ")$",
                    turned = "$R_{" + number(step.shift) + "}\\,\\mathrm{PE}(" + number(step.position) + ")$";
  figure::Points before{
      .ink = {figure::Role::secondary, 0, 1}, .radius = 1.5, .symbol = figure::Symbol::ring, .label = from};
  figure::Stems moved{.ink = figure::series(0), .width = 0.7, .radius = 0, .label = turned};
  figure::Points after{.ink = figure::series(1), .radius = 2.2, .symbol = figure::Symbol::cross, .label = to};
  for (Index j = 0; j < step.width(); ++j)
    for (const auto& [x, y, row] : {std::tuple{&before.x, &before.y, &step.from},
                                    {&moved.x, &moved.y, &step.turned},
                                    {&after.x, &after.y, &step.to}}) {
      x->push_back(static_cast<double>(j));
      y->push_back((*row)(0, j));
    }
  figure::Panel panel;
  panel.title = "The rows";
  panel.x = {.label = "dimension",
             .range = figure::Range{-0.7, static_cast<double>(step.width()) - 0.3},
             .ticks = figure::TickHint::integers};
  panel.y = {.range = figure::Range{-1.1, 1.1}, .grid = true};
  panel.legend = figure::LegendPlace::above;
  panel.marks = {std::move(before), std::move(moved), std::move(after)};
  return panel;
}

std::vector<figure::Table> tables_of(const Step& step, const Settings& settings) {
  const SinusoidalParams params = sinusoidal_params(settings);
  const std::vector<double> frequencies = position::sinusoidal_frequencies(step.width(), params);
  figure::Table pairs{"rotation",
                      {{.name = "pair"},
                       {.name = "dimension of the sine"},
                       {.name = "dimension of the cosine"},
                       {.name = "angle", .unit = "rad"},
                       {.name = "cos", .digits = 8},
                       {.name = "sin", .digits = 8}}};
  for (Index i = 0; i < step.width() / 2; ++i) {
    const auto [s, c] = dimensions_of(i, step.width(), params.layout);
    const double row[] = {static_cast<double>(i), static_cast<double>(s),
                          static_cast<double>(c), step.shift * frequencies[static_cast<std::size_t>(i)],
                          step.rotation(c, c),    step.rotation(s, c)};
    add_row(pairs, row);
  }
  figure::Table rows{"rows",
                     {{.name = "dimension"},
                      {.name = "PE(p)", .digits = 8},
                      {.name = "R PE(p)", .digits = 8},
                      {.name = "PE(p+k)", .digits = 8},
                      {.name = "difference"}}};
  for (Index j = 0; j < step.width(); ++j) {
    const double row[] = {static_cast<double>(j), step.from(0, j), step.turned(0, j), step.to(0, j),
                          step.turned(0, j) - step.to(0, j)};
    add_row(rows, row);
  }
  return {std::move(pairs), std::move(rows)};
}

/// The same matrix at places from 0 to the largest position that may be asked for.
double worst_elsewhere(const Run& run, const Settings& settings, const Step& step, double last) {
  double worst = 0;
  for (int i = 0; i <= 24; ++i) {
    run.check();
    const double p = std::round(last * i / 24);
    const Matrix from = twin::sinusoidal(run, 1, step.width(), sinusoidal_params(settings, p));
    const Matrix to = twin::sinusoidal(run, 1, step.width(), sinusoidal_params(settings, p + step.shift));
    worst = std::max(worst, (from * step.rotation.transpose() - to).cwiseAbs().maxCoeff());
  }
  return worst;
}

/// Rows 2 and 50 of the table of eight dimensions, worked out elsewhere with more digits than a double has.
Check known_rows() {
  constexpr std::array row_2{0.9092974268256817,    -0.4161468365471424, 0.19866933079506122,
                             0.9800665778412416,    0.01999866669333308, 0.9998000066665778,
                             0.0019999986666669333, 0.9999980000006666};
  constexpr std::array row_50{-0.26237485370392877, 0.9649660284921132, -0.9589242746631385,
                              0.28366218546322625,  0.479425538604203,  0.8775825618903728,
                              0.04997916927067833,  0.9987502603949663};
  const Matrix r = rotation_by(48, 8, {});
  double worst = 0;
  for (Index j = 0; j < 8; ++j) {
    double sum = 0;
    for (Index l = 0; l < 8; ++l) sum += r(j, l) * row_2[static_cast<std::size_t>(l)];
    worst = std::max(worst, std::abs(sum - row_50[static_cast<std::size_t>(j)]));
  }
  // The angle 48 ω, its frequency rounded and then their product; products and their sum.
  return {"$d = 8$: $R_{48}$ takes the known row 2 to the known row 50", worst, 48 * 0x1p-52 + 0x1p-51};
}

std::vector<Check> checks_of(const Run& run, const Settings& settings, const Step& step) {
  constexpr double furthest = 65536;
  const Index width = step.width();
  // A row is off by its slack; turning it mixes two components, by √2 at most, with R_k's own two.
  const auto slack = [&](double last) { return 4 * sinusoidal_slack(run, last); };
  const Matrix unit = step.rotation * step.rotation.transpose() - Matrix::Identity(width, width);
  const Matrix twice =
      step.rotation * step.rotation - rotation_by(2 * step.shift, width, sinusoidal_params(settings));
  return {
      {"$R_k\\,\\mathrm{PE}(p) = \\mathrm{PE}(p+k)$", (step.turned - step.to).cwiseAbs().maxCoeff(),
       slack(step.position + step.shift)},
      {"the same $R_k$ at 25 positions from 0 to 65 536", worst_elsewhere(run, settings, step, furthest),
       slack(furthest + step.shift)},
      {"$R_k$ keeps lengths: $R_k R_k^T = 1$", unit.cwiseAbs().maxCoeff(), 0x1p-51},
      {"two steps are one of twice the length: $R_k R_k = R_{2k}$", twice.cwiseAbs().maxCoeff(), 0x1p-50},
      known_rows(),
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Step step = step_of(run, settings);
  StudyResult result;
  result.figure.title =
      "A step of " + grouped(step.shift) + " tokens is the same rotation wherever it begins";
  result.figure.description =
      "Left, the matrix that takes the row of any position to the row so many tokens further: two by two "
      "blocks, "
      "nothing else. Right, its pairs as clocks, before and after the step. Below, the row before, the row "
      "turned "
      "by the matrix, and the row of the table that it must meet.";
  result.figure.panels = {matrix_panel(step), clocks_of(step, settings), rows_panel(step)};
  result.figure.panels[1].cell = {0, 1};
  result.figure.panels[2].cell = {1, 0, 1, 2};
  result.figure.row_weights = {1.3, 1};
  result.figure.col_weights = {1, 1.1};
  result.figure.aspect = 1.2;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = tables_of(step, settings);
  result.checks = checks_of(run, settings, step);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Begin the step elsewhere: the rows change, the matrix does not.", "position=5000"},
    {"All sines before all cosines: the blocks become four diagonals.", "layout=tensor2tensor"},
    {"A long step: the fast pairs go round many times, the slow ones hardly move.", "shift=500"},
});

}  // namespace

const Study position_shift{
    .id = "position/shift",
    .title = "Shifts",
    .topic = "Absolute and additive",
    .summary = "a step of k tokens is the same rotation wherever it begins",
    .formula =
        R"(\mathrm{PE}(p+k) = R_k\,\mathrm{PE}(p): \quad s_i' = s_i \cos k\omega_i + c_i \sin k\omega_i, \quad c_i' = c_i \cos k\omega_i - s_i \sin k\omega_i)",
    .about =
        "The paper chose sines and cosines because a model may then attend by relative positions: the row k "
        "tokens "
        "further is a linear function of the row, the same at every position. That function turns each pair "
        "by "
        "kω. RoPE takes this very rotation and applies it to queries and keys instead of adding the row.",
    .source = "Vaswani et al. 2017, arXiv 1706.03762, section 3.5",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
