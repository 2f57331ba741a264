// What two rows of the sinusoidal table say to each other: their distance, and nothing else, until they are projected.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/study/panels.h"
#include "app/study/parameters.h"
#include "app/study/position/sinusoidal_settings.h"
#include "app/study/studies.h"
#include "app/study/text.h"
#include "core/tensor/random.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;
using parameter::Settings;
using parameter::Travel;
using tensor::Index;
using twin::Matrix;

constexpr std::string_view parts = "all|matrix|distance|projected";

constexpr auto parameters = std::to_array<Parameter>({
    sinusoidal_width,
    sinusoidal_base,
    sinusoidal_layout,
    {.name = "places",
     .label = "Places",
     .kind = Kind::vector,
     .fallback = "0,100,5000",
     .min = 0,
     .max = 65536,
     .travel = Travel::log,
     .unit = "tokens",
     .help = "positions p from which the distance is counted; the first six are drawn"},
    {.name = "reach",
     .label = "Reach",
     .kind = Kind::integer,
     .fallback = "64",
     .min = 4,
     .max = 512,
     .travel = Travel::powers_of_two,
     .unit = "tokens",
     .help = "the largest distance k"},
    seed_parameter("of the two random projections"),
    show_parameter(parts),
});

constexpr Index head_width = 64;        // what the projections project to: a usual head
constexpr std::size_t most_places = 6;  // as many as colours that are told apart
constexpr Index largest_matrix = 96;    // positions along one side of the picture of all products

std::vector<double> places_of(const Settings& settings) {
  std::vector<double> places;
  for (const double wanted : settings.vector("places"))
    if (places.size() < most_places) places.push_back(std::round(wanted));
  if (places.empty()) places.push_back(0);
  return places;
}

/// Σ cos(k ω_i): the product of two rows as the addition theorem has it.
double sum_of_cosines(std::span<const double> frequencies, double k) {
  double sum = 0;
  for (const double w : frequencies) sum += std::cos(k * w);
  return sum;
}

/// What a head makes of rows: ⟨W_q x, W_k y⟩ / √64 with normal weights of variance 1/d.
struct Projections {
  Matrix query, key;
  Projections(Index width, std::int64_t seed)
      : query(normals(width, seed, 0)), key(normals(width, seed, 1)) {}
  static Matrix normals(Index width, std::int64_t seed, std::uint32_t stream) {
    return tensor::Random(static_cast<std::uint64_t>(seed), stream).normals(head_width, width) /
           std::sqrt(static_cast<double>(width));
  }
  Matrix scores(const Matrix& x, const Matrix& rows) const {
    const Matrix seen =
        key.transpose() * (query * x.transpose());  // a vector first: no matrix times a matrix
    return rows * seen / std::sqrt(static_cast<double>(head_width));
  }
};

/// From one place to every distance 0 … reach.
struct Seen {
  double place;
  std::vector<double> product, projected;
};

Seen seen_from(const Run& run, const Settings& settings, const Projections& projections, double place) {
  run.check();
  const Matrix rows = twin::sinusoidal(run, settings.integer("reach") + 1, settings.integer("width"),
                                       sinusoidal_params(settings, place));
  const Matrix products = rows * rows.row(0).transpose();
  const Matrix scores = projections.scores(rows.row(0), rows);
  return {place,
          {products.data(), products.data() + products.size()},
          {scores.data(), scores.data() + scores.size()}};
}

std::string name_of(double place) {
  return "from position " + grouped(place);
}

/// Every product of a stretch of positions: equal along each diagonal.
figure::Panel matrix_panel(const Run& run, const Settings& settings, double place) {
  const Index count = std::min(settings.integer("reach") + 1, largest_matrix);
  const Matrix rows =
      twin::sinusoidal(run, count, settings.integer("width"), sinusoidal_params(settings, place));
  const tensor::Matrix<float> products =
      rows.lazyProduct(rows.transpose()).cast<float>();  // too small for threads
  figure::Heatmap map;
  map.x = map.y = {place - 0.5, place + static_cast<double>(count) - 0.5};
  map.grid =
      std::make_shared<figure::Grid>(figure::Grid{static_cast<int>(count),
                                                  static_cast<int>(count),
                                                  {products.data(), products.data() + products.size()}});
  figure::Panel panel;
  panel.title = "$\\langle \\mathrm{PE}(m), \\mathrm{PE}(n)\\rangle$";
  panel.x = {.label = "position $n$", .range = map.x, .ticks = figure::TickHint::integers};
  panel.y = {.label = "position $m$", .range = map.y, .ticks = figure::TickHint::integers, .reversed = true};
  panel.equal_aspect = true;
  panel.frame = true;
  panel.marks = {std::move(map)};
  return panel;
}

/// The law as a line on both sides, what was measured from each place as symbols on it.
figure::Panel distance_panel(const std::vector<Seen>& seen, std::span<const double> frequencies, bool alone) {
  const auto reach = static_cast<int>(seen[0].product.size()) - 1;
  figure::Line law{
      .ink = {figure::Role::secondary, 0, 1}, .label = "$\\sum_i \\cos k\\omega_i$", .dash_by_series = false};
  for (int k = -reach; k <= reach; ++k) {
    law.x.push_back(k);
    law.y.push_back(sum_of_cosines(frequencies, k));
  }
  figure::Panel panel;
  panel.title = "Products of rows";
  panel.x = {.label = "distance $k$", .ticks = figure::TickHint::integers};
  panel.y = {.grid = true};
  panel.legend =
      alone ? figure::LegendPlace::above : figure::LegendPlace::none;  // else the lines below say it
  panel.marks.emplace_back(std::move(law));
  const int places = static_cast<int>(seen.size()), step = std::max(1, reach / (4 * places));
  for (int j = 0; j < places; ++j) {
    figure::Points points{.ink = figure::series(j), .radius = 1.8, .label = name_of(seen[j].place)};
    // In turn, so that no symbol hides another; to the left while there are positions to the left.
    for (int k = j * step; k <= reach; k += places * step) {
      points.x.push_back(k);
      points.y.push_back(seen[j].product[k]);
      if (k == 0 || seen[j].place < k) continue;
      points.x.push_back(-k);
      points.y.push_back(seen[j].product[k]);
    }
    panel.marks.emplace_back(std::move(points));
  }
  return panel;
}

figure::Panel projected_panel(const std::vector<Seen>& seen) {
  figure::Panel panel;
  panel.title = "The same rows through two random projections";
  panel.x = {.label = "distance $k$", .ticks = figure::TickHint::integers};
  panel.y = {.label = "score", .grid = true};
  panel.legend = figure::LegendPlace::above;
  for (int j = 0; j < static_cast<int>(seen.size()); ++j) {
    figure::Line line{.y = seen[j].projected, .ink = figure::series(j), .label = name_of(seen[j].place)};
    for (std::size_t k = 0; k < line.y.size(); ++k) line.x.push_back(static_cast<double>(k));
    panel.marks.emplace_back(std::move(line));
  }
  return panel;
}

/// How far the products at each distance lie apart, over the drawn places and sixteen more between 0 and the last.
std::vector<double> spread_of(const Run& run, const Settings& settings, const std::vector<Seen>& seen) {
  double last = 0;
  for (const Seen& each : seen) last = std::max(last, each.place);
  std::vector<double> lo = seen[0].product, hi = lo;
  const auto widen = [&](std::span<const double> products) {
    for (std::size_t k = 0; k < lo.size(); ++k) {
      lo[k] = std::min(lo[k], products[k]);
      hi[k] = std::max(hi[k], products[k]);
    }
  };
  for (const Seen& each : seen) widen(each.product);
  for (int i = 0; i < 16; ++i) {
    run.check();
    const Matrix rows = twin::sinusoidal(run, settings.integer("reach") + 1, settings.integer("width"),
                                         sinusoidal_params(settings, std::round(last * i / 16)));
    const Matrix products = rows * rows.row(0).transpose();
    widen({products.data(), static_cast<std::size_t>(products.size())});
  }
  for (std::size_t k = 0; k < lo.size(); ++k) hi[k] -= lo[k];
  return hi;
}

std::vector<figure::Table> tables_of(const std::vector<Seen>& seen, std::span<const double> frequencies,
                                     std::vector<double> spread) {
  figure::Table products{"dot_products",
                         {{.name = "distance", .unit = "tokens"},
                          {.name = "sum of cosines", .digits = 12},
                          {.name = "spread over places", .values = std::move(spread)}}};
  for (std::size_t k = 0; k < seen[0].product.size(); ++k) {
    products.columns[0].values.push_back(static_cast<double>(k));
    products.columns[1].values.push_back(sum_of_cosines(frequencies, static_cast<double>(k)));
  }
  figure::Table projected{"projected", {products.columns[0]}};
  for (const Seen& each : seen) {
    products.columns.push_back({.name = name_of(each.place), .values = each.product, .digits = 12});
    projected.columns.push_back({.name = name_of(each.place), .values = each.projected});
  }
  return {std::move(products), std::move(projected)};
}

/// Sums of 64 cosines worked out elsewhere with more digits than a double has: d = 128, base 10000.
Check known_products(const Run& run) {
  constexpr std::array<std::pair<double, double>, 5> known{{{1, 62.09368380576762},
                                                            {10, 42.8200228984971},
                                                            {100, 30.54345470149066},
                                                            {500, 19.10269661592972},
                                                            {1000, 10.17772813221065}}};
  constexpr double from = 1000;
  const auto row = [&](double p) { return twin::sinusoidal(run, 1, 128, {.offset = p}); };
  double worst = 0;
  for (const auto& [k, product] : known)
    worst = std::max(worst, std::abs(row(from).row(0).dot(row(from + k).row(0)) - product));
  return {"$d = 128$: 62.0937 at $k = 1$, 42.8200 at 10, 30.5435 at 100, 10.1777 at 1000", worst,
          sinusoidal_dot_slack(run, 128, 2 * from)};
}

std::vector<Check> checks_of(const Run& run, const Settings& settings, const figure::Table& products) {
  double last = 0, spread = 0, law = 0;
  for (const double place : places_of(settings)) last = std::max(last, place);
  for (const double s : products.columns[2].values) spread = std::max(spread, s);
  for (std::size_t c = 3; c < products.columns.size(); ++c)
    for (std::size_t k = 0; k < products.columns[c].values.size(); ++k)
      law = std::max(law, std::abs(products.columns[c].values[k] - products.columns[1].values[k]));
  const Index width = settings.integer("width"), reach = settings.integer("reach");
  const double slack = sinusoidal_dot_slack(run, width, last + static_cast<double>(reach));
  const Matrix rows = twin::sinusoidal(run, 2 * reach + 1, width, sinusoidal_params(settings, last));
  const Matrix both = rows * rows.row(reach).transpose();
  const double sides = (both - both.colwise().reverse()).cwiseAbs().maxCoeff();
  return {
      {"the product depends on the distance only", spread, 2 * slack},
      {"it is the sum of $\\cos k\\omega_i$", law, slack},
      {"forward and back are the same", sides, 2 * slack + 2 * static_cast<double>(width * reach) * 0x1p-52},
      known_products(run),
  };
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Projections projections(settings.integer("width"), settings.integer("seed"));
  std::vector<Seen> seen;
  for (const double place : places_of(settings)) seen.push_back(seen_from(run, settings, projections, place));
  const std::vector<double> frequencies =
      position::sinusoidal_frequencies(settings.integer("width"), sinusoidal_params(settings));

  StudyResult result;
  result.figure.title = "Two rows know how far apart they are, and not where";
  result.figure.description =
      "Left, the dot products of all pairs of positions, the same along every diagonal. Right, the product "
      "against the distance, measured from several places: all lie on one curve, the same in both "
      "directions. "
      "Below, the same rows through two random projections: every place has its own curve.";
  result.figure.panels = {matrix_panel(run, settings, seen[0].place),
                          distance_panel(seen, frequencies, settings.choice("show") == "distance"),
                          projected_panel(seen)};
  result.figure.panels[1].cell = {0, 1};
  result.figure.panels[2].cell = {1, 0, 1, 2};
  result.figure.row_weights = {1.2, 1};
  result.figure.col_weights = {1, 1.1};
  result.figure.aspect = 1.2;
  show_only(result.figure, parts, settings.choice("show"));
  result.tables = tables_of(seen, frequencies, spread_of(run, settings, seen));
  result.checks = checks_of(run, settings, result.tables[0]);
  return result;
}

constexpr auto tries = std::to_array<Try>({
    {"Count from far away: the curve of the rows stays, those of the projections do not.",
     "places=0,20000,65536"},
    {"A small base: every wave comes round, and distant rows look near again.", "base=10 reach=256"},
    {"One pair alone: 44 tokens are seven turns of its clock, and nearly no distance.", "width=2 reach=64"},
});

}  // namespace

const Study position_dot_product{
    .id = "position/dot-product",
    .title = "Dot products",
    .topic = "Absolute and additive",
    .summary = "two rows know how far apart they are, and not where",
    .formula =
        R"(\langle \mathrm{PE}(p), \mathrm{PE}(p+k) \rangle = \sum_{i<d/2} \cos(k\,\omega_i), \quad \omega_i = b^{-2i/d})",
    .about =
        "Sine times sine plus cosine times cosine is the cosine of the difference: the product of two rows "
        "depends on their distance alone, and is the same forward and back. Attention does not see this "
        "product. It sees the rows through two learned projections, and those need not keep the law.",
    .source = "Vaswani et al. 2017, arXiv 1706.03762, section 3.5; Yan et al. 2019, arXiv 1911.04474",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
