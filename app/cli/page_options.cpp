#include "app/cli/page_options.h"

#include <algorithm>

#include "app/cli/arguments.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/figure/page_size.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using recipe::MotionField;
using recipe::PageField;
using recipe::Recipe;

std::deque<PageWords::Word>& page_words(PageWords& words) {
  words.page.resize(recipe::page_fields().size());
  return words.page;
}

bool is_flag(const PageField& field) {
  return std::holds_alternative<bool Recipe::*>(field.member);
}

/// With what the sizes and the languages are called.
std::string help_of(const PageField& field) {
  std::string help(field.help);
  if (std::holds_alternative<figure::Size Recipe::*>(field.member)) return help + figure::size_names();
  if (std::holds_alternative<language::Language Recipe::*>(field.member)) return help + language_names();
  return help;
}

Offers offers_of(const PageField& field) {
  std::vector<std::string> words;
  if (field.names != nullptr) words = words_of(field.names());
  if (std::holds_alternative<figure::Size Recipe::*>(field.member))
    for (const figure::NamedSize& size : figure::named_sizes()) words.emplace_back(size.name);
  if (std::holds_alternative<language::Language Recipe::*>(field.member))
    for (const language::Named& each : language::languages()) words.emplace_back(each.code);
  return words.empty() ? Offers() : Offers(Offers::Kind::words, words);
}

void add_page(PageWords& words, std::vector<Argument>& arguments, const std::string& group, bool flags) {
  std::deque<PageWords::Word>& kept = page_words(words);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const PageField& field = recipe::page_fields()[i];
    if (is_flag(field) != flags) continue;
    Argument argument{std::string(field.option), &kept[i].on, std::string(field.shape), help_of(field),
                      offers_of(field)};
    if (!flags) argument.sets = &kept[i].text;
    argument.group = group;
    arguments.push_back(std::move(argument));
    if (field.off.empty()) continue;
    Argument off{std::string(field.off), &kept[i].off, "", std::string(field.off_help)};
    off.group = group;
    arguments.push_back(std::move(off));
  }
}

bool says_size(const PageWords& words) {
  for (std::size_t i = 0; i < words.page.size(); ++i)
    if (std::holds_alternative<figure::Size Recipe::*>(recipe::page_fields()[i].member))
      return !words.page[i].text.empty();
  return false;
}

}  // namespace

void add_page_values(PageWords& words, std::vector<Argument>& arguments, const std::string& group) {
  add_page(words, arguments, group, false);
}

void add_page_flags(PageWords& words, std::vector<Argument>& arguments, const std::string& group) {
  add_page(words, arguments, group, true);
}

void add_motion_values(PageWords& words, std::vector<Argument>& arguments, const std::string& group) {
  words.motion.resize(recipe::motion_fields().size());
  for (std::size_t i = 0; i < words.motion.size(); ++i) {
    const MotionField& field = recipe::motion_fields()[i];
    Argument argument{std::string(field.option), &words.motion[i].text, std::string(field.shape),
                      std::string(field.help)};
    if (std::holds_alternative<recipe::Loop recipe::Animation::*>(field.member))
      argument.offers = {Offers::Kind::words, words_of(recipe::loop_names)};
    argument.group = group;
    arguments.push_back(std::move(argument));
  }
}

void set_page(const PageWords& words, Recipe& recipe) {
  for (std::size_t i = 0; i < words.page.size(); ++i) {
    const PageField& field = recipe::page_fields()[i];
    const PageWords::Word& word = words.page[i];
    if (word.on && word.off)
      throw InvalidArgument(about(Subject::Kind::option, field.option)
                                .fault("found beside {}", field.off)
                                .allowed("one of the two"));
    if (word.on || !word.text.empty()) recipe::set_by_option(field, recipe, word.text);
    if (word.off) recipe::leave_out(field, recipe);
    // It comes after the size: what the page is decides where nobody did.
    if (!field.off.empty() && !word.on && !word.off && says_size(words)) recipe::suit_page(recipe);
  }
}

void refuse_without_effect(const PageWords& words, std::span<const std::string> endings) {
  for (std::size_t i = 0; i < words.page.size(); ++i) {
    const PageField& field = recipe::page_fields()[i];
    const auto shows = [&](const std::string& ending) { return recipe::is_shown_in(field, ending); };
    const bool said = words.page[i].on || !words.page[i].text.empty();
    if (!said || std::ranges::any_of(endings, shows)) continue;
    const std::vector<std::string_view> names(endings.begin(), endings.end());
    // Scripts say the same page for all that they make; a word that asks for such files alone is a mistake.
    if (!words.page[i].text.empty() || !field.off.empty()) {
      warn(say("{}: changes nothing in {}", std::string(field.option), joined(names)));
      continue;
    }
    throw InvalidArgument(about(Subject::Kind::option, field.option)
                              .found(joined(names))
                              .fault("found for {}", joined(names))
                              .allowed("for {}", field.files));
  }
}

void set_motion(const PageWords& words, recipe::Animation& animation) {
  for (std::size_t i = 0; i < words.motion.size(); ++i)
    if (!words.motion[i].text.empty())
      recipe::set_by_option(recipe::motion_fields()[i], animation, words.motion[i].text);
}

bool says_motion(const PageWords& words) {
  return std::ranges::any_of(words.motion, [](const PageWords::Word& word) { return !word.text.empty(); });
}

}  // namespace orrery::cli
