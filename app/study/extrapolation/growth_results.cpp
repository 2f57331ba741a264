#include "app/study/extrapolation/growth_results.h"

#include <algorithm>
#include <cmath>

#include "app/study/kit/kept_results.h"

namespace orrery::study {
namespace {

using training::Growth;
using training::GrowthLook;
using training::Index;
using training::mapped_tokens;
using training::Task;

constexpr double most_growth_steps = 1e6, most_growth_seeds = 1e6, most_growth_nat = 100,
                 most_growth_layers = 64;
constexpr std::string_view letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-";

std::string letters_of(const tensor::Matrix<float>& map) {
  std::string text;
  for (Index t = 0; t < map.rows(); ++t)
    for (Index n = 0; n <= t; ++n) {
      const float weight = std::clamp(map(t, n), 0.0F, 1.0F);
      text += letters[static_cast<std::size_t>(std::lround(weight * static_cast<float>(letters.size() - 1)))];
    }
  return text;
}

tensor::Matrix<float> map_in(std::string_view text) {
  if (text.size() != static_cast<std::size_t>(mapped_tokens * (mapped_tokens + 1) / 2)) refuse_results(text);
  tensor::Matrix<float> map = tensor::Matrix<float>::Zero(mapped_tokens, mapped_tokens);
  auto next = text.begin();
  for (Index t = 0; t < mapped_tokens; ++t)
    for (Index n = 0; n <= t; ++n) {
      const std::size_t level = letters.find(*next++);
      if (level == letters.npos) refuse_results(text);
      map(t, n) = static_cast<float>(level) / static_cast<float>(letters.size() - 1);
    }
  return map;
}

std::size_t numbers_of(Task task) {
  return task == Task::copy ? training::growth_words.size() : training::parts_within(512);
}

GrowthLook look_in(std::string_view entry, Task task) {
  const std::vector<std::string_view> words = parts(entry, ' ');
  const std::size_t each = numbers_of(task);
  if (words.size() != 2 + 2 * each + 4 || words[0] != "look") refuse_results(entry);
  GrowthLook look;
  look.step = static_cast<std::int64_t>(kept_number(words[1], 0, most_growth_steps));
  for (std::size_t i = 0; i < each; ++i) {
    look.loss.push_back(kept_number(words[2 + i], -most_growth_nat, most_growth_nat));
    look.accuracy.push_back(kept_number(words[2 + each + i], 0, 1));
  }
  for (std::size_t which = 0; which < 2; ++which) {
    look.share[which] = kept_number(words[2 + 2 * each + which], 0, 1);
    look.maps[which] = map_in(words[4 + 2 * each + which]);
  }
  return look;
}

Growth model_in(std::string_view entry) {
  const std::vector<std::string_view> words = parts(entry, ' ');
  if (words.size() != 7 || (words[0] != "copy" && words[0] != "chains")) refuse_results(entry);
  const auto runner = std::ranges::find(training::runners(), words[1], &training::Runner::key);
  if (runner == training::runners().end()) refuse_results(entry);
  Growth model;
  model.key = runner->key;
  model.task = words[0] == "copy" ? Task::copy : Task::markov;
  model.seed = static_cast<std::uint64_t>(kept_number(words[2], 0, most_growth_seeds));
  for (std::size_t which = 0; which < 2; ++which)
    model.heads[which] = {static_cast<Index>(kept_number(words[3 + 2 * which], 0, most_growth_layers)),
                          static_cast<Index>(kept_number(words[4 + 2 * which], 0, most_growth_layers))};
  return model;
}

}  // namespace

std::string text_of(const GrowthResults& results) {
  std::string text = results.where + "; " + five_digits(results.steps) + " steps";
  const auto add = [&](double x) { text += " " + five_digits(x); };
  for (const Growth& model : results.models) {
    text += std::string("; ") + (model.task == Task::copy ? "copy " : "chains ") + std::string(model.key) +
            " " + std::to_string(model.seed);
    for (const training::HeadPlace& place : model.heads) {
      add(static_cast<double>(place.layer));
      add(static_cast<double>(place.head));
    }
    for (const GrowthLook& look : model.looks) {
      text += "; look " + std::to_string(look.step);
      for (const double x : look.loss) add(x);
      for (const double x : look.accuracy) add(x);
      for (const double x : look.share) add(x);
      for (const auto& map : look.maps) text += " " + letters_of(map);
    }
  }
  return text;
}

GrowthResults growth_results(std::string_view text) {
  const std::vector<std::string_view> entries = parts(text, ';');
  if (entries.size() < 4) refuse_results(text.substr(0, 80));
  GrowthResults results{std::string(entries[0]), kept_count(entries[1], "steps", most_growth_steps), {}};
  for (std::size_t i = 2; i < entries.size(); ++i) {
    if (!entries[i].starts_with("look ")) {
      results.models.push_back(model_in(entries[i]));
      continue;
    }
    if (results.models.empty()) refuse_results(entries[i].substr(0, 80));
    Growth& model = results.models.back();
    model.looks.push_back(look_in(entries[i], model.task));
    const std::size_t count = model.looks.size();
    if (count > 1 && model.looks[count - 2].step >= model.looks.back().step) refuse_results(entries[i]);
  }
  if (std::ranges::any_of(results.models, [](const Growth& model) { return model.looks.empty(); }))
    refuse_results(text.substr(0, 80));
  return results;
}

GrowthResults shipped_growth() {
  return growth_results(trained_line("growth.txt"));
}

}  // namespace orrery::study
