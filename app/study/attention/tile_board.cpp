#include "app/study/attention/tile_board.h"

#include <string>

namespace orrery::study::attention_online {
namespace {

constexpr int long_tile = 3;  // keys; of more a board has the first two and the last

/// Numbers apart by commas.
std::string listed(const std::vector<double>& numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : ",\\; ") + tex_digits(x, 6);
  return text;
}

/// "e^{0} + e^{-3}", each with its value where there are values; of a long tile the first two and the last.
std::string exponentials(const Step& step, bool with_values) {
  std::string text;
  const std::ptrdiff_t count = std::ssize(step.scores);
  for (std::ptrdiff_t n = 0; n < count; ++n) {
    if (count > long_tile && n == 2) text += " + \\dots";
    if (count > long_tile && n >= 2 && n < count - 1) continue;
    const auto at = static_cast<std::size_t>(n);
    text += (n > 0 ? " + " : "") + std::string("e^{") + tex_digits(step.scores[at] - step.after.max, 6) +
            "}" + (with_values ? " \\cdot " + tex_factor(step.values[at], 6) : "");
  }
  return text;
}

}  // namespace

std::vector<BoardLine> board_lines(const Step& s, int digits) {
  const auto shown = [&](double x) { return tex_digits(x, digits + 1); };
  const auto whole = [&](double x) { return gives_back(shown(x), x); };
  const auto line = [](std::string name, const std::string& statement) {
    return BoardLine{.name = std::move(name), .statement = in_dollars(statement)};
  };
  const auto comes_to = [&](const std::string& expression, double result, bool in_full) {
    return expression + equals(expression, shown(result), result, in_full) + shown(result);
  };
  const auto carried = [&](double kept) {
    return s.first() ? std::string()
                     : shown(s.correction()) + " \\cdot " + tex_factor(kept, digits + 1) + " + ";
  };
  const auto carried_whole = [&](double kept) { return s.first() || (whole(s.correction()) && whole(kept)); };
  const double sum = s.first() ? 0 : s.before.sum, output = s.first() ? 0 : s.before.output[0];
  const std::string scores = listed(s.scores),
                    quotient = shown(s.after.output[0]) + " / " + shown(s.after.sum),
                    result = tex_fixed(s.after.result()[0], digits),
                    exponent = s.first() ? "-\\infty" : tex_digits(s.before.max - s.after.max, 6),
                    largest = "\\max(" + (s.first() ? scores : shown(s.before.max) + ",\\; " + scores) + ")";
  std::vector<BoardLine> lines;
  lines.push_back(line("$s$", scores));
  lines.push_back(line("$v$", listed(s.values)));
  lines.push_back(line("$m'$", "\\max(" + (s.first() ? "-\\infty" : shown(s.before.max)) + ",\\; " + scores +
                                   ")" + equals(largest, shown(s.after.max), s.after.max) +
                                   shown(s.after.max)));
  lines.push_back(line("$c = e^{m - m'}$", s.first()
                                               ? "e^{" + exponent + "} = 0"
                                               : comes_to("e^{" + exponent + "}", s.correction(), true)));
  lines.push_back(
      line("$\\ell'$", comes_to(carried(sum) + exponentials(s, false), s.after.sum, carried_whole(sum))));
  lines.push_back(line(
      "$o'$", comes_to(carried(output) + exponentials(s, true), s.after.output[0], carried_whole(output))));
  lines.push_back(line("$o' / \\ell'$", quotient +
                                            equals(quotient, result, s.after.result()[0],
                                                   whole(s.after.output[0]) && whole(s.after.sum)) +
                                            result));
  lines.back().loud = true;
  return lines;
}

}  // namespace orrery::study::attention_online
