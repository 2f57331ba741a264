#include "tests/app/study/titles/said.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "core/tensor/error.h"

namespace orrery::study::titles {
namespace {

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at; (at = text.find(from)) != text.npos;) text.replace(at, from.size(), to);
  return text;
}

/// "4 \times 10^{-6}" is 4e-6, "10^{-6}" is 1e-6.
std::string plain_number(std::string_view words) {
  std::string text = replaced(std::string(words), "\u2009", "");
  text = replaced(std::move(text), "\u2212", "-");
  if (text.size() > 2 && text.front() == '$' && text.back() == '$') {
    text = replaced(text.substr(1, text.size() - 2), " \\times 10^{", "e");
    text = replaced(std::move(text), "10^{", "1e");
    if (!text.empty() && text.back() == '}') text.pop_back();
  }
  return text;
}

std::vector<Claims>& entries() {
  static std::vector<Claims> all;
  return all;
}

}  // namespace

Entries::Entries(std::initializer_list<Claims> some) {
  entries().insert(entries().end(), some.begin(), some.end());
}

const std::vector<Claims>& all_claims() {
  return entries();
}

std::optional<std::vector<std::string>> Said::as(std::string_view pattern) const {
  const auto parts = language::Pattern(pattern).match(text);
  if (!parts) return std::nullopt;
  return std::vector<std::string>(parts->begin(), parts->end());
}

const figure::Table& Said::table(std::string_view name) const {
  for (const figure::Table& each : result.tables)
    if (each.name == name) return each;
  throw Failure("no table " + std::string(name));
}

const std::vector<double>& Said::column(std::string_view name, std::string_view column) const {
  for (const figure::Column& each : table(name).columns)
    if (each.name == column) return each.values;
  throw Failure("no column " + std::string(column) + " in " + std::string(name));
}

StudyResult Said::with(std::string_view name, std::string_view value) const {
  parameter::Settings other = settings;
  other.set(name, value);
  return study.compute(other, Run{});
}

double number_of(std::string_view words) {
  const std::string text = plain_number(words);
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? x : std::numeric_limits<double>::quiet_NaN();
}

bool says(std::string_view words, double value, int significant) {
  const double said = number_of(words);
  if (value == 0) return said == 0 && !words.starts_with("\u2212");
  if (!std::isfinite(value)) return said == value;
  if (words.front() == '$') significant = 1;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) + 1 - significant);
  return std::abs(said - value) <= 0.5000001 * unit;
}

bool says(std::string_view words, double value) {
  return says(words, value, 6);
}

bool counts(std::string_view number, std::string_view noun, std::string_view one, std::string_view many) {
  return noun == (number_of(number) == 1 ? one : many);
}

}  // namespace orrery::study::titles
