#include "app/study/norm/hand_norm.h"

#include "app/study/kit.h"

namespace orrery::study {
namespace {

Matrix normed_on(const Run& run, const Typed& typed) {
  const Matrix x = row_matrix(typed.x);
  return typed.layer ? twin::layer_norm(run, x, {.eps = typed.eps})
                     : twin::rms_norm(run, x, {.eps = typed.eps});
}

/// How far a digit of x̂ may be off: each x − μ carries a rounding of the largest x, in units of the root.
double normed_error(const Typed& typed, const HandNorm& hand) {
  return 4 * 0x1p-53 * number(typed.x.size()) * (1 + largest(typed.x) / hand.root);
}

int normed_decimals(const Typed& typed, const HandNorm& hand, double factor) {
  return right_decimals(typed.digits, normed_error(typed, hand) * factor);
}

/// "\frac{1+2+3+4}{4}"
std::string mean_of(const std::vector<std::string>& terms) {
  std::string sum;
  for (const std::string& term : terms) sum += (sum.empty() || term.starts_with('-') ? "" : "+") + term;
  return terms.size() == 1 ? sum : "\\frac{" + sum + "}{" + std::to_string(terms.size()) + "}";
}

std::vector<std::string> typed_terms(const std::vector<double>& values, int significant) {
  std::vector<std::string> terms;
  for (const double x : values) terms.push_back(tex_digits(x, significant));
  return terms;
}

/// As fractions where all of them are known and short, else in digits.
std::vector<std::string> terms_of(const std::vector<Fraction>& exact, const std::vector<double>& values) {
  std::vector<std::string> terms;
  for (const Fraction& f : exact) terms.push_back(tex(f));
  if (std::ranges::any_of(terms, &std::string::empty)) return typed_terms(values, 6);
  return terms;
}

/// The mean of terms, "\frac{1+4}{2} = \frac{5}{2} = 2.5", and "\approx" where a term was cut or the digits go on.
std::string mean_text(const std::vector<double>& values, const Fraction& exact, double value, int digits) {
  const std::vector<std::string> terms = typed_terms(values, 6);
  bool in_full = true;
  for (std::size_t j = 0; j < values.size(); ++j) in_full = in_full && gives_back(terms[j], values[j]);
  const std::string mean = mean_of(terms), fraction = tex(exact), decimal = tex_digits(value, digits + 1);
  if (mean == decimal) return mean;  // of one number
  if (fraction.empty() || exact.whole()) return mean + equals(mean, decimal, value, in_full) + decimal;
  return mean + equals(mean, fraction, value, in_full) + fraction + equals(fraction, decimal, value) +
         decimal;
}

BoardLine cells_line(std::string name, const std::vector<std::string>& terms, std::string shape) {
  BoardLine line{.name = std::move(name), .shape = std::move(shape)};
  for (const std::string& term : terms) {
    line.cells.push_back(in_dollars(term));
    if (term.find("\\frac") != std::string::npos) line.height = 1.4;
  }
  return line;
}

/// No more than the widest of so many numbers has room for, on the narrowest page too.
int decimals_with_room(const std::vector<double>& values) {
  constexpr int signs_of_a_line = 52;
  const int signs = signs_of_a_line / static_cast<int>(values.size());
  int whole = 0;
  for (const double x : values)
    whole = std::max(whole, signs_seen(cell_text(std::abs(x), 0)) + (x < 0 ? 1 : 0));
  return std::max(0, signs - whole - 1);  // the point
}

BoardLine digits_line(std::string name, const std::vector<double>& values, int decimals, std::string shape) {
  BoardLine line{.name = std::move(name), .shape = std::move(shape)};
  for (const double x : values)
    line.cells.push_back(cell_text(x, std::min(decimals, decimals_with_room(values))));
  return line;
}

/// "\sqrt{1.25 + 10^{-6}} \approx 1.118034"; without ε exact.
std::string root_text(const Typed& typed, const HandNorm& hand) {
  const std::string square = tex_digits(hand.mean_square, 8), eps = tex_digits(typed.eps, 6),
                    digits = tex_digits(hand.root, typed.digits + 1);
  const bool in_full = gives_back(square, hand.mean_square) && gives_back(eps, typed.eps);
  const auto comes_to = [&](const std::string& expression) {
    return expression + equals(expression, digits, hand.root, in_full) + digits;
  };
  if (typed.eps > 0) return comes_to("\\sqrt{" + square + " + " + eps + "}");
  const Surd exact = root_of(hand.exact_mean_square);
  const std::string known = hand.exact_mean_square.known() ? tex(exact) : "";
  if (known.empty()) return comes_to("\\sqrt{" + square + "}");
  const std::string radicand = tex(hand.exact_mean_square);
  const bool rational = exact.k == 1 && exact.c.whole();
  return "\\sqrt{" + (radicand.empty() ? square : radicand) + "} = " + known +
         (rational ? "" : equals(known, digits, hand.root) + digits);
}

/// "-\frac{3}{\sqrt{5}}" for each, or nothing where one of them is not known.
std::vector<std::string> exact_normed(const Typed& typed, const HandNorm& hand) {
  if (typed.eps > 0 || !hand.exact_mean_square.known()) return {};
  const Surd root = root_of(hand.exact_mean_square);
  if (!root.known()) return {};
  std::vector<std::string> all;
  for (const Fraction& x : hand.exact_centred) all.push_back(tex(divided(x, root)));
  return std::ranges::any_of(all, &std::string::empty) ? std::vector<std::string>{} : all;
}

constexpr const char* per_number = "$[B, T, D]$";
constexpr const char* per_token = "$[B, T, 1]$";

bool trivial(const Typed& typed) {
  return std::ranges::all_of(typed.gain, [](double g) { return g == 1; }) &&
         std::ranges::all_of(typed.bias, [](double b) { return b == 0; });
}

}  // namespace

HandNorm norm_by_hand(const Typed& typed) {
  HandNorm hand;
  const double width = number(typed.x.size());
  const Fraction count = std::ssize(typed.x);
  if (typed.layer) {
    for (const double x : typed.x) hand.mean += x / width;
    for (const double x : typed.x) hand.exact_mean = hand.exact_mean + Fraction::of(x);
    hand.exact_mean = hand.exact_mean / count;
    if (hand.exact_mean.known()) hand.mean = hand.exact_mean.value();
  }
  for (const double x : typed.x) {
    const Fraction exact = Fraction::of(x) - hand.exact_mean, square = exact * exact;
    hand.exact_centred.push_back(exact);
    hand.exact_squared.push_back(square);
    hand.exact_mean_square = hand.exact_mean_square + square;
    hand.centred.push_back(exact.known() ? exact.value() : x - hand.mean);
    hand.squared.push_back(hand.centred.back() * hand.centred.back());
    hand.mean_square += hand.squared.back() / width;
  }
  hand.exact_mean_square = hand.exact_mean_square / count;
  if (hand.exact_mean_square.known()) hand.mean_square = hand.exact_mean_square.value();
  hand.root = std::sqrt(hand.mean_square + typed.eps);
  const Matrix normed = normed_on(twin::on_reference({}), typed);
  hand.defined = hand.root > 0 && normed.allFinite();
  if (!hand.defined) return hand;
  for (std::size_t j = 0; j < typed.x.size(); ++j) {
    hand.normed.push_back(normed(0, Index(j)));
    hand.y.push_back(typed.gain[j] * hand.normed[j] + typed.bias[j]);
  }
  return hand;
}

std::vector<BoardLine> board_lines(const Typed& typed, const HandNorm& hand) {
  std::vector<BoardLine> lines{cells_line("$x$", typed_terms(typed.x, 6), per_number)};
  if (typed.layer) {
    lines.push_back({.name = "$\\mu$",
                     .statement = in_dollars(mean_text(typed.x, hand.exact_mean, hand.mean, typed.digits)),
                     .shape = per_token,
                     .height = 1.5});
    lines.push_back(cells_line("$x - \\mu$", terms_of(hand.exact_centred, hand.centred), per_number));
  }
  const std::vector<std::string> squares = terms_of(hand.exact_squared, hand.squared);
  lines.push_back(cells_line(typed.layer ? "$(x - \\mu)^2$" : "$x^2$", squares, per_number));
  lines.push_back({.name = typed.layer ? "$\\sigma^2$" : "$\\overline{x^2}$",
                   .statement = in_dollars(
                       mean_text(hand.squared, hand.exact_mean_square, hand.mean_square, typed.digits)),
                   .shape = per_token,
                   .height = 1.5});
  lines.push_back(
      {.name = typed.layer ? "$\\sqrt{\\sigma^2 + \\epsilon}$" : "$\\sqrt{\\overline{x^2} + \\epsilon}$",
       .statement = in_dollars(root_text(typed, hand)),
       .shape = per_token,
       .height = 1.5});
  if (!hand.defined) {
    lines.push_back(
        {.name = "$\\hat{x}$", .statement = "$\\frac{0}{0}$", .shape = per_number, .height = 1.5});
    return lines;
  }
  if (const std::vector<std::string> exact = exact_normed(typed, hand); !exact.empty())
    lines.push_back(cells_line("$\\hat{x}$", exact, per_number));
  const int decimals = normed_decimals(typed, hand, 1);
  if (!trivial(typed) || typed.eps > 0)
    lines.push_back(digits_line("$\\hat{x}$", hand.normed, decimals, per_number));
  if (!trivial(typed)) {
    lines.push_back(cells_line("$\\gamma$", typed_terms(typed.gain, 6), "$[D]$"));
    if (typed.layer) lines.push_back(cells_line("$\\beta$", typed_terms(typed.bias, 6), "$[D]$"));
  }
  lines.push_back(digits_line(typed.layer ? "$y = \\gamma \\hat{x} + \\beta$" : "$y = \\gamma \\hat{x}$",
                              hand.y, normed_decimals(typed, hand, 1 + largest(typed.gain)), per_number));
  return lines;
}

std::string worked_text(const Typed& typed, const HandNorm& hand) {
  using worked::Term;
  using worked::term;
  const std::size_t j = typed.marked;
  const auto mean = [&](const auto& each) {
    Term sum = each(0);
    for (std::size_t n = 1; n < typed.x.size(); ++n) sum = sum + each(n);
    return frac(sum, number(typed.x.size()));
  };
  Worked worked;
  if (typed.layer) worked.add("\\mu", mean([&](std::size_t n) { return term(typed.x[n]); }), hand.mean);
  worked.add(typed.layer ? "\\sigma^2" : "\\overline{x^2}",
             mean([&](std::size_t n) { return worked::power(hand.centred[n], 2); }), hand.mean_square);
  if (!hand.defined) return worked.tex();
  const Term normed = frac(hand.centred[j], sqrt(term(hand.mean_square) + typed.eps)),
             scaled = term(typed.gain[j]) * normed;
  worked.add(worked::subscripted("y", number(j + 1)), typed.layer ? scaled + typed.bias[j] : scaled,
             hand.y[j]);
  return worked.tex();
}

std::vector<Check> hand_checks(const Run& run, const Typed& typed, const HandNorm& hand) {
  std::vector<Check> checks;
  const Matrix known = Matrix{{1, 2, 3, 4}};
  if (typed.layer) {
    const Matrix y = twin::layer_norm(twin::on_reference({}), known, {.eps = 1e-6});
    checks.push_back(
        known_answer("LayerNorm of 1, 2, 3, 4 with $\\epsilon = 10^{-6}$ begins with −1.34164025",
                     std::abs(y(0, 0) + 1.34164025), 0.5e-8));
  } else {
    const Matrix y = twin::rms_norm(twin::on_reference({}), known, {.eps = 0});
    checks.push_back(known_answer("RMSNorm of 1, 2, 3, 4 ends with $4 / \\sqrt{7.5}$, 1.46059349",
                                  std::abs(y(0, 3) - 1.46059349), 0.5e-8));
  }
  if (!hand.defined) return checks;
  // What stands on the board, taken on with a calculator, against what the op gives on this device for the same numbers.
  const Matrix op = normed_on(run, typed);
  Worst off;
  for (std::size_t j = 0; j < typed.x.size(); ++j)
    off.meet(std::abs(hand.centred[j] / hand.root - op(0, Index(j))));
  const twin::Bounds bounds = typed.layer ? twin::Bounds{norm::layer_norm_bound, norm::layer_norm_gpu_bound}
                                          : twin::Bounds{norm::rms_norm_bound, norm::rms_norm_gpu_bound};
  // The fast twins are given the nearest floats, which moves x by 2^-24 of itself, in units of the root.
  const double given = run.device == DeviceChoice::ref ? 0 : 4 * 0x1p-24 * largest(typed.x) / hand.root;
  checks.push_back({"the lines taken on by hand end where the op does", off,
                    normed_error(typed, hand) + given + slack(run, bounds, op, number(typed.x.size()) + 4)});
  double mean = 0, square = 0;
  for (const double y : hand.normed) {
    mean += y / number(hand.normed.size());
    square += y * y / number(hand.normed.size());
  }
  const double kept = hand.mean_square / (hand.mean_square + typed.eps);
  if (typed.layer)
    checks.push_back({"the mean of $\\hat{x}$ is 0", std::abs(mean), normed_error(typed, hand)});
  checks.push_back(
      {typed.layer ? "the mean square of $\\hat{x}$ is $\\sigma^2 / (\\sigma^2 + \\epsilon)$"
                   : "the mean square of $\\hat{x}$ is $\\overline{x^2} / (\\overline{x^2} + \\epsilon)$",
       std::abs(square - kept), 3 * normed_error(typed, hand) * (1 + largest(hand.normed))});
  return checks;
}

}  // namespace orrery::study
