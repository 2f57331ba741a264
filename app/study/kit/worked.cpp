#include "app/study/kit/worked.h"

#include <cmath>
#include <span>
#include <vector>

#include "app/study/kit/worked_exact.h"

namespace orrery::study {
namespace {

using worked::Decimal;
using worked::Term;
using worked::Written;

/// The expression with as few digits as lead to so many of the result: whoever types it and rounds comes to what is shown.
const Written* leads_to(double result, int significant, std::span<const Written> candidates) {
  constexpr double part = 0.3;  // of the last digit's unit: as near, and not only on the same side of a half
  const std::string shown = worked::decimal(result, significant).tex();
  for (const Written& each : candidates) {
    const double off = std::abs(each.value - result) + each.rounding;
    const bool near = off <= part * worked::last_digit_unit(result, significant);
    if (near && worked::decimal(each.value, significant).tex() == shown) return &each;
  }
  return nullptr;
}

}  // namespace

Worked& Worked::add(std::string_view name, const Term& expression, double result) {
  if (!std::isfinite(result)) return *this;
  std::vector<Written> candidates;
  constexpr int fewest = 6;  // more than results have
  for (int digits = fewest; digits <= worked::most_digits; ++digits)
    candidates.push_back(expression.written(digits));
  if (!std::isfinite(candidates.back().value)) return *this;

  constexpr int in_full = 8;  // digits of a result that is exact
  std::string shown, sign = " \\approx ";
  const Written* typed = nullptr;
  for (int digits = worked::digits_wanted(result); digits > 0 && !typed; --digits) {
    typed = leads_to(result, digits, candidates);
    if (!typed) continue;
    shown = worked::decimal(result, digits).tex();
    const Decimal brief = worked::short_decimal(result, in_full);
    constexpr double as_good_as_equal = 1e-14;  // some roundings in double
    const auto equals = [&](double x) { return std::abs(x - result) <= as_good_as_equal * std::abs(result); };
    if (typed->exact && equals(brief.value) &&
        equal(worked::amount_of(typed->tex).exact, worked::amount_of(brief.tex()).exact)) {
      shown = brief.tex();
      sign = " = ";
    }
  }
  if (!typed) {  // what is left of numbers that cancel is their rounding
    typed = &candidates.back();
    shown = "0";
  }
  if (!tex_.empty()) tex_ += " \\quad ";
  tex_ += std::string(name) + " = " + typed->tex + sign + shown;
  return *this;
}

std::vector<std::string_view> statements(std::string_view tex) {
  const auto trimmed = [](std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == text.npos) return text.substr(0, 0);
    return text.substr(first, text.find_last_not_of(' ') + 1 - first);
  };
  constexpr std::string_view between = "\\quad";
  std::vector<std::string_view> statements;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at < tex.size(); ++at) {
    if (tex[at] == '{') ++depth;
    if (tex[at] == '}') --depth;
    if (depth > 0 || !tex.substr(at).starts_with(between)) continue;
    statements.push_back(trimmed(tex.substr(from, at - from)));
    from = at + between.size();
  }
  statements.push_back(trimmed(tex.substr(from)));
  return statements;
}

std::size_t result_of_statement(std::string_view tex) {
  std::size_t last = 0;
  int depth = 0;
  for (std::size_t at = 0; at < tex.size(); ++at) {
    if (tex[at] == '{' || tex[at] == '(') ++depth;
    if (tex[at] == '}' || tex[at] == ')') --depth;
    if (depth == 0 && (tex[at] == '=' || tex.substr(at).starts_with("\\approx"))) last = at;
  }
  return last;
}

}  // namespace orrery::study
