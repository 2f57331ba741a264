// RoPE of a few typed numbers, written out as on a board: angles, cosines and sines, products, sums.
#include <complex>

#include "app/study/kit.h"
#include "app/study/rope/rotation_board.h"

namespace orrery::study::rope_steps {
namespace {

using position::RopeLayout;

constexpr double farthest = 96;   // distances drawn
constexpr Index least_head = 64;  // of what is compared by distance: a few pairs alone all come round

constexpr auto parameters = std::to_array<Parameter>({
    numbers(
        "vector", "Vector", "1,2,3,4", {-100, 100},
        "x: up to eight numbers, the components of the head's first pairs; one without a partner is paired with 0"),
    whole("position", "Position", "3", {0, 131072}, "m: where the token stands",
          {.travel = Travel::log, .unit = "tokens", .plays = true}),
    real("base", "Base", "10000", {2, 1e9}, "b: 10 000 in the paper",
         {.travel = Travel::log, .model_fact = "rope_theta"}),
    whole("head_width", "Head width", "4", {2, 256},
          "d: of a head wider than the vector the first pairs are turned; never narrower than the vector",
          {.travel = Travel::powers_of_two, .multiple = 2, .model_fact = "rotary_dim"}),
    choice("layout", "Layout", "interleaved|half",
           "which numbers make a pair: neighbours, or one from each half", {.model_fact = "layout"}),
    choice("frequencies", "Frequencies", "powers|multiples",
           "powers of the base, or the multiples θ, 2θ, 3θ that some notes have by mistake"),
    choice("form", "Written as", "products|matrix|complex",
           "a sum of products for each number, a matrix or a complex factor for each pair",
           {.presentation = true}),
    whole("digits", "Digits", "6", {2, 10}, "after the point", {.presentation = true}),
    show_parameter("all|angles|turned|scores"),
});

Index compared_head(const Settings& settings) {
  return std::max(head_of(settings), least_head);
}

/// How alike a vector of equal pairs is to itself so far away: the mean of cos(k θ_i) over all pairs of the head.
Series score_series(const Settings& settings) {
  const Index d = compared_head(settings);
  const std::vector<double> powers = position::rope_default_frequencies(d, settings.real("base")),
                            wrong = numbered(d / 2);
  const auto mean = [](const std::vector<double>& frequencies, double k) {
    double sum = 0;
    for (const double w : frequencies) sum += std::cos(k * w);
    return sum / number(frequencies.size());
  };
  Series scores("scores", {"distance", "tokens", counted(Index(farthest) + 1)});
  scores.add("powers of the base", [&](double k) { return mean(powers, k); });
  scores.add("multiples", [&](double k) { return mean(wrong, k); });
  return scores;
}

Panel score_panel(const Settings& settings, const Series& scores) {
  const bool mistake = by_mistake(settings);
  const char *chosen = mistake ? "multiples" : "powers of the base",
             *other = mistake ? "powers of the base" : "multiples";
  return {
      .title = "How alike a vector is to itself so far away, $d = " +
               std::to_string(compared_head(settings)) + "$",
      .x = counts("distance $k$"),
      .y = values("mean of $\\cos k\\theta_i$", Range{-1.05, 1.05}),
      .marks = {scores.line(other,
                            {.ink = ink(Role::faint), .width = 0.8, .label = other, .dash_by_series = false}),
                scores.line(
                    chosen,
                    {.ink = ink(Role::accent), .width = 1.3, .label = chosen, .dash_by_series = false})},
      .legend = LegendPlace::above};
}

Table pair_table(const std::vector<Pair>& pairs) {
  Table table{"pairs",
              {{.name = "pair"},
               {.name = "frequency", .unit = "rad/token", .digits = 12},
               {.name = "angle", .unit = "rad", .digits = 12},
               {.name = "cos", .digits = 12},
               {.name = "sin", .digits = 12},
               {.name = "$x_a$", .digits = 12},
               {.name = "$x_b$", .digits = 12},
               {.name = "$y_a$", .digits = 12},
               {.name = "$y_b$", .digits = 12}}};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair& p = pairs[i];
    add_row(table, i, p.frequency, p.angle, p.cos, p.sin, p.a, p.b, p.turned_a, p.turned_b);
  }
  return table;
}

/// The last pair, whose frequency is the one that the base decides.
std::string worked_text(const Settings& settings, const std::vector<Pair>& pairs) {
  using worked::term;
  const Pair& p = pairs.back();
  const Index i = std::ssize(pairs) - 1;
  const worked::Term frequency =
      by_mistake(settings) ? term(number(i + 1))
                           : worked::power(settings.real("base"), (i == 0 ? term(0) : -term(number(2 * i))) /
                                                                      number(head_of(settings)));
  const worked::Term angle = term(number(settings.integer("position"))) * frequency;
  return Worked()
      .add(worked::subscripted("m\\theta", number(i)), angle, p.angle)
      .add(y_name(p.first), p.a * cos(angle) - p.b * sin(angle), p.turned_a)
      .tex();
}

std::vector<Check> checks_of(const Settings& settings, const Run& run, const std::vector<Pair>& pairs) {
  const Matrix x = row_matrix(vector_of(settings));
  Worst off, grown;
  double size = 0, error = 0;
  for (const Pair& p : pairs) {
    const std::complex<double> turned = std::polar(1.0, p.angle) * std::complex(p.a, p.b);
    off.meet(std::abs(turned - std::complex(p.turned_a, p.turned_b)));
    grown.meet(std::abs(std::hypot(p.turned_a, p.turned_b) - std::hypot(p.a, p.b)));
    size = std::max(size, std::hypot(p.a, p.b));
    error = std::max(error, turned_error(p));
  }
  const Matrix known =
      twin::rope(twin::on_reference({}), Matrix{{1, 0, 1, 0}},
                 position::rope_table(std::array{3.0}, position::rope_default_frequencies(4, 10000)),
                 RopeLayout::interleaved);
  const position::RopeTable table = twin::rounded(table_of(settings));
  return {{"every pair is its complex number times $e^{\\mathrm{i} m\\theta_i}$", off, error},
          {"no pair changed its length", grown, 8 * 0x1p-53 * size},
          known_answer("base 10 000, $d = 4$, position 3: cos 3 = −0.9899924966 and sin 0.03 = 0.0299955002",
                       std::max(std::abs(known(0, 0) + 0.9899924966), std::abs(known(0, 3) - 0.0299955002)),
                       1e-10),
          twin::equals_reference(run, {position::rope_bound, position::rope_gpu_bound}, [&](const Run& each) {
            return twin::rope(each, twin::rounded(x), table, layout_of(settings));
          })};
}

std::string title_of(const Settings& settings, const std::vector<Pair>& pairs) {
  const Pair& p = pairs.front();
  return std::string(by_mistake(settings) ? "Multiples of one angle are no RoPE: at position "
                                          : "RoPE by hand: at position ") +
         grouped(number(settings.integer("position"))) + " the pair (" + grouped(p.a) + ", " + grouped(p.b) +
         ") turns to (" + short_text(p.turned_a, 4) + ", " + short_text(p.turned_b, 4) + ")";
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const std::vector<Pair> pairs = pairs_of(settings);
  const Series scores = score_series(settings);
  const std::vector<BoardLine> angles = angle_lines(settings, pairs), turned = turned_lines(settings, pairs);
  Picture picture(
      title_of(settings, pairs),
      "For each pair its frequency, angle, cosine and sine; below, how they turn the numbers of the "
      "vector; and how alike a vector is to itself at other distances, with powers of the base and with "
      "multiples of one angle.");
  picture.at({0, 0}, "angles",
             board_panel({.title = "Angles at $m = " + std::to_string(settings.integer("position")) + "$",
                          .columns = 4,
                          .cells_from = 0.04},
                         angles));
  picture.at({1, 0}, "turned",
             board_panel({.title = "Each pair turned",
                          .cells_from = settings.choice("form") == "complex" ? 0.16 : 0.11},
                         turned));
  picture.at({2, 0}, "scores", score_panel(settings, scores));
  return {.figure = std::move(picture).figure(
              settings, {.aspect = 1.15,
                         .rows = {0.17 * board_height(angles), 0.17 * board_height(turned), 0.9},
                         .telling = {"turned", "angles", "scores"}}),
          .tables = {pair_table(pairs), scores.table()},
          .checks = checks_of(settings, run, pairs),
          .worked = worked_text(settings, pairs)};
}

constexpr auto tries = std::to_array<Try>({
    {"The same as complex numbers: a pair times a number of length 1.", "form=complex vector=1,0,0,1",
     [](auto& now, auto&) {
       const auto &a = column(now, "pairs", "$y_a$"), &b = column(now, "pairs", "$y_b$");
       return std::abs(std::hypot(a[0], b[0]) - 1) < 1e-15 && std::abs(std::hypot(a[1], b[1]) - 1) < 1e-15;
     }},
    {"The other layout, as matrices: 1 is now paired with 3 and 2 with 4.", "layout=half form=matrix",
     [](auto& now, auto&) {
       return column(now, "pairs", "$x_a$") == std::vector{1.0, 2.0} &&
              column(now, "pairs", "$x_b$") == std::vector{3.0, 4.0};
     }},
    {"The first pairs of a head of 64: all of them are fast.", "head_width=64 position=1",
     [](auto& now, auto&) { return least(column(now, "pairs", "frequency")) > 0.7; }},
    {"The mistake θ, 2θ, 3θ: 44 tokens away looks almost like no distance, since 44 is nearly 14π.",
     "frequencies=multiples",
     [](auto& now, auto&) {
       return at(now, "scores", "multiples", 44) > 0.9 && at(now, "scores", "powers of the base", 44) < 0.6;
     }},
});

}  // namespace

extern const Study study{
    .id = "rope/steps",
    .title = "RoPE by hand",
    .topic = "Rotary positions",
    .summary = "a few numbers at one position, turned pair by pair",
    .formula =
        R"(\theta_i = b^{-2i/d}, \quad \begin{pmatrix} y_a \\ y_b \end{pmatrix} = \begin{pmatrix} \cos m\theta_i & -\sin m\theta_i \\ \sin m\theta_i & \cos m\theta_i \end{pmatrix} \begin{pmatrix} x_a \\ x_b \end{pmatrix})",
    .derivation =
        "Write a pair as $z = x_a + \\mathrm{i}\\,x_b$; a turn by $\\varphi$ is then the product with "
        "$e^{\\mathrm{i}\\varphi} = \\cos\\varphi + \\mathrm{i}\\sin\\varphi$.\n"
        "The real part of $z e^{\\mathrm{i}\\varphi}$ is "
        "$x_a \\cos\\varphi - x_b \\sin\\varphi$, the imaginary part $x_a \\sin\\varphi + x_b \\cos\\varphi$: the two rows of "
        "the matrix.\n"
        "A query turned by $m\\theta$ and a key turned by $n\\theta$ have the product "
        "$\\mathrm{Re}(q e^{\\mathrm{i}m\\theta}\\, \\overline{k e^{\\mathrm{i}n\\theta}}) = "
        "\\mathrm{Re}(q \\bar{k} e^{\\mathrm{i}(m-n)\\theta})$: only $m - n$ is left.",
    .about =
        "Type the numbers of a vector and a position: each pair of them is turned by its own angle, digit by digit. "
        "The angles are powers of the base. Some notes take multiples of one angle instead; then all pairs come round "
        "together, and far tokens look near.",
    .source = "Su et al. 2021, arXiv 2104.09864, eq. 13 and 34",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::rope_steps
