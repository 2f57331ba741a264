// A step of k tokens in the sinusoidal table: one rotation for every position, drawn as a matrix and as clocks.
#include "app/study/kit.h"
#include "app/study/position/sinusoidal_settings.h"
#include "app/study/rope/clocks.h"

namespace orrery::study::position_shift {
namespace {

using position::SinusoidalParams;

constexpr double furthest = 65536;

constexpr auto parameters = std::to_array<Parameter>({
    up_to(256, with_fallback(sinusoidal_width, "16")),
    whole("position", "Position", "20", {0, furthest},
          "p: where the step begins; the matrix does not depend on it",
          {.travel = Travel::log, .unit = "tokens", .plays = true}),
    whole("shift", "Shift", "3", {0, furthest}, "k: how long the step is",
          {.travel = Travel::log, .unit = "tokens", .plays = true}),
    sinusoidal_base,
    sinusoidal_layout,
    show_parameter("all|matrix|clocks|rows"),
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

/// One step: where it begins, what the matrix makes of it, and where the table says it ends; digits that are shown are
/// those of double, on whatever device the study runs.
struct Step {
  SinusoidalParams params;
  double position, shift;
  Matrix rotation, from, turned, to;
  std::vector<double> frequencies;
  Index width() const { return from.cols(); }
};

Step step_of(const Settings& settings) {
  const Index width = settings.integer("width");
  const double p = settings.real("position"), k = settings.real("shift");
  Step step{.params = sinusoidal_params(settings),
            .position = p,
            .shift = k,
            .rotation = rotation_by(k, width, sinusoidal_params(settings)),
            .from = exact_row(width, sinusoidal_params(settings), p),
            .turned = {},
            .to = exact_row(width, sinusoidal_params(settings), p + k),
            .frequencies = position::sinusoidal_frequencies(width, sinusoidal_params(settings))};
  step.turned = step.from * step.rotation.transpose();
  return step;
}

Panel matrix_panel(const Step& step) {
  return square_map_panel("Matrix $R_{" + parameter::shortest(step.shift) + "}$",
                          heatmap(step.rotation, {.map = ColorMap::diverging, .range = Range{-1, 1}}),
                          "dimension of $\\mathrm{PE}(p)$", "dimension of $\\mathrm{PE}(p+k)$");
}

/// Each pair as a point (cos, sin) on its circle, before and after the step.
Panel clocks_of(const Step& step) {
  std::vector<Clock> clocks;
  for (Index i = 0; i < std::min(step.width() / 2, most_clocks); ++i) {
    const auto [s, c] = dimensions_of(i, step.width(), step.params.layout);
    clocks.push_back(
        {step.from(0, c), step.from(0, s), step.to(0, c), step.to(0, s), step.shift * step.frequencies[i]});
  }
  Panel panel = clock_panel(clocks);
  panel.title = step.width() / 2 > most_clocks ? "The first 32 pairs" : "Pairs as clocks";
  return panel;
}

Series rows_of(const Step& step) {
  Series rows("rows", {"dimension", "", counted(step.width())});
  rows.add({.name = "PE(p)", .values = row_of(step.from), .digits = 8});
  rows.add({.name = "R PE(p)", .values = row_of(step.turned), .digits = 8});
  rows.add({.name = "PE(p+k)", .values = row_of(step.to), .digits = 8});
  rows.add("difference", row_of(step.turned - step.to));
  return rows;
}

Panel rows_panel(const Step& step, const Series& rows) {
  const std::string p = parameter::shortest(step.position), k = parameter::shortest(step.shift),
                    end = parameter::shortest(step.position + step.shift);
  return {
      .title = "The row before the step, turned, and after it",
      .x = counts("dimension", Range{-0.7, number(step.width()) - 0.3}),
      .y = values("", Range{-1.1, 1.1}),
      .marks = {rows.points("PE(p)", {.ink = ink(Role::secondary),
                                      .radius = 1.5,
                                      .symbol = Symbol::ring,
                                      .label = "$\\mathrm{PE}(" + p + ")$"}),
                rows.stems("R PE(p)",
                           {.width = 0.7, .radius = 0, .label = "$R_{" + k + "}\\,\\mathrm{PE}(" + p + ")$"}),
                rows.points("PE(p+k)", {.ink = series(1),
                                        .radius = 2.2,
                                        .symbol = Symbol::cross,
                                        .label = "$\\mathrm{PE}(" + end + ")$"})},
      .legend = LegendPlace::above};
}

Table pair_table(const Step& step) {
  Table pairs{"rotation",
              {{.name = "pair"},
               {.name = "dimension of the sine"},
               {.name = "dimension of the cosine"},
               {.name = "angle", .unit = "rad"},
               {.name = "cos", .digits = 8},
               {.name = "sin", .digits = 8}}};
  for (Index i = 0; i < step.width() / 2; ++i) {
    const auto [s, c] = dimensions_of(i, step.width(), step.params.layout);
    add_row(pairs, i, s, c, step.shift * step.frequencies[i], step.rotation(c, c), step.rotation(s, c));
  }
  return pairs;
}

/// How far the matrix leads from a row of this device's table past the row that it must meet.
double missed_at(const Run& run, const Settings& settings, const Step& step, double p) {
  const Matrix from = twin::sinusoidal(run, 1, step.width(), sinusoidal_params(settings, p));
  const Matrix to = twin::sinusoidal(run, 1, step.width(), sinusoidal_params(settings, p + step.shift));
  return (from * step.rotation.transpose() - to).cwiseAbs().maxCoeff();
}

/// The same matrix at places from 0 to the largest position that may be asked for.
double worst_elsewhere(const Run& run, const Settings& settings, const Step& step) {
  Worst worst;
  for (int i = 0; i <= 24; ++i) {
    run.check();
    worst.meet(missed_at(run, settings, step, std::round(furthest * i / 24)));
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
  Worst worst;
  for (Index j = 0; j < 8; ++j) {
    double sum = 0;
    for (Index l = 0; l < 8; ++l) sum += r(j, l) * row_2[static_cast<std::size_t>(l)];
    worst.meet(std::abs(sum - row_50[static_cast<std::size_t>(j)]));
  }
  // The angle 48 ω, its frequency rounded and then their product; products and their sum.
  return known_answer("$d = 8$: $R_{48}$ takes the known row 2 to the known row 50", worst,
                      48 * 0x1p-52 + 0x1p-51);
}

std::vector<Check> checks_of(const Run& run, const Settings& settings, const Step& step) {
  const Index width = step.width();
  // A row is off by its slack; turning it mixes two components, by √2 at most, with R_k's own two.
  const auto slack = [&](double last) { return 4 * sinusoidal_slack(run, last); };
  const Matrix unit = step.rotation * step.rotation.transpose() - Matrix::Identity(width, width);
  const Matrix twice = step.rotation * step.rotation - rotation_by(2 * step.shift, width, step.params);
  return {
      {"$R_k\\,\\mathrm{PE}(p) = \\mathrm{PE}(p+k)$", missed_at(run, settings, step, step.position),
       slack(step.position + step.shift)},
      {"the same $R_k$ at 25 positions from 0 to 65 536", worst_elsewhere(run, settings, step),
       slack(furthest + step.shift)},
      {"$R_k$ keeps lengths: $R_k R_k^T = 1$", unit.cwiseAbs().maxCoeff(), 0x1p-51},
      {"two steps are one of twice the length: $R_k R_k = R_{2k}$", twice.cwiseAbs().maxCoeff(), 0x1p-50},
      known_rows(),
  };
}

/// The second pair, or the only one, at the end of the step.
std::string worked_of(const Step& step) {
  const Index i = std::min<Index>(1, step.width() / 2 - 1);
  const auto [s, c] = dimensions_of(i, step.width(), step.params.layout);
  const Term angle = term(step.shift) * step.frequencies[static_cast<std::size_t>(i)];
  const double sine = step.from(0, s), cosine = step.from(0, c);
  Worked worked;
  worked.add(subscripted("s'", number(i)), sine * cos(angle) + cosine * sin(angle), step.to(0, s));
  return worked.add(subscripted("c'", number(i)), cosine * cos(angle) - sine * sin(angle), step.to(0, c))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Step step = step_of(settings);
  const Series rows = rows_of(step);
  Picture picture(
      "A step of " + amount(step.shift, "token", "tokens") + " is the same rotation wherever it begins",
      "Left, the matrix that takes the row of any position to the row so many tokens further: two by two "
      "blocks, nothing else. Right, its pairs as clocks, before and after the step. Below, the row before, "
      "the row turned by the matrix, and the row of the table that it must meet.");
  picture.at({0, 0}, "matrix", matrix_panel(step))
      .at({0, 1}, "clocks", clocks_of(step))
      .at({1, 0, 1, 2}, "rows", rows_panel(step, rows));
  return {std::move(picture).figure(settings, {.aspect = 1.2, .rows = {1.3, 1}, .cols = {1, 1.1}}),
          {pair_table(step), rows.table()},
          checks_of(run, settings, step),
          worked_of(step)};
}

constexpr auto tries = std::to_array<Try>({
    {"Begin the step elsewhere: the rows change, the matrix does not.", "position=5000",
     [](auto& now, auto& before) {
       return column(now, "rotation", "cos") == column(before, "rotation", "cos") &&
              largest_difference(column(now, "rows", "PE(p)"), column(before, "rows", "PE(p)")) > 0.5;
     }},
    {"All sines before all cosines: the blocks become four diagonals.", "layout=tensor2tensor",
     [](auto& now, auto& before) {
       return at(now, "rotation", "dimension of the cosine", 0) == 8 &&
              at(before, "rotation", "dimension of the cosine", 0) == 1;
     }},
    {"A long step: the fast pairs go round many times, the slow ones hardly move.", "shift=500",
     [](auto& now, auto&) {
       const auto& angle = column(now, "rotation", "angle");
       return angle.front() > 10 * 2 * std::numbers::pi && angle.back() < 0.2;
     }},
});

}  // namespace

extern const Study study{
    .id = "position/shift",
    .title = "Shifts",
    .topic = "Absolute and additive",
    .summary = "a step of k tokens is the same rotation wherever it begins",
    .formula =
        R"(\mathrm{PE}(p+k) = R_k\,\mathrm{PE}(p): \quad s_i' = s_i \cos k\omega_i + c_i \sin k\omega_i, \quad c_i' = c_i \cos k\omega_i - s_i \sin k\omega_i)",
    .derivation =
        R"(Of a pair write $s = \sin(p\omega)$ and $c = \cos(p\omega)$, as they stand in the row of position $p$.)"
        "\n"
        R"(By the addition theorems $\sin((p+k)\omega) = s \cos k\omega + c \sin k\omega$ and $\cos((p+k)\omega) = c \cos k\omega - s \sin k\omega$.)"
        "\n"
        R"(Both are linear in $s$ and $c$, and in the coefficients stands $k$, but no $p$.)"
        "\n"
        R"(Such blocks of two by two, one for each pair, make the matrix $R_k$: one linear function for all positions.)"
        "\n"
        R"(Each block is a rotation by $k\omega$, so $R_k$ keeps lengths, and $R_k R_l = R_{k+l}$: two steps are one.)",
    .about =
        "The paper chose sines and cosines because a model may then attend by relative positions: the row k "
        "tokens further is a linear function of the row, the same at every position. That function turns "
        "each pair by kω. RoPE takes this very rotation and applies it to queries and keys instead of adding "
        "the row.",
    .source = "Vaswani et al. 2017, arXiv 1706.03762, section 3.5",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::position_shift
