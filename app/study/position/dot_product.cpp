// What two rows of the sinusoidal table say to each other: their distance, and nothing else, until they are projected.
#include "app/study/kit.h"
#include "app/study/position/sinusoidal_settings.h"

namespace orrery::study::position_dot_product {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    sinusoidal_width,
    sinusoidal_base,
    sinusoidal_layout,
    numbers("places", "Places", "0,100,5000", {0, 65536},
            "positions p from which the distance is counted; the first six are drawn",
            {.travel = Travel::log, .unit = "tokens"}),
    whole("reach", "Reach", "64", {4, 512}, "the largest distance k",
          {.travel = Travel::powers_of_two, .unit = "tokens"}),
    seed_parameter("of the two random projections"),
    show_parameter("all|matrix|distance|projected"),
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
  Projections(Index width, std::uint64_t seed)
      : query(normals(width, seed, 0)), key(normals(width, seed, 1)) {}
  static Matrix normals(Index width, std::uint64_t seed, std::uint32_t stream) {
    return tensor::Random(seed, stream).normals(head_width, width) / std::sqrt(number(width));
  }
  std::vector<double> scores(const Matrix& x, const Matrix& rows) const {
    const Matrix seen =
        key.transpose() * (query * x.transpose());  // a vector first: no matrix times a matrix
    const Matrix scores = rows * seen / std::sqrt(number(head_width));
    return {scores.data(), scores.data() + scores.size()};
  }
};

/// The rows at a place and at every distance 0 … reach behind it, and the product of the first with each.
Matrix rows_from(const Run& run, const Settings& settings, double place) {
  run.check();
  return twin::sinusoidal(run, settings.integer("reach") + 1, settings.integer("width"),
                          sinusoidal_params(settings, place));
}
std::vector<double> products_of(const Matrix& rows) {
  const Matrix products = rows * rows.row(0).transpose();
  return {products.data(), products.data() + products.size()};
}

std::string name_of(double place) {
  return "from position " + grouped(place);
}

/// How far the products at each distance lie apart, over the drawn places and sixteen more between 0 and the last.
std::vector<double> spread_of(const Run& run, const Settings& settings,
                              const std::vector<std::vector<double>>& drawn) {
  std::vector<double> lo = drawn[0], hi = lo;
  const auto widen = [&](const std::vector<double>& products) {
    for (std::size_t k = 0; k < lo.size(); ++k) {
      lo[k] = std::min(lo[k], products[k]);
      hi[k] = std::max(hi[k], products[k]);
    }
  };
  for (const auto& each : drawn) widen(each);
  const double last = std::ranges::max(places_of(settings));
  for (int i = 0; i < 16; ++i) widen(products_of(rows_from(run, settings, std::round(last * i / 16))));
  for (std::size_t k = 0; k < lo.size(); ++k) hi[k] -= lo[k];
  return hi;
}

/// The products from every place by distance, beside the law; and what the projections make of the same rows.
struct Measured {
  Series products, projected;
};

Measured measured(const Run& run, const Settings& settings) {
  const auto frequencies =
      position::sinusoidal_frequencies(settings.integer("width"), sinusoidal_params(settings));
  const Projections projections(settings.integer("width"), seed_of(settings));
  const Column distance{"distance", "tokens", counted(settings.integer("reach") + 1)};
  Series projected("projected", distance), products("dot_products", distance);
  std::vector<std::vector<double>> drawn;
  for (const double place : places_of(settings)) {
    const Matrix rows = rows_from(run, settings, place);
    drawn.push_back(products_of(rows));
    projected.add(name_of(place), projections.scores(rows.row(0), rows));
  }
  products.add({.name = "sum of cosines", .digits = 12},
               [&](double k) { return sum_of_cosines(frequencies, k); });
  products.add("spread over places", spread_of(run, settings, drawn));
  for (std::size_t j = 0; j < drawn.size(); ++j)
    products.add({.name = projected.columns()[j].name, .values = drawn[j], .digits = 12});
  return {std::move(products), std::move(projected)};
}

/// Every product of a stretch of positions: equal along each diagonal.
Panel matrix_panel(const Run& run, const Settings& settings) {
  const double place = places_of(settings)[0];
  const Index count = std::min(settings.integer("reach") + 1, largest_matrix);
  const Matrix rows =
      twin::sinusoidal(run, count, settings.integer("width"), sinusoidal_params(settings, place));
  const tensor::Matrix<float> products =
      rows.lazyProduct(rows.transpose()).cast<float>();  // too small for threads
  Heatmap map = heatmap(products.cast<double>());
  map.x = map.y = {place - 0.5, place + number(count) - 0.5};
  Panel panel = square_map_panel("$\\langle \\mathrm{PE}(m), \\mathrm{PE}(n)\\rangle$", std::move(map),
                                 "position $n$", "position $m$");
  figure::Shape first = row_frame(place, number(count));  // the row that the first place's curves are
  for (double& x : first.x) x += place;
  panel.marks.emplace_back(std::move(first));
  return panel;
}

/// The first place is the row that the map frames.
Ink place_ink(int j) {
  return j == 0 ? ink(Role::accent) : series(j - 1);
}

/// The law as a line on both sides, what was measured from each place as symbols on it.
Panel distance_panel(const Settings& settings, const Series& products, bool alone) {
  const auto reach = static_cast<int>(products.size()) - 1;
  Line law{.ink = ink(Role::secondary), .label = "$\\sum_i \\cos k\\omega_i$"};
  for (int k = -reach; k <= reach; ++k) {
    law.x.push_back(k);
    law.y.push_back(products["sum of cosines"][static_cast<std::size_t>(std::abs(k))]);
  }
  Panel panel{.title = "Products of rows",
              .x = counts("distance $k$"),
              .y = values(),
              .marks = {std::move(law)},
              .legend = alone ? LegendPlace::above : LegendPlace::none,  // else the lines below say it
              .series_group = 1};
  const std::vector<double> places = places_of(settings);
  const int count = static_cast<int>(places.size()), step = std::max(1, reach / (4 * count));
  for (int j = 0; j < count; ++j) {
    const Column& product = products.columns()[2 + j];
    Points points{.ink = place_ink(j), .radius = 1.8, .label = product.name};
    // In turn, so that no symbol hides another; to the left while there are positions to the left.
    for (int k = j * step; k <= reach; k += count * step) {
      points.x.push_back(k);
      points.y.push_back(product.values[k]);
      if (k == 0 || places[j] < k) continue;
      points.x.push_back(-k);
      points.y.push_back(product.values[k]);
    }
    panel.marks.emplace_back(std::move(points));
  }
  return panel;
}

Panel projected_panel(const Series& projected) {
  Panel panel{.title = "The same rows through two random projections",
              .x = counts("distance $k$"),
              .y = values("score"),
              .legend = LegendPlace::above,
              .series_group = 1};
  int number_of_place = 0;
  for (const Column& place : projected.columns())
    panel.marks.push_back(Line{
        .x = projected.x(), .y = place.values, .ink = place_ink(number_of_place++), .label = place.name});
  return panel;
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
  Worst worst;
  for (const auto& [k, product] : known)
    worst.meet(std::abs(row(from).row(0).dot(row(from + k).row(0)) - product));
  return known_answer("$d = 128$: 62.0937 at $k = 1$, 42.8200 at 10, 30.5435 at 100, 10.1777 at 1000", worst,
                      sinusoidal_dot_slack(run, 128, 2 * from));
}

std::vector<Check> checks_of(const Run& run, const Settings& settings, const Series& products) {
  double law = 0;
  for (const Column& place : products.columns().subspan(2))
    law = std::max(law, largest_difference(place.values, products["sum of cosines"]));
  const double last = std::ranges::max(places_of(settings));
  const Index width = settings.integer("width"), reach = settings.integer("reach");
  const double slack = sinusoidal_dot_slack(run, width, last + number(reach));
  const Matrix rows = twin::sinusoidal(run, 2 * reach + 1, width, sinusoidal_params(settings, last));
  const Matrix both = rows * rows.row(reach).transpose();
  const double sides = (both - both.colwise().reverse()).cwiseAbs().maxCoeff();
  return {
      {"the product depends on the distance only", largest(products["spread over places"]), 2 * slack},
      {"it is the sum of $\\cos k\\omega_i$", law, slack},
      {"forward and back are the same", sides, 2 * slack + 2 * number(width * reach) * 0x1p-52},
      known_products(run),
  };
}

/// Of two rows that stand ten tokens apart, or as far as is asked for.
std::string worked_of(const Settings& settings, const Series& products) {
  const auto frequencies =
      position::sinusoidal_frequencies(settings.integer("width"), sinusoidal_params(settings));
  const double k = std::min(10.0, settings.real("reach"));
  std::vector<Term> waves;
  for (const double w : frequencies) waves.push_back(cos(term(k) * w));
  Worked worked;
  return worked
      .add("\\langle \\mathrm{PE}(p), \\mathrm{PE}(p + " + worked::number_tex(k, 17) + ")\\rangle",
           worked::sum(waves), products["sum of cosines"][static_cast<std::size_t>(k)])
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  const auto [products, projected] = measured(run, settings);
  Picture picture(
      "The product of two rows depends on how far apart they are, and not on where",
      "Left, the dot products of all pairs of positions, the same along every diagonal. Right, the product "
      "against the distance, measured from several places: all lie on one curve, the same in both "
      "directions. Below, the same rows through two random projections, a curve for each place.");
  picture.at({0, 0}, "matrix", matrix_panel(run, settings));
  picture.at({0, 1}, "distance", distance_panel(settings, products, settings.choice("show") == "distance"));
  picture.at({1, 0, 1, 2}, "projected", projected_panel(projected));
  return {std::move(picture).figure(settings, {.aspect = 1.2, .rows = {1.2, 1}, .cols = {1, 1.1}}),
          {products.table(), projected.table()},
          checks_of(run, settings, products),
          worked_of(settings, products)};
}

constexpr auto tries = std::to_array<Try>({
    {"Count from far away: the curve of the rows stays, those of the projections do not.",
     "places=0,20000,65536",
     [](auto& now, auto& before) {
       const auto &products = now.tables[0].columns,
                  &projected = now.tables[1].columns;  // the last place is far
       return largest_difference(products.back().values, column(before, "dot_products", "sum of cosines")) <
                  1e-2 &&
              largest_difference(projected.back().values, projected[1].values) > 0.1;
     }},
    {"A small base: every wave comes round within 61 tokens, and rows farther apart have next to nothing in common.",
     "base=10 reach=256",
     [](auto& now, auto&) {
       const double own = at(now, "dot_products", "sum of cosines", 0);
       return largest(column_from(now, "dot_products", "sum of cosines", 61)) < 0.12 * own;
     }},
    {"One pair alone: 44 tokens are seven turns of its clock, and nearly no distance.", "width=2 reach=64",
     [](auto& now, auto&) { return at(now, "dot_products", "sum of cosines", 44) > 0.999; }},
});

}  // namespace

extern const Study study{
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

}  // namespace orrery::study::position_dot_product
