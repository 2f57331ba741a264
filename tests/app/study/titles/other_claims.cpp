// What the studies of norms, attention, twins and marks say in their titles, looked up in their tables.
#include <algorithm>
#include <cmath>
#include <optional>

#include "tests/app/study/titles/said.h"

namespace orrery::study::titles {
namespace other_claims {
namespace {

double root_mean_square(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

/// Of a pair of norms in a table of pairs; NaN where they do not stand there.
double of_pair(const Said& said, const char* table, const char* column, double norm, double other) {
  const auto &first = said.column(table, "norm"), &second = said.column(table, "other norm");
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] == norm && second[i] == other) return said.column(table, column)[i];
  return NAN;
}

/// Of a batch through all norms; RMSNorm is the second of them, LayerNorm the first. An axis of the maps' colours ends at ±3
/// root mean squares: no claim of a norm.
std::optional<bool> batch_of_norms(const Said& said) {
  const std::string& show = said.settings.choice("show");
  if (show == "kin") {
    if (said.is("One batch through the norms and their kin: BatchNorm alone looks across the tokens"))
      return true;
    return said.as("Before, to ±{}").has_value();
  }
  if (show == "histograms") {
    const auto part = said.as("The largest component of this batch is {}, after RMSNorm {}");
    const double before = number_of(part ? (*part)[0] : "");
    return part && before > 0 && says((*part)[1], said.column("kin", "largest")[1], 3);
  }
  if (show == "difference") {
    const auto part = said.as("LayerNorm and RMSNorm of this batch are {} apart");
    return part && says((*part)[0], of_pair(said, "kin_apart", "RMS distance", 1, 0), 3);
  }
  if (show == "angles") {
    const double angle = of_pair(said, "kin_angles", "angle", 1, 0);
    if (said.is("LayerNorm leaves nothing of this batch that has a direction")) return std::isnan(angle);
    const auto part = said.as("LayerNorm and RMSNorm of this batch are at {} degrees to one another");
    return part && says((*part)[0], angle, 3);
  }
  return {};
}

bool norm(const Said& said) {
  if (const auto batch = batch_of_norms(said)) return *batch;
  const bool seeded = said.settings.choice("components") == "seeded";
  const double apart =
      root_mean_square(said.column("components", "LayerNorm"), said.column("components", "RMSNorm"));
  double mean = said.settings.real("mean");
  if (!seeded) {
    const std::vector<double>& x = said.column("components", "$x$");
    double sum = 0, squares = 0;
    for (const double v : x) sum += v;
    const double n = static_cast<double>(x.size());
    for (const double v : x) squares += (v - sum / n) * (v - sum / n);
    mean = sum / n / std::sqrt(squares / n);
    if (*std::ranges::max_element(x) == *std::ranges::min_element(x)) {
      const double left = said.column("components", "RMSNorm")[0];
      if (left == 0) return said.is("LayerNorm and RMSNorm leave nothing of this row");
      if (std::abs(left) > 0.99)
        return said.is("Of equal components LayerNorm leaves nothing, RMSNorm their sign");
      const auto part = said.as("Of equal components LayerNorm leaves nothing, RMSNorm {}");
      return part && says((*part)[0], left, 3);
    }
  } else if (mean == 0) {
    return said.is("Without a common mean LayerNorm and RMSNorm agree") && apart < 1e-5;
  }
  const auto part = said.as("A common mean of {} deviation{} LayerNorm and RMSNorm {} apart");
  if (!part) return false;
  const bool one = (*part)[0] == "1" || (*part)[0] == "\u22121";
  return (seeded ? says((*part)[0], mean) : says((*part)[0], mean, 3)) &&
         (*part)[1] == (one ? " sets" : "s sets") && says((*part)[2], apart, 2);
}

/// One word at two places: a row of the table of contexts says so.
bool one_word_twice(const Said& said, const std::vector<std::string>& part) {
  const auto &first = said.column("contexts", "first position"),
             &second = said.column("contexts", "position"),
             &before = said.column("contexts", "cosine before"),
             &after = said.column("contexts", "cosine of outputs");
  for (std::size_t i = 0; i < first.size(); ++i)
    if (says(part[1], first[i]) && says(part[2], second[i]))
      return std::abs(before[i] - 1) < 1e-6 && says(part[3], after[i], 2);
  return false;
}

/// What stands before the sentence about the framed query, where vectors are from files: their table says it too.
std::optional<Said> without_head(const Said& said) {
  const auto rest = [&](std::string text) {
    return Said{said.study, said.settings, said.result, std::move(text)};
  };
  if (const auto none = said.as("No file yet, vectors by chance. {}")) return rest(none->front());
  auto part = said.as("Head {} of {}, {}, tokens {} to {} of {}. {}");
  if (part)
    part->erase(part->begin() + 2);
  else
    part = said.as("Head {} of {}, tokens {} to {} of {}. {}");
  if (!part) return {};
  const auto of = [&](const char* name) { return said.column("files", name); };
  const double first = of("first token").front(), last = first + of("tokens shown").front() - 1;
  const std::size_t queries = said.settings.choice("content") == "files" ? 0 : 1;
  if (!says((*part)[0], of("head").at(queries)) || !says((*part)[1], of("heads").at(queries)) ||
      !says((*part)[2], first) || !says((*part)[3], last) || !says((*part)[4], of("tokens").front()))
    return {};
  const Said behind = rest(part->back());
  const auto by_chance = behind.as("Values by chance. {}");
  const std::vector<std::string>& parameters = said.table("files").columns.front().words;
  const bool has_values = std::ranges::find(parameters, "v_file") != parameters.end() ||
                          std::ranges::find(parameters, "wv") != parameters.end();
  if (by_chance && has_values) return {};
  return by_chance ? rest(by_chance->front()) : behind;
}

bool attention(const Said&);

bool attention_from_files(const Said& said) {
  const std::string& content = said.settings.choice("content");
  if (content != "files" && content != "projections") return attention(said);
  const auto rest = without_head(said);
  return rest && attention(*rest);
}

/// The row of the framed query in the table of weights: what it keeps, and the largest of the others.
bool attention(const Said& said) {
  if (said.settings.choice("show") == "contexts")
    if (const auto part =
            said.as("“{}” at {} and at {} is one row before attention; the cosine of its outputs is {}"))
      return one_word_twice(said, *part);
  const auto& weights = said.table("weights").columns;
  const std::size_t count = weights.size();
  const std::size_t query = std::min(static_cast<std::size_t>(said.settings.integer("query")), count - 1);
  const auto weight = [&](std::size_t key) { return weights[key].values[query]; };
  double other = 0;
  for (std::size_t key = 0; key < count; ++key)
    if (key != query) other = std::max(other, weight(key));
  const std::string& content = said.settings.choice("content");
  const bool words = content == "words" || content == "embedded";
  const auto is_place = [](std::string_view text, std::size_t place) {
    return says(text, static_cast<double>(place));
  };
  const std::size_t named = words ? 1 : 0;
  if (const auto part = said.as(words ? "“{}” at {} keeps {} of its weight, and the sink has the rest"
                                      : "Query {} keeps {} of its weight, and the sink has the rest"))
    return other == 0 && said.settings.number("sink") && is_place((*part)[named], query) &&
           says((*part)[named + 1], weight(query), 2);
  if (other == 0) {
    const auto part = said.as(words ? "“{}” at {} gives all its weight to itself"
                                    : "Query {} gives all its weight to itself");
    return part && is_place(part->back(), query) && std::abs(weight(query) - 1) < 1e-6;
  }
  double of_sink = said.settings.number("sink") ? 1 : 0;
  if (of_sink > 0)
    for (std::size_t key = 0; key < count; ++key) of_sink -= weight(key);
  if (of_sink > other) {
    const auto part =
        said.as(words ? "“{}” at {} keeps {} of its weight; the largest other share, {}, goes to the sink"
                      : "Query {} keeps {} of its weight; the largest other share, {}, goes to the sink");
    return part && is_place((*part)[named], query) && says((*part)[named + 1], weight(query), 2) &&
           says((*part)[named + 2], of_sink, 2);
  }
  const auto part =
      said.as(words ? "“{}” at {} keeps {} of its weight; the largest other share, {}, goes to “{}” at {}"
                    : "Query {} keeps {} of its weight; the largest other share, {}, goes to key {}");
  if (!part) return false;
  const std::size_t first = named;
  const std::string& text = said.settings.text("text");
  if (words && (text.find((*part)[0]) == std::string::npos || text.find((*part)[4]) == std::string::npos))
    return false;
  const auto key = static_cast<std::size_t>(number_of(part->back()));
  return is_place((*part)[first], query) && says((*part)[first + 1], weight(query), 2) &&
         says((*part)[first + 2], other, 2) && key < count && weight(key) == other;
}

double worst_of(const Said& said) {
  const auto& uses = said.column("worst_elements", "difference / bound");  // of finite elements alone
  return uses.empty() ? 0 : uses.front();
}

bool has_infinite_use(const Said& said) {
  return std::ranges::any_of(said.column("rows", "off without bound"), [](double n) { return n > 0; });
}

bool twins(const Said& said) {
  const bool staged = said.settings.choice("storage") != "f32" || said.settings.choice("accumulate") != "f32";
  const std::string name = said.settings.choice("op") + (staged ? ", rounded by stages," : " on cpu");
  if (!said.text.starts_with(name + " ")) return false;
  const Said rest{said.study, said.settings, said.result, said.text.substr(name.size() + 1)};
  const double worst = worst_of(said);
  if (rest.is("is off without any bound")) return has_infinite_use(said);
  if (has_infinite_use(said)) return false;
  if (const auto part = rest.as("is off by up to {} times its bound"))
    return worst > 1 && says((*part)[0], worst, 2);
  const auto part = rest.as("uses at most {} % of its bound");
  return part && worst <= 1 && says((*part)[0], 100 * worst, 2);
}

/// No claim of the settings: everything, or the name of the one that is shown.
bool marks(const Said& said) {
  if (said.settings.choice("mark") != "all")
    return said.is(said.result.figure.panels.at(0).title) || said.result.figure.panels.size() == 1;
  return said.is("Every mark and every axis that a figure may hold") && said.result.checks.at(0).value == 0;
}

const Entries entries{{"norm/compare", norm},
                      {"attention/scores", attention_from_files},
                      {"numerics/twins", twins},
                      {"figure/marks", marks, [](const Said&) { return true; }}};  // names of exhibits

}  // namespace
}  // namespace other_claims

}  // namespace orrery::study::titles
