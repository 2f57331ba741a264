#include "app/recipe/command.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include "app/figure/page_size.h"
#include "app/recipe/page_fields.h"
#include "app/recipe/page_text.h"
#include "app/study/device_names.h"

namespace orrery::recipe {
namespace {

using parameter::Parameter;
using parameter::Settings;

constexpr double usual_dpi = 300, usual_motion_dpi = 150;

bool plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) ||
         std::string_view("_-./:=,+@%").find(c) != std::string_view::npos;
}

/// "base=10000 text='a b'", what `of` has that `than` has not; nothing where a value has both spaces and apostrophes.
std::optional<std::string> difference(const Settings& of, const Settings& than) {
  std::string text;
  for (const Parameter& p : of.declared()) {
    if (of.value(p.name) == than.value(p.name)) continue;
    std::string value = of.text(p.name);
    if (value.starts_with('\'') || value.find_first_of(" \t\n") != value.npos) {
      if (value.find('\'') != value.npos) return std::nullopt;
      value = "'" + value + "'";
    }
    text += (text.empty() ? "" : " ") + std::string(p.name) + "=" + value;
  }
  return text;
}

class CommandLine {
 public:
  void option(std::string_view name, std::string_view value) {
    text_ += " " + std::string(name) + " " + shell_word(value);
  }
  void flag(std::string_view name) { text_ += " " + std::string(name); }
  std::string text() const { return text_; }

 private:
  std::string text_;
};

void add_comparison(const Recipe& recipe, CommandLine& line, std::vector<std::string>& left_out) {
  if (!recipe.compare) return;
  const Compare& a = *recipe.compare;
  if (a.study == recipe.study) {
    const std::optional<std::string> changes = difference(a.settings, recipe.settings);
    if (!changes) left_out.emplace_back("values of A with spaces");
    if (changes && !changes->empty()) line.option("--compare", *changes);
    if (a.device != recipe.device || !changes || changes->empty())
      line.option("--compare-device", study::device_name(a.device));
  } else {
    line.option("--compare", a.study->id);
    if (a.settings != Settings(a.study->parameters)) left_out.emplace_back("the values of A");
    if (a.device != study::DeviceChoice::cpu) line.option("--compare-device", study::device_name(a.device));
  }
  if (a.mode != figure::CompareMode::side_by_side)
    line.option("--compare-mode", compare_mode_names[static_cast<std::size_t>(a.mode)]);
}

void add_animation(const Animation& a, CommandLine& line) {
  line.option("--animate", a.parameter + "=" + parameter::shortest(a.from) + ":" + parameter::shortest(a.to) +
                               (a.log ? ":log" : ""));
  for (const MotionField& field : motion_fields())
    if (const std::string text = option_text(field, a); !text.empty()) line.option(field.option, text);
}

/// ".pdf" of "Fig.PDF"
std::string ending_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

void add_page(const Recipe& recipe, std::string_view ending, CommandLine& line) {
  for (const PageField& field : page_fields()) {
    if (!is_shown_in(field, ending)) continue;
    const std::string text = option_text(field, recipe);
    const bool usual = field.key == "dpi" && recipe.dpi == (recipe.animation ? usual_motion_dpi : usual_dpi);
    const bool unlike_its_size = !field.off.empty() && text.empty() && figure::stands_alone(recipe.size);
    if (unlike_its_size) line.flag(field.off);
    if (text.empty() || usual) continue;
    if (std::holds_alternative<bool Recipe::*>(field.member))
      line.flag(field.option);
    else
      line.option(field.option, text);
  }
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, plain)) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

Command command_of(const Recipe& recipe, const std::string& output) {
  Command command;
  CommandLine line;
  for (const Parameter& p : recipe.study->parameters)
    if (!recipe.settings.is_default(p.name))
      line.option("--set", std::string(p.name) + "=" + recipe.settings.text(p.name));
  if (recipe.device != study::DeviceChoice::cpu) line.option("--device", study::device_name(recipe.device));
  add_comparison(recipe, line, command.left_out);
  add_page(recipe, ending_of(output), line);
  if (recipe.animation) add_animation(*recipe.animation, line);
  if (!recipe.own_title.empty()) command.left_out.emplace_back("the title of your own");
  if (!view_text(recipe.view, "").empty()) command.left_out.emplace_back("the view");
  command.line = "orrery render " + std::string(recipe.study->id) + line.text() + " -o " + shell_word(output);
  return command;
}

}  // namespace orrery::recipe
