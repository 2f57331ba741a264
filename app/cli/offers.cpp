#include "app/cli/offers.h"

#include <algorithm>

#include "app/cli/arguments.h"
#include "app/cli/op_call.h"
#include "app/export/export.h"
#include "app/export/text_runs.h"
#include "app/recipe/presets.h"
#include "app/recipe/recipe.h"
#include "core/op/op.h"
#include "core/parameter/takes.h"

namespace orrery::cli {
namespace {

using parameter::Parameter;

/// What the words before the last one say.
struct Typed {
  const Command* command = nullptr;
  std::vector<std::string> places;       ///< words known by their place
  std::vector<const Argument*> options;  ///< given already
  const Argument* waiting = nullptr;     ///< an option whose value comes next
  bool only_places = false;              ///< behind --
};

const Argument* option_named(const Command& command, std::string_view spelling) {
  for (const Argument& argument : command.arguments)
    if (argument.is_option() && std::ranges::count(argument.spellings(), spelling) > 0) return &argument;
  return nullptr;
}

void take(Typed& typed, std::span<const Command> commands, const std::string& word) {
  if (typed.waiting != nullptr) {
    typed.waiting = nullptr;
  } else if (word == "--" && !typed.only_places) {
    typed.only_places = true;
  } else if (word.starts_with('-') && !typed.only_places) {
    const Argument* option = option_named(*typed.command, word.substr(0, word.find('=')));
    if (option == nullptr) return;
    typed.options.push_back(option);
    if (!option->is_flag() && word.find('=') == std::string::npos) typed.waiting = option;
  } else {
    const auto found = std::ranges::find(commands, word, &Command::name);
    if (typed.command->name.empty() && typed.places.empty() && found != commands.end())
      typed.command = &*found;
    else
      typed.places.push_back(word);
  }
}

/// What the next word without a dash would set.
const Argument* next_place(const Typed& typed) {
  std::size_t place = 0;
  for (const Argument& argument : typed.command->arguments) {
    if (argument.is_option()) continue;
    if (argument.is_repeated() || place == typed.places.size()) return &argument;
    ++place;
  }
  return nullptr;
}

/// That was typed first; a recipe says its own.
const study::Study& study_of(const std::string& typed) {
  for (const study::Study* s : study::studies())
    if (s->id == typed) return *s;
  return *recipe::recipe_from_toml(exporter::read_recipe(typed), typed).study;
}

/// Of the study or the op that was typed first.
std::span<const Parameter> parameters_of(const Typed& typed) {
  if (typed.places.empty()) return {};
  const std::string& first = typed.places.front();
  for (const op::Op& o : op::table())
    if (o.name == first) return o.parameters;
  return study_of(first).parameters;
}

/// Gathers what begins as the word at the cursor does.
class Gathering {
 public:
  /// `before`: of the word, what stays as it was typed ("--theme=").
  Gathering(std::string before, std::string begun) : before_(std::move(before)), begun_(std::move(begun)) {}
  const std::string& begun() const { return begun_; }
  Offered take() { return std::move(offered_); }

  void word(std::string_view text, std::string_view help = {}) {
    // Shells read a word a line: a name of a file that would break it cannot be offered.
    if (std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) return;
    if (text.starts_with(begun_)) offered_.words.push_back({before_ + std::string(text), std::string(help)});
  }
  void files(std::vector<std::string> endings) { offered_.files = std::move(endings); }
  void folder() { offered_.folder = true; }

 private:
  std::string before_, begun_;
  Offered offered_;
};

/// name=, or, once that is typed, what may stand behind it.
void offer_setting(Gathering& g, const Parameter& p) {
  const std::string name = std::string(p.name) + "=";
  if (!g.begun().starts_with(name)) return g.word(name, p.help);
  for (const std::string_view choice : parameter::choices_of(p))
    if (!choice.ends_with(":W")) g.word(name + std::string(choice));
  if (p.kind == parameter::Kind::toggle)
    for (const char* state : {"on", "off"}) g.word(name + state);
  if (!p.word.empty()) g.word(name + std::string(p.word));
  if (p.kind != parameter::Kind::file) return;
  const auto taken = parameter::each_taken(p.takes);
  g.files({taken.begin(), taken.end()});
}

/// name=, and nothing behind it: from where to where is for a person to say.
void offer_motion(Gathering& g, const Parameter& p) {
  const std::string name = std::string(p.name) + "=";
  const bool moves = p.kind == parameter::Kind::real || p.kind == parameter::Kind::integer;
  if (moves && !g.begun().starts_with(name)) g.word(name, p.help);
}

void offer_presets(Gathering& g, const study::Study& study) {
  for (const recipe::Preset& preset : recipe::saved_presets(study)) g.word(preset.name, preset.title);
  for (const recipe::Preset& preset : recipe::published_presets(study)) g.word(preset.name, preset.title);
}

void offer_studies(Gathering& g) {
  for (const study::Study* s : study::studies()) g.word(s->id, s->summary);
  g.files(recipe_endings());
}

std::vector<std::string> array_endings() {
  return {".npy", ".safetensors"};
}

void offer_operation(Gathering& g, const Typed& typed) {
  for (const op::Op& o : op::table()) {
    if (typed.places.empty() || o.name != typed.places.front()) continue;
    for (const op::Input& input : o.inputs) {
      if (input.positional) continue;
      const std::string name = std::string(input.name) + "=";
      if (g.begun().starts_with(name))
        g.files(array_endings());
      else
        g.word(name, input.help);
    }
  }
  for (const Parameter& p : parameters_of(typed)) offer_setting(g, p);
  if (typed.places.empty()) return;
  for (const FormatWord& word : format_words) {
    const std::string name = std::string(word.name) + "=";
    if (!g.begun().starts_with(name))
      g.word(name, word.help);
    else
      for (const std::string_view value : format_values) g.word(name + std::string(value));
  }
}

/// Several of them: "pdf,svg".
void offer_list(Gathering& g, const std::vector<std::string>& words) {
  const std::size_t comma = g.begun().rfind(',');
  const std::string before = comma == std::string::npos ? "" : g.begun().substr(0, comma + 1);
  for (const std::string& word : words) g.word(before + word);
}

void offer_value(Gathering& g, const Typed& typed, const Offers& offers) {
  switch (offers.kind) {
    case Offers::Kind::nothing:
      return;
    case Offers::Kind::words:
      for (const std::string& word : offers.words) g.word(word);
      return;
    case Offers::Kind::list:
      return offer_list(g, offers.words);
    case Offers::Kind::files:
      return g.files(offers.words);
    case Offers::Kind::folder:
      return g.folder();
    case Offers::Kind::study:
      return offer_studies(g);
    case Offers::Kind::setting:
      for (const Parameter& p : parameters_of(typed)) offer_setting(g, p);
      return;
    case Offers::Kind::motion:
      for (const Parameter& p : parameters_of(typed)) offer_motion(g, p);
      return;
    case Offers::Kind::changes:
      for (const Parameter& p : parameters_of(typed)) offer_setting(g, p);
      return offer_studies(g);
    case Offers::Kind::preset:
      if (!typed.places.empty()) offer_presets(g, study_of(typed.places.front()));
      return;
    case Offers::Kind::op:
      for (const op::Op& o : op::table()) g.word(o.name, o.summary);
      return;
    case Offers::Kind::operation:
      offer_operation(g, typed);
      if (g.begun().find('=') == std::string::npos) g.files(array_endings());
      return;
  }
}

void offer_options(Gathering& g, const Typed& typed) {
  for (const Argument& argument : typed.command->arguments) {
    const bool given = std::ranges::count(typed.options, &argument) > 0;
    if (!argument.is_option() || (given && !argument.is_repeated())) continue;
    g.word(argument.spellings().back(), argument.help);
  }
  g.word("--help", "");
}

void offer(Gathering& g, const Typed& typed, std::span<const Command> commands) {
  if (typed.waiting != nullptr) return offer_value(g, typed, typed.waiting->offers);
  if (g.begun().starts_with('-') && !typed.only_places) return offer_options(g, typed);
  if (typed.command->name.empty() && typed.places.empty())
    for (const Command& command : commands) g.word(command.name, command.help);
  if (const Argument* place = next_place(typed)) return offer_value(g, typed, place->offers);
  offer_options(g, typed);
}

}  // namespace

Offered offered(const Command& window, std::span<const Command> commands,
                const std::vector<std::string>& words) {
  if (words.empty()) return {};
  Typed typed{&window, {}, {}};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) take(typed, commands, words[i]);
  const std::string& last = words.back();
  std::string before;
  if (const std::size_t equals = last.find('='); last.starts_with("--") && equals != std::string::npos) {
    const Argument* option =
        typed.only_places ? nullptr : option_named(*typed.command, last.substr(0, equals));
    if (option == nullptr || option->is_flag()) return {};
    typed.waiting = option;
    before = last.substr(0, equals + 1);
  }
  Gathering gathering(before, last.substr(before.size()));
  try {
    offer(gathering, typed, commands);
  } catch (const std::exception&) {  // a recipe that is none, a folder that cannot be read
    return {};
  }
  return gathering.take();
}

std::string offers_text(const Offered& offered) {
  const auto one_line = [](const std::string& help) {
    std::string text = exporter::plain_text(help);
    std::ranges::replace(text, '\n', ' ');
    return text;
  };
  std::string text;
  for (const Offered::Word& word : offered.words) text += word.text + "\t" + one_line(word.help) + "\n";
  if (offered.files) {
    std::string endings;
    for (const std::string& ending : *offered.files) endings += (endings.empty() ? "" : " ") + ending;
    text += ":files\t" + endings + "\n";
  }
  if (offered.folder) text += ":folder\t\n";
  return text;
}

}  // namespace orrery::cli
