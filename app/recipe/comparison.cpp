#include "app/recipe/comparison.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/recipe/runner.h"
#include "app/study/choice_name.h"
#include "app/study/device_names.h"
#include "app/study/kit/words.h"
#include "app/study/text.h"
#include "core/file/tensor_path.h"
#include "core/parameter/only_when.h"
#include "core/parameter/shown.h"
#include "core/parameter/spelling.h"
#include "core/tensor/error.h"

namespace orrery::recipe {
namespace {

constexpr std::size_t most_said = 2;  // settings that are named for a side; the window's list shows all

struct ValueWords {
  std::string operator()(std::int64_t n) const { return study::grouped(static_cast<double>(n)); }
  std::string operator()(double x) const { return study::grouped(x); }
  std::string operator()(const std::string& text) const {
    if (text.empty()) return "none";
    // The last name of the path; a folder's ends with a slash where a tensor is named: llama/#model.norm.weight.
    const auto [path, tensor] = file::tensor_path(text);
    const std::string name = (path.has_filename() ? path : path.parent_path()).filename().string();
    return tensor.empty() ? name : name + '#' + tensor;
  }
  std::string operator()(bool on) const { return on ? "on" : "off"; }
  std::string operator()(const parameter::Matrix& m) const {
    return std::to_string(m.rows) + " × " + std::to_string(m.columns) + ": " + (*this)(m.values);
  }
  std::string operator()(const std::vector<double>& v) const {
    constexpr std::size_t most_components = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(v.size(), most_components); ++i)
      text += (i == 0 ? "" : ", ") + study::grouped(v[i]);
    return text + (v.size() > most_components ? ", …" : "");
  }
};

/// "1e-06" as mathematics has it, and what is no such number as it is: "0.5", "own".
std::string power_of_ten(const std::string& number) {
  const std::size_t e = number.find('e');
  if (e == std::string::npos || number.find_first_not_of("0123456789.+-e\u2212") != std::string::npos ||
      e == 0)
    return study::as_typed(number);
  const std::string digits = number.substr(0, e),
                    power = "10^{" + std::to_string(std::stoi(number.substr(e + 1))) + "}$";
  return digits == "1" ? "$" + power : "$" + digits + " \\times " + power;
}

/// What a person calls the device of one side, where the other has another.
std::string device_words(study::DeviceChoice device) {
  return std::string(study::device_name(device));
}

/// What was measured, and is kept, by the name that all studies have for it: long, and no heading.
bool is_record(const parameter::Parameter& p) {
  return p.kind == parameter::Kind::text && p.name == "results";
}

std::string named_value(const parameter::Parameter& p, const parameter::Settings& settings) {
  return p.kind == parameter::Kind::choice ? study::choice_name(p, settings.choice(p.name))
                                           : value_label(p, settings);
}

/// The same words when the figure is made again, from what it keeps of a measurement.
std::string own_words(const Outcome& side, const Outcome& other) {
  if (side.study != other.study) return std::string(side.study->title);
  std::string text;
  const auto say = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
  const parameter::Settings own = side.lasting_settings();
  auto changed = differing(own, other.lasting_settings());
  std::erase_if(changed, [](const parameter::Parameter* p) { return is_record(*p); });
  for (std::size_t i = 0; i < std::min(changed.size(), most_said); ++i)
    say(std::string(changed[i]->label) + " = " + named_value(*changed[i], own));
  if (changed.size() > most_said) say("…");
  if (side.device != other.device) say(device_words(side.device));
  return text;
}

bool same_rows(const figure::Table& a, const figure::Table& b) {
  if (a.columns.size() != b.columns.size() || a.columns.empty()) return false;
  for (std::size_t i = 0; i < a.columns.size(); ++i)
    if (a.columns[i].name != b.columns[i].name || a.columns[i].values.size() != b.columns[i].values.size())
      return false;
  const auto same = [](double p, double q) { return p == q || (std::isnan(p) && std::isnan(q)); };
  return std::ranges::equal(a.columns[0].values, b.columns[0].values, same) &&
         a.columns[0].words == b.columns[0].words;
}

/// The first column says what a row is about; every other stands three times, words twice.
figure::Table joined(const figure::Table& a, const figure::Table& b) {
  figure::Table out{b.name, {b.columns[0]}};
  for (std::size_t i = 1; i < b.columns.size(); ++i) {
    figure::Column of_a = a.columns[i], of_b = b.columns[i], difference = b.columns[i];
    difference.words.clear();
    for (std::size_t row = 0; row < difference.values.size(); ++row)
      difference.values[row] = of_b.values[row] == of_a.values[row] ? 0 : of_b.values[row] - of_a.values[row];
    of_a.name += " (A)";
    of_b.name += " (B)";
    difference.name += " (B − A)";
    const bool numbers = !of_b.of_words();
    for (figure::Column* column : {&of_a, &of_b}) out.columns.push_back(std::move(*column));
    if (numbers) out.columns.push_back(std::move(difference));
  }
  return out;
}

std::vector<figure::Table> joined(const std::vector<figure::Table>& of_a,
                                  const std::vector<figure::Table>& of_b, bool one_study) {
  std::vector<figure::Table> out;
  const auto add = [&](figure::Table table, const char* side) {
    table.name += side;
    out.push_back(std::move(table));
  };
  for (const figure::Table& b : of_b) {
    const auto a = std::ranges::find(of_a, b.name, &figure::Table::name);
    if (one_study && a != of_a.end() && same_rows(*a, b)) {
      out.push_back(joined(*a, b));
      continue;
    }
    if (a != of_a.end()) add(*a, "_a");
    add(b, "_b");
  }
  for (const figure::Table& a : of_a)
    if (std::ranges::find(of_b, a.name, &figure::Table::name) == of_b.end()) add(a, "_a");
  return out;
}

std::vector<study::Check> joined(const std::vector<study::Check>& of_a,
                                 const std::vector<study::Check>& of_b) {
  std::vector<study::Check> out;
  for (const auto& [side, checks] : {std::pair("A: ", &of_a), std::pair("B: ", &of_b)})
    for (const study::Check& check : *checks)
      out.push_back({side + check.statement, check.value, check.bound});
  return out;
}

}  // namespace

figure::CompareMode parse_compare_mode(std::string_view argument, std::string_view text) {
  const auto* const found = std::ranges::find(compare_mode_names, text);
  if (found != compare_mode_names.end())
    return static_cast<figure::CompareMode>(found - compare_mode_names.begin());
  throw InvalidArgument(parameter::unknown(about_argument(argument), text, compare_mode_names));
}

std::vector<const parameter::Parameter*> differing(const parameter::Settings& a,
                                                   const parameter::Settings& b) {
  std::vector<const parameter::Parameter*> out;
  for (const parameter::Parameter& p : b.declared()) {
    const bool read = !parameter::unmet(p, a) || !parameter::unmet(p, b);
    if (read && a.value(p.name) != b.value(p.name)) out.push_back(&p);
  }
  return out;
}

std::string value_text(const parameter::Parameter& p, const parameter::Settings& settings) {
  if (p.kind == parameter::Kind::text) return parameter::brief(settings.text(p.name));  // no path
  return std::visit(ValueWords{}, settings.value(p.name));
}

std::string value_label(const parameter::Parameter& p, const parameter::Settings& settings) {
  const std::string text = value_text(p, settings);
  if (p.kind == parameter::Kind::real) return power_of_ten(text);
  return study::as_typed(text);
}

figure::SideWords side_words(const Outcome& a, const Outcome& b) {
  return {.a_own = own_words(a, b), .b_own = own_words(b, a)};
}

Outcome compared(const Outcome& a, const Outcome& b, figure::CompareMode mode) {
  Outcome out = b;
  if (!a.error.empty() && b.error.empty())
    out.error = a.error.within({Subject::Kind::side, name_phrase("A")});
  if (!out.error.empty()) return out;
  const bool other_study = a.study != b.study;
  figure::Comparison figures =
      figure::compare(a.result.figure, b.result.figure,
                      other_study ? figure::CompareMode::side_by_side : mode, side_words(a, b));
  if (other_study && mode != figure::CompareMode::side_by_side)
    figures.remarks.emplace_back("A and B are different studies, and stand side by side");
  out.result = {.figure = std::move(figures.figure),
                .tables = joined(a.result.tables, b.result.tables, !other_study),
                .checks = joined(a.result.checks, b.result.checks),
                .worked = b.result.worked};
  // The joined result keeps nothing: what was measured on either side stands in its settings.
  out.settings = b.lasting_settings();
  out.digest = figure::digest(out.result.figure);
  out.remarks = std::move(figures.remarks);
  for (const Outcome* side : {&a, &b})
    if (Phrase remark = remark_of(*side); !remark.empty() && out.of_sides != std::vector{remark})
      out.of_sides.push_back(std::move(remark));
  out.compare = Compare{mode, a.study, a.lasting_settings(), a.device};
  out.seconds = a.seconds + b.seconds;
  out.partial = a.partial || b.partial;
  return out;
}

}  // namespace orrery::recipe
