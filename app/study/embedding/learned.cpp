// Rows of positions (or of words) that were learned, beside the sinusoids of the same shape: which of them are alike, how long
// they are, how many directions they use, and how fast their columns turn.
//
//   cosines of learned rows | cosines of sinusoids
//   length of each row      | share of the first k singular values
//   power of the columns by frequency
#include "app/study/embedding/learned_rows.h"

#include "app/study/kit/spectra.h"
#include "app/study/position/sinusoidal_settings.h"
#include "app/study/reading.h"

namespace orrery::study::embedding_learned {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    file(
        "table", "Rows", ".npy|.safetensors",
        "rows × components, such as wpe.weight of GPT-2: .npy, or .safetensors#NAME; without a file, the 64 rows that "
        "a small model of our own learned"),
    whole("first", "First row", "0", {0, 1000000},
          "of the table; where it has no more, its last rows are shown"),
    whole("count", "Rows at once", "1024", {2, 1024}, "at most", {.travel = Travel::powers_of_two}),
    toggle("centre", "Centre", "off", "on: their mean is taken away from all rows first"),
    sinusoidal_base,
    show_parameter("all|rows|sinusoids|lengths|spectrum|frequencies"),
});

/// Of rows: what is drawn of the learned ones and of the sinusoids.
struct Analysis {
  Matrix rows, cosines{};
  std::vector<double> lengths{};
  std::vector<double> share{};  ///< of all squares, in the first 1, 2 … singular values, in percent
  std::vector<double> power{};  ///< of the columns at 0, 1 … turns over all rows, in percent
  double squares = 0;
  double spectrum_squares = 0, power_squares = 0;  ///< the same sum, by singular values and by frequencies
};

/// Squares of singular values, the largest first, by the smaller of the two products.
std::vector<double> singular_squares(const Matrix& rows) {
  const bool wide = rows.cols() > rows.rows();
  const Matrix product = wide ? Matrix(rows * rows.transpose()) : Matrix(rows.transpose() * rows);
  std::vector<double> squares = symmetric_eigenvalues(product);
  for (double& each : squares) each = std::max(each, 0.0);
  return squares;
}

/// Parseval: their sum is that of all squares. A frequency f stands for −f too.
std::vector<double> frequency_squares(const Matrix& rows) {
  const Index count = rows.rows(), half = count / 2 + 1;
  Matrix cosine(half, count), sine(half, count);
  for (Index f = 0; f < half; ++f)
    for (Index t = 0; t < count; ++t) {  // f t counted in whole turns first: the angle has all its digits
      const double turn = 2 * std::numbers::pi * number(f * t % count) / number(count);
      cosine(f, t) = std::cos(turn);
      sine(f, t) = std::sin(turn);
    }
  const Matrix a = cosine * rows, b = sine * rows;
  std::vector<double> squares;
  for (Index f = 0; f < half; ++f) {
    const double twice = f == 0 || 2 * f == count ? 1 : 2;
    squares.push_back(twice * (a.row(f).squaredNorm() + b.row(f).squaredNorm()) / number(count));
  }
  return squares;
}

double sum_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double each : x) sum += each;
  return sum;
}

Analysis analysed(const Run& run, Matrix rows, bool centre) {
  if (centre) rows.rowwise() -= rows.colwise().mean().eval();
  Analysis a{.rows = std::move(rows)};
  for (Index r = 0; r < a.rows.rows(); ++r) a.lengths.push_back(a.rows.row(r).norm());
  a.squares = a.rows.squaredNorm();
  const double whole = a.squares > 0 ? a.squares : 1;
  run.check();
  a.cosines = cosines_of(a.rows);
  run.check();
  const std::vector<double> spectrum = singular_squares(a.rows);
  a.spectrum_squares = sum_of(spectrum);
  double sum = 0;
  for (const double each : spectrum) a.share.push_back(100 * (sum += each) / whole);
  run.check();
  a.power = frequency_squares(a.rows);
  a.power_squares = sum_of(a.power);
  for (double& each : a.power) each *= 100 / whole;
  return a;
}

/// How many directions hold half of all squares.
double half_of(const Analysis& a) {
  const auto at = std::ranges::find_if(a.share, [](double share) { return share >= 50; });
  return number(at - a.share.begin() + (at == a.share.end() ? 0 : 1));
}

LearnedRows rows_of(const Settings& settings, const Run& run) {
  const std::string path = settings.file("table");
  const Index first = settings.integer("first"), count = settings.integer("count");
  if (path.empty()) return shipped_rows(first, count);
  return read_patiently(run.stop, path, [=] { return read_learned_rows(path, first, count); });
}

struct Pair {
  LearnedRows table;
  Analysis learned{}, sinusoids{};
};

Pair pair_of(const Settings& settings, const Run& run) {
  Pair pair{.table = rows_of(settings, run)};
  const bool centre = settings.toggle("centre");
  const Matrix& rows = pair.table.rows;
  pair.sinusoids =
      analysed(run,
               twin::sinusoidal(run, rows.rows(), rows.cols(),
                                {.base = settings.real("base"), .offset = number(pair.table.first)}),
               centre);
  pair.learned = analysed(run, rows, centre);
  return pair;
}

// Tables: what is drawn.

Series lengths_of(const Pair& pair) {
  std::vector<double> places;
  for (std::size_t r = 0; r < pair.learned.lengths.size(); ++r)
    places.push_back(number(pair.table.first) + number(r));
  Series lengths("lengths", {"row", "", std::move(places)});
  const auto over_mean = [](const std::vector<double>& x) {
    const double mean = sum_of(x) / number(x.size());
    std::vector<double> over = x;
    for (double& each : over) each = mean > 0 ? each / mean : 0;
    return over;
  };
  lengths.add("learned", pair.learned.lengths).add("sinusoid", pair.sinusoids.lengths);
  return lengths.add("learned over its mean", over_mean(pair.learned.lengths))
      .add("sinusoid over its mean", over_mean(pair.sinusoids.lengths));
}

Series spectrum_of(const Pair& pair) {
  Series spectrum("spectrum", {"directions", "", numbered(std::ssize(pair.learned.share))});
  return spectrum.add(Column{.name = "learned", .unit = "%", .values = pair.learned.share})
      .add(Column{.name = "sinusoid", .unit = "%", .values = pair.sinusoids.share});
}

Series power_of(const Pair& pair) {
  Series power("by_frequency", {"frequency", "turns", counted(std::ssize(pair.learned.power))});
  const double rows = number(pair.learned.rows.rows());
  power.add("turns a row", [&](double f) { return f / rows; });
  return power.add(Column{.name = "learned", .unit = "%", .values = pair.learned.power})
      .add(Column{.name = "sinusoid", .unit = "%", .values = pair.sinusoids.power});
}

/// Mean cosine of all rows so far apart.
Series by_distance_of(const Pair& pair) {
  const Index count = pair.learned.cosines.rows();
  Series by_distance("by_distance", {"distance", "rows", counted(count)});
  const auto mean_of = [count](const Matrix& cosines) {
    return [&cosines, count](double k) {
      double sum = 0;
      for (Index r = static_cast<Index>(k); r < count; ++r) sum += cosines(r, r - static_cast<Index>(k));
      return sum / (number(count) - k);
    };
  };
  return by_distance.add("learned", mean_of(pair.learned.cosines))
      .add("sinusoid", mean_of(pair.sinusoids.cosines));
}

double rows_of_zeros(const Pair& pair) {
  return number(std::ranges::count(pair.learned.lengths, 0.0));
}

Table halves_table(const Pair& pair) {
  Table table{"halves",
              {{.name = "first row", .digits = 9},
               {.name = "rows"},
               {.name = "rows of the table", .digits = 9},
               {.name = "components"},
               {.name = "rows of zeros"},
               {.name = "learned, directions of half"},
               {.name = "sinusoids, directions of half"}}};
  add_row(table, pair.table.first, pair.learned.rows.rows(), pair.table.all, pair.learned.rows.cols(),
          rows_of_zeros(pair), half_of(pair.learned), half_of(pair.sinusoids));
  return table;
}

/// Of the rows that came with the program.
Table training_table() {
  const Training& t = shipped_training();
  Table table{"training",
              {{.name = "seed"},
               {.name = "training steps"},
               {.name = "lines at a step"},
               {.name = "loss", .unit = "nat"},
               {.name = "least possible loss", .unit = "nat"}}};
  add_row(table, t.seed, t.steps, t.lines, t.loss, t.least);
  return table;
}

// Panels.

Panel cosines_panel(std::string title, const Pair& pair, const Matrix& cosines) {
  Panel panel = square_map_panel(
      std::move(title), heatmap(cosines, {.map = ColorMap::diverging, .range = Range{-1, 1}, .group = 1}),
      "row", "row");
  // Rows have their numbers in the table.
  const double first = number(pair.table.first), last = first + number(cosines.rows()) - 1;
  auto& map = std::get<Heatmap>(panel.marks.front());
  panel.x.range = panel.y.range = map.x = map.y = Range{first - 0.5, last + 0.5};
  panel.y.group = 1;
  return panel;
}

/// A row of zeros, as that of a padding token, has no direction.
std::string learned_title(const Pair& pair) {
  const double zeros = rows_of_zeros(pair);
  if (zeros == 0) return "Cosines of learned rows";
  return "Cosines of learned rows, 0 for " + amount(zeros, "row of zeros", "rows of zeros");
}

Line learned_line(const Series& of, std::string_view column) {
  return of.line(column, {.ink = series(0), .label = "learned"});
}
Line sinusoid_line(const Series& of, std::string_view column) {
  return of.line(column, {.ink = series(1), .label = "sinusoids"});
}

Panel lengths_panel(const Series& lengths, bool alone) {
  return {.title = "Length of each row / mean",
          .x = counts("row"),
          .y = values(),
          .marks = {learned_line(lengths, "learned over its mean"),
                    sinusoid_line(lengths, "sinusoid over its mean")},
          .legend = alone ? LegendPlace::above : LegendPlace::none,
          .series_group = 1};
}

Panel spectrum_panel(const Series& spectrum) {
  return {.title = "Held by the first directions",
          .x = counts("directions"),
          .y = values("share / %", Range{0, 103}),
          .marks = {quiet_level(50), learned_line(spectrum, "learned"), sinusoid_line(spectrum, "sinusoid")},
          .legend = LegendPlace::above,
          .series_group = 1};
}

Panel frequencies_panel(const Series& power, double rows) {
  return {.title = "How fast columns turn",
          .x = counts("turns over " + grouped(rows) + " rows"),
          .y = values("share / %"),
          .marks = {learned_line(power, "learned"), sinusoid_line(power, "sinusoid")},
          .legend = LegendPlace::above,
          .series_group = 1};
}

std::string directions(double n) {
  return amount(n, "direction", "directions");
}

std::string title_of(const Pair& pair) {
  const double learned = half_of(pair.learned), sinusoids = half_of(pair.sinusoids);
  const Index count = pair.learned.rows.rows(), first = pair.table.first;
  const std::string end =
      " lies in " + directions(learned) + ", of as many sinusoids in " + grouped(sinusoids);
  if (count == pair.table.all)
    return "Half of the squares of " + grouped(number(count)) + " learned rows" + end;
  return "Half of the squares of rows " + grouped(number(first)) + " to " +
         grouped(number(first + count - 1)) + " of " + grouped(number(pair.table.all)) + end;
}

std::vector<Check> checks_of(const Run& run, const Settings& settings, const Pair& pair) {
  const double n = number(pair.learned.rows.rows()), d = number(pair.learned.rows.cols());
  Worst spectrum, power;
  for (const Analysis* a : {&pair.learned, &pair.sinusoids}) {
    if (a->squares == 0) continue;
    spectrum.meet(std::abs(a->spectrum_squares / a->squares - 1));
    power.meet(std::abs(a->power_squares / a->squares - 1));
  }
  // Of sinusoids a row's cosine with the next is the mean of cos ω over all pairs, wherever they stand.
  double next = 0;
  const std::vector<double> omega =
      position::sinusoidal_frequencies(pair.learned.rows.cols(), {.base = settings.real("base")});
  for (const double w : omega) next += std::cos(w) / number(omega.size());
  const Matrix plain = twin::sinusoidal(run, 2, pair.learned.rows.cols(),
                                        {.base = settings.real("base"), .offset = number(pair.table.first)});
  return {
      // A product sums max(n, d) terms; its trace is that of its eigenvalues but for min(n, d) of its largest in 2^-53.
      {"squares of the singular values sum to the squares of all components", spectrum,
       (n + d) * std::min(n, d) * 0x1p-53},
      // A coefficient sums n terms, each of three roundings; all of them add up like √n of one.
      {"squares by frequency sum to the same", power, 4 * (n + 2) * std::sqrt(n) * 0x1p-53},
      {"the cosine of a sinusoid with the next is the mean of $\\cos\\omega_i$",
       std::abs(plain.row(0).dot(plain.row(1)) / (d / 2) - next),
       sinusoidal_dot_slack(run, pair.learned.rows.cols(), number(pair.table.first) + 1) / (d / 2) +
           d * 0x1p-52}};
}

/// The first row: how long its sinusoid is, and how much of all squares the strongest direction holds.
std::string worked_of(const Settings& settings, const Pair& pair) {
  Worked worked;
  const double d = number(pair.learned.rows.cols());
  if (!settings.toggle("centre")) worked.add("|\\mathrm{PE}|", sqrt(term(d) / 2), std::sqrt(d / 2));
  const double squares = pair.learned.squares;
  if (!(squares > 0)) return worked.tex();
  const double strongest = std::sqrt(pair.learned.share.front() / 100 * squares);
  return worked
      .add("a_1", 100 * worked::frac(worked::power(strongest, 2), squares), pair.learned.share.front())
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Pair pair = pair_of(settings, run);
  const Series lengths = lengths_of(pair), spectrum = spectrum_of(pair), power = power_of(pair);
  Picture picture(
      title_of(pair),
      "Above, the cosines of all pairs of rows, left of the learned ones, right of sinusoids of the same "
      "shape. Below, how long each row is, how much of all squares the first singular values hold, and how "
      "many turns the columns make from the first row to the last.");
  picture.at({0, 0}, "rows", cosines_panel(learned_title(pair), pair, pair.learned.cosines));
  picture.at({0, 1}, "sinusoids", cosines_panel("Cosines of sinusoids", pair, pair.sinusoids.cosines));
  picture.at({1, 0}, "lengths", lengths_panel(lengths, settings.choice("show") != "all"));
  picture.at({1, 1}, "spectrum", spectrum_panel(spectrum));
  picture.at({2, 0, 1, 2}, "frequencies", frequencies_panel(power, number(pair.learned.rows.rows())));
  std::vector<Table> tables{halves_table(pair), lengths.table(), spectrum.table(), power.table(),
                            by_distance_of(pair).table()};
  if (settings.file("table").empty()) tables.push_back(training_table());
  return {std::move(picture).figure(settings, {.aspect = 0.85,
                                               .rows = {1.5, 0.9, 0.8},
                                               .cols = {1, 1},
                                               .telling = {"rows", "sinusoids", "frequencies", "spectrum"}}),
          std::move(tables), checks_of(run, settings, pair), worked_of(settings, pair)};
}

constexpr auto tries = std::to_array<Try>({
    {"How fast columns turn: learned rows have a turn in 4 and in 8, for that is what their task asks.",
     "show=frequencies",
     [](auto& now, auto&) {
       return at(now, "by_frequency", "learned", 8) + at(now, "by_frequency", "learned", 16) > 40 &&
              at(now, "by_frequency", "turns a row", 8) == 1.0 / 8 &&
              at(now, "by_frequency", "turns a row", 16) == 1.0 / 4;
     }},
    {"Rows eight apart are alike, rows four apart are not; of sinusoids nearer is more alike.", "show=rows",
     [](auto& now, auto&) {
       const auto& sinusoid = column(now, "by_distance", "sinusoid");
       return at(now, "by_distance", "learned", 8) > 0.5 && at(now, "by_distance", "learned", 4) < 0.3 &&
              sinusoid[1] > sinusoid[2] && sinusoid[2] > sinusoid[3];
     }},
    {"Without their mean: sinusoids lose what never turns, and take more directions.", "centre=on",
     [](auto& now, auto& before) {
       return column(now, "halves", "sinusoids, directions of half").front() >
              column(before, "halves", "sinusoids, directions of half").front();
     }},
    {"Sinusoids of base 20 turn all: of them, too, half takes many directions.", "base=20",
     [](auto& now, auto& before) {
       return column(now, "halves", "sinusoids, directions of half").front() >
              column(before, "halves", "sinusoids, directions of half").front() + 2;
     }},
});

}  // namespace

extern const Study study{
    .id = "embedding/learned",
    .title = "Learned positions",
    .topic = "Embeddings and output",
    .summary = "rows that were learned beside sinusoids: alike, long, spread, turning",
    .formula =
        R"(C_{mn} = \frac{e_m \cdot e_n}{|e_m|\,|e_n|}, \quad a_k = \frac{\sigma_1^2 + \ldots + \sigma_k^2}{\sum_j \sigma_j^2})",
    .about =
        "GPT-2, BERT and OPT learn a row for each position. Without a file, 64 rows of a model of one block are shown, which "
        "./dev learn-positions trains anew: the next of 16 letters is that of four places before, seven times in ten, and else one "
        "of the four letters of its beat, the place modulo 8. So its rows tell the beat, and turn as it does. A row of zeros, as "
        "RoBERTa has for its padding, has no direction: its cosines are drawn as 0.",
    .source =
        "Radford et al. 2019 (GPT-2, wpe); Wang, Chen 2020, arXiv 2010.04903, on what learned positions are like; "
        "the 64 rows without a file: tests/reference/make_learned_positions.py",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::embedding_learned
