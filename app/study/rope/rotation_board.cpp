#include "app/study/rope/rotation_board.h"

#include "app/study/kit.h"

namespace orrery::study::rope_steps {
namespace {

std::string base_text(const Settings& settings) {
  const std::string base = tex_exact(settings.real("base"));
  return base.find('\\') == std::string::npos ? base : "(" + base + ")";
}

/// "- 2 \cdot 0.141120": a term behind another.
std::string next_term(double factor, double by, int decimals) {
  const bool minus = factor < 0;
  return std::string(minus ? " - " : " + ") + tex_digits(std::abs(factor), 9) + " \\cdot " +
         tex_fixed_factor(by, decimals);
}

std::string complex_text(double re, double im, const auto& said) {
  return said(re) + (im < 0 ? " - " : " + ") + said(std::abs(im)) + "\\,\\mathrm{i}";
}

/// One number of a turned pair: the sum of products that it is, and what it comes to.
struct Turned {
  std::string sum, sign, result;
  bool exact() const { return sign == " = "; }
};

Turned turned(double first, double with, double second, double other, double result, int decimals) {
  Turned t{.sum = tex_digits(first, 9) + " \\cdot " + tex_fixed_factor(with, decimals) +
                  next_term(second, other, decimals),
           .sign = {},
           .result = tex_fixed(result, decimals)};
  const auto in_full = [&](double by) { return gives_back(tex_fixed(by, decimals), by); };
  t.sign = equals(t.sum, t.result, result, in_full(with) && in_full(other));
  return t;
}

Turned first_of(const Pair& p, int decimals) {
  return turned(p.a, p.cos, -p.b, p.sin, p.turned_a, decimals);
}
Turned second_of(const Pair& p, int decimals) {
  return turned(p.a, p.sin, p.b, p.cos, p.turned_b, decimals);
}

/// Of both numbers of a pair at once.
const char* sign_of(const Pair& p, int decimals) {
  return first_of(p, decimals).exact() && second_of(p, decimals).exact() ? " = " : " \\approx ";
}

void add_products(std::vector<BoardLine>& lines, const Pair& p, int decimals, bool marked) {
  const auto line = [&](Index dimension, const Turned& t) {
    lines.push_back({.name = in_dollars(y_name(dimension)),
                     .statement = in_dollars(t.sum + t.sign + t.result),
                     .loud = marked});
  };
  line(p.first, first_of(p, decimals));
  line(p.second, second_of(p, decimals));
}

}  // namespace

int decimals_of(const Settings& settings, const Pair& pair) {
  return right_decimals(static_cast<int>(settings.integer("digits")), turned_error(pair));
}

std::string frequency_text(const Settings& settings, Index pair) {
  if (by_mistake(settings)) return std::to_string(pair + 1);
  return base_text(settings) + "^{-" + std::to_string(2 * pair) + "/" + std::to_string(head_of(settings)) +
         "}";
}

std::string y_name(Index dimension) {
  return "y_{" + std::to_string(dimension) + "}";
}

std::vector<BoardLine> angle_lines(const Settings& settings, const std::vector<Pair>& pairs) {
  const bool mistake = by_mistake(settings);
  std::vector<BoardLine> lines{
      {.name = "$i$",
       .cells = {mistake ? "$(i+1)\\,\\theta, \\; \\theta = 1$" : "$\\theta_i = b^{-2i/d}$",
                 "$m\\,\\theta_i$", "$\\cos m\\theta_i$", "$\\sin m\\theta_i$"},
       .quiet = true}};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair& p = pairs[i];
    const int decimals = decimals_of(settings, p);
    const std::string frequency = frequency_text(settings, Index(i)), value = tex_digits(p.frequency, 6);
    lines.push_back(
        {.name = in_dollars(std::to_string(i)),
         .cells = {in_dollars(mistake ? value : frequency + equals(frequency, value, p.frequency) + value),
                   in_dollars(tex_digits(p.angle, 9)), cell_text(p.cos, decimals),
                   cell_text(p.sin, decimals)}});
  }
  return lines;
}

std::vector<BoardLine> turned_lines(const Settings& settings, const std::vector<Pair>& pairs) {
  const std::string& form = settings.choice("form");
  std::vector<BoardLine> lines;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair& p = pairs[i];
    const int decimals = decimals_of(settings, p);
    const bool marked = i == 0;
    const auto fixed = [&](double x) { return tex_fixed(x, decimals); };
    const auto typed = [&](double x) { return tex_digits(x, 9); };
    if (form == "products") {
      add_products(lines, p, decimals, marked);
    } else if (form == "matrix") {
      lines.push_back(
          {.name = "$\\begin{pmatrix}" + y_name(p.first) + "\\\\" + y_name(p.second) + "\\end{pmatrix}$",
           .statement = "$\\begin{pmatrix}" + fixed(p.cos) + " & " + fixed(-p.sin) + "\\\\" + fixed(p.sin) +
                        " & " + fixed(p.cos) + "\\end{pmatrix} \\begin{pmatrix}" + typed(p.a) + "\\\\" +
                        typed(p.b) + "\\end{pmatrix}" + sign_of(p, decimals) + "\\begin{pmatrix}" +
                        fixed(p.turned_a) + "\\\\" + fixed(p.turned_b) + "\\end{pmatrix}$",
           .height = 2.4,
           .loud = marked});
    } else {
      lines.push_back({.name = in_dollars(y_name(p.first) + " + \\mathrm{i}\\," + y_name(p.second)),
                       .statement = in_dollars(
                           "(" + complex_text(p.a, p.b, typed) + ")(" + complex_text(p.cos, p.sin, fixed) +
                           ")" + sign_of(p, decimals) + complex_text(p.turned_a, p.turned_b, fixed)),
                       .height = 1.2,
                       .loud = marked});
    }
  }
  return lines;
}

}  // namespace orrery::study::rope_steps
