// orrery render: a study's figure or its numbers, in a file.
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/arguments.h"
#include "app/cli/batch_run.h"
#include "app/cli/commands.h"
#include "app/cli/page_options.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/cli/unread.h"
#include "app/export/export.h"
#include "app/export/recipe.h"
#include "app/export/text_runs.h"
#include "app/recipe/caption.h"
#include "app/recipe/command.h"
#include "app/recipe/pace.h"
#include "app/recipe/presets.h"
#include "app/render/left_out.h"
#include "app/render/make.h"
#include "app/render/remarks.h"
#include "app/render/tables.h"
#include "app/study/changes.h"
#include "app/study/device_names.h"
#include "app/study/kit/worked.h"
#include "app/study/links.h"
#include "core/parameter/shown.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using nlohmann::ordered_json;

struct RenderOptions {
  std::string study, output, preset, device, table, animate;
  std::string compare, compare_mode, compare_device;
  std::vector<std::string> set;
  PageWords page;
  bool caption = false, json = false;
};

Phrase what_there_is() {
  return words("one of `orrery list`, or a recipe: a .toml file, or a figure with a recipe inside");
}

/// A name without an ending is a study's. What else has it would be called an unknown study.
void refuse_without_ending(const std::string& text) {
  if (std::ranges::find(study::studies(), text, &study::Study::id) != study::studies().end()) return;
  std::error_code none;
  const auto status = std::filesystem::status(text, none);
  if (!std::filesystem::exists(status)) return;
  const Complaint what = std::filesystem::is_directory(status) ? wrong("is a directory")
                         : std::filesystem::is_regular_file(status)
                             ? wrong("is a file whose name has no ending")
                             : wrong("is neither a file nor a directory");
  throw InvalidArgument(Complaint(what).allowed(what_there_is()).within(in_file(text)));
}

/// A study by its id with its defaults, or all that a recipe says: a .toml file, or a figure that has one
/// inside.
recipe::Recipe starting_point(const std::string& text) {
  const std::filesystem::path path(text);
  if (!path.extension().empty())
    return recipe::recipe_from_toml(exporter::read_recipe(path, file::Accept::files_and_pipes), text);
  refuse_without_ending(text);
  recipe::Recipe recipe;
  recipe.study = &study::find(text);
  recipe.settings = parameter::Settings(recipe.study->parameters);
  return recipe;
}

void read_animation(const RenderOptions& o, recipe::Recipe& recipe) {
  if (!o.animate.empty()) recipe.animation = recipe::parse_animation(o.animate);
  if (!recipe.animation) {
    if (says_motion(o.page))
      throw InvalidArgument(about(Subject::Kind::option, "--frames, --fps, --loop")
                                .fault("found without {}", "--animate")
                                .led_by("; allowed ")
                                .allowed("with it"));
    return;
  }
  set_motion(o.page, *recipe.animation);
  recipe::validate(*recipe.animation, recipe.settings);
}

void set_all(const std::vector<std::string>& texts, parameter::Settings& settings) {
  std::vector<std::string> names;
  for (const std::string& text : texts) names.push_back(parse_assignment(text).name);
  refuse_repeated("--set", names);
  for (const std::string& text : texts) set(settings, parse_assignment(text));
}

constexpr std::string_view blanks = " \t\n\v\f\r";

/// Of "base=10000 text='a = b'" base and text, each as often as it stands there.
std::vector<std::string> names_in(std::string_view changes) {
  std::vector<std::string> names;
  for (std::size_t equals; (equals = changes.find('=')) != changes.npos;) {
    const std::string_view name = changes.substr(0, equals);
    names.emplace_back(name.substr(name.find_last_of(blanks) + 1));
    changes.remove_prefix(equals + 1);
    const std::size_t close = changes.starts_with('\'') ? changes.find('\'', 1) : changes.npos;
    changes.remove_prefix(close != changes.npos ? close + 1
                                                : std::min(changes.find_first_of(blanks), changes.size()));
  }
  return names;
}

/// Side A: changes to the settings of side B ("base=10000 position=3"), or another study, recipe or figure.
void read_pinned(const std::string& text, recipe::Recipe& recipe) {
  recipe::Compare& a = *recipe.compare;
  if (text.empty() || text.find('=') != std::string::npos) {
    refuse_repeated("--compare", names_in(text));
    try {
      a.settings = study::changed(recipe.settings, text);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(error.complaint().within({Subject::Kind::option, name_phrase("--compare")}));
    }
    a.study = recipe.study;
    a.device = recipe.device;
    return;
  }
  recipe::Recipe other = starting_point(text);
  a.study = other.study;
  a.settings = std::move(other.settings);
  a.device = other.device;
}

void read_comparison(const RenderOptions& o, recipe::Recipe& recipe) {
  // Another device alone is something to compare, too.
  if (!o.compare.empty() || (!o.compare_device.empty() && !recipe.compare)) {
    if (!recipe.compare) recipe.compare.emplace();
    read_pinned(o.compare, recipe);
  }
  if (!recipe.compare) {
    if (!o.compare_mode.empty())
      throw InvalidArgument(about(Subject::Kind::option, "--compare-mode")
                                .fault("found without {}", words("--compare or --compare-device"))
                                .led_by("; allowed ")
                                .allowed("with one of them"));
    return;
  }
  if (!o.compare_mode.empty())
    recipe.compare->mode = recipe::parse_compare_mode("--compare-mode", o.compare_mode);
  if (!o.compare_device.empty()) recipe.compare->device = parse_device(o.compare_device, "--compare-device");
}

recipe::Recipe recipe_of(const RenderOptions& o) {
  require("STUDY", o.study, what_there_is());
  recipe::Recipe recipe = starting_point(o.study);
  if (!o.preset.empty())
    recipe.settings = recipe::with_preset(recipe.settings, recipe::find_preset(*recipe.study, o.preset));
  set_all(o.set, recipe.settings);
  if (!o.device.empty()) recipe.device = parse_device(o.device);
  set_page(o.page, recipe);
  read_animation(o, recipe);
  read_comparison(o, recipe);
  return recipe;
}

/// What somebody has turned here, not what a recipe or a preset says besides.
std::vector<std::string> turned(const RenderOptions& o, const recipe::Recipe& recipe) {
  std::vector<std::string> names;
  for (const std::string& text : o.set) names.push_back(parse_assignment(text).name);
  if (!o.animate.empty()) names.push_back(recipe.animation->parameter);
  if (o.compare.find('=') != std::string::npos)
    for (std::string& name : names_in(o.compare)) names.push_back(std::move(name));
  return names;
}

/// A parameter that moves is not where it was set; side A, which stands still, may be.
void warn_of_moving(const RenderOptions& o, const recipe::Recipe& recipe) {
  if (!recipe.animation || !o.compare.empty() || !o.compare_device.empty()) return;
  const std::string& moving = recipe.animation->parameter;
  for (const std::string& text : o.set)
    if (parse_assignment(text).name == moving)
      warn(say("{}: changes nothing here, for it moves in every frame", moving));
}

ordered_json to_json(const recipe::Outcome& outcome, const recipe::Recipe& recipe,
                     const std::vector<std::filesystem::path>& files,
                     const std::vector<std::string>& left_out) {
  ordered_json checks = ordered_json::array(), tables = ordered_json::array(),
               written = ordered_json::array(), links = ordered_json::array();
  for (const study::Check& c : outcome.result.checks) {
    checks.push_back({{"statement", c.statement},
                      {"value", c.value},
                      {"bound", c.bound},
                      {"holds", c.holds()},
                      {"known_answer", c.known}});
  }
  for (const figure::Table& table : outcome.result.tables) tables.push_back(table.name);
  for (const study::Link& link : study::links_in(outcome.result))
    links.push_back(
        {{"panel", link.of}, {"numbers", link.text}, {"study", link.study}, {"settings", link.changes}});
  for (const auto& file : files) written.push_back(file.string());
  ordered_json said = {{"file", files.front().string()},
                       {"study", recipe.study->id},
                       {"seconds", outcome.seconds},
                       {"device", study::device_name(recipe.device)},
                       {"device_name", outcome.device_name},
                       {"checks", checks},
                       {"worked", outcome.result.worked},
                       {"tables", tables},
                       {"links", links},
                       {"files", written},
                       {"left_out", left_out}};
  if (recipe.compare)
    said["compare"] = {{"mode", recipe::compare_mode_names[static_cast<std::size_t>(recipe.compare->mode)]},
                       {"study", recipe.compare->study->id},
                       {"device", study::device_name(recipe.compare->device)},
                       {"remarks", outcome.remarks}};
  return said;
}

std::string caption_in(language::Language language, recipe::Recipe recipe, const recipe::Outcome& outcome) {
  recipe.language = language;
  return exporter::plain_text(recipe::caption(recipe, outcome.result.figure));
}

/// What shows the numbers of a link.
std::string command_text(const study::Link& link) {
  recipe::Recipe recipe;
  recipe.study = &study::find(link.study);
  recipe.settings = study::settings_of(link);
  std::string file(link.study);
  std::ranges::replace(file, '/', '-');
  return recipe::command_of(recipe, file + ".pdf").line;
}

void print_report(const recipe::Outcome& outcome, const std::vector<std::filesystem::path>& files,
                  const std::string& caption) {
  for (const auto& file : files) print(parameter::visible(file.string()) + "\n");
  if (!caption.empty()) print(caption + "\n");
  if (!outcome.result.worked.empty())
    for (const std::string_view statement : study::statements(outcome.result.worked))
      print("  " + exporter::plain_text("$" + std::string(statement) + "$") + "\n");
  TextTable checks("  ");
  for (const study::Check& c : outcome.result.checks) {
    const std::string statement = exporter::plain_text(translated(c.statement));
    checks.row({c.holds() ? say("holds") : say("FAILS"),
                c.known ? say("known answer: {}", statement) : statement,
                short_number(c.value) + " ≤ " + short_number(c.bound)});
  }
  print(checks.text());
  for (const study::Link& link : study::links_in(outcome.result))
    print("  " + say("on with {}: {}", translated(link.text), foreign(command_text(link))) + "\n");
}

/// On a terminal, how far a computation is that takes longer than a moment.
class ComputingLine {
 public:
  explicit ComputingLine(ProgressLine& line) : line_(line) {}
  void reached(double share) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    pace_.reached(share, seconds);
    constexpr double moment = 1;
    if (seconds < shown_at_ + moment) return;
    shown_at_ = seconds;
    const auto percent = static_cast<std::size_t>(100 * std::clamp(share, 0.0, 1.0));
    const std::optional<double> left = pace_.left(seconds);
    line_.show(percent, 100,
               left ? say("computing, {} left", recipe::time_left(spoken(), *left)) : say("computing…"));
  }

 private:
  using Clock = std::chrono::steady_clock;
  ProgressLine& line_;
  Clock::time_point begun_ = Clock::now();
  recipe::Pace pace_;
  double shown_at_ = 0;
};

void render(const RenderOptions& o) {
  // All that was typed is checked before anything is computed.
  const recipe::Recipe recipe = recipe_of(o);
  if (!o.json) speak(recipe.language);  // what a person reads is as the figure is
  require("-o", o.output, words("a file that ends in {}", joined(render::output_endings())));
  const std::string ending = ending_among("-o", o.output, render::output_endings());
  render::check_output(recipe, o.output);
  refuse_without_effect(o.page, std::span(&ending, 1));
  warn_of_unread(turned(o, recipe), recipe);
  warn_of_moving(o, recipe);
  const Phrase fonts = render::remark_on_fonts(recipe, o.output);
  if (!fonts.empty()) warn(say(fonts));
  ProgressLine progress;
  ComputingLine computing(progress);
  const render::Made made = render::make(recipe, o.output,
                                         {.choice = {o.table, o.caption},
                                          .on_frame =
                                              [&](int done, int all) {
                                                progress.show(static_cast<std::size_t>(done),
                                                              static_cast<std::size_t>(all), say("frames"));
                                              },
                                          .on_progress = [&](double share) { computing.reached(share); }});
  progress.clear();
  std::vector<Phrase> remarks = render::remarks_on(made.outcome);
  if (Phrase characters = render::remark_on_characters(recipe, made.outcome, o.output); !characters.empty())
    remarks.push_back(std::move(characters));
  for (const Phrase& remark : remarks) warn(exporter::plain_text(say(remark)));
  if (!made.left_out.empty()) warn(say(render::left_out_note(made.left_out, recipe)));
  warn_of_numbers(o.output, render::words_as_numbers(made.outcome, o.output, {o.table, o.caption}));
  if (o.json) {
    ordered_json said = to_json(made.outcome, recipe, made.files, made.left_out);
    if (!fonts.empty()) remarks.insert(remarks.begin(), fonts);
    said["remarks"] = ordered_json::array();
    for (const Phrase& remark : remarks) said["remarks"].push_back(english(remark));
    if (o.caption) said["caption"] = caption_in(language::Language::en, recipe, made.outcome);
    return print_json(said);
  }
  print_report(made.outcome, made.files, o.caption ? caption_in(recipe.language, recipe, made.outcome) : "");
}

}  // namespace

Command render_command() {
  const auto o = std::make_shared<RenderOptions>();
  using enum Offers::Kind;
  const Offers devices(words, words_of(study::device_names));
  std::vector<Argument> arguments{
      {"STUDY", &o->study, "", "an id from `orrery list`, or a recipe", study},
      {"--preset", &o->preset, "NAME",
       "a published model, or settings saved in the window (these where both have the name), before --set",
       preset},
      set_argument(o->set, setting),
      {"-o,--output",
       &o->output,
       "FILE",
       "the file; its ending says the format",
       {files, words_of(render::output_endings())}}};
  add_page_values(o->page, arguments);
  const std::vector<Argument> more{
      {"--table", &o->table, "NAME",
       "of the tables only this one; of a .tex, the table in the figure's place"},
      {"--animate", &o->animate, "NAME=FROM:TO[:log]",
       "a parameter on its way: base=1000:1e6:log, into .webp or %04d.png", motion}};
  arguments.insert(arguments.end(), more.begin(), more.end());
  add_motion_values(o->page, arguments);
  const std::vector<Argument> sides{{"--device", &o->device, "NAME", "ref, cpu or gpu", devices},
                                    {"--compare", &o->compare, "CHANGES",
                                     "side A, beside it: what is other there (\"base=10000 position=3\"), or "
                                     "another\nstudy, recipe or figure",
                                     changes},
                                    {"--compare-mode",
                                     &o->compare_mode,
                                     "NAME",
                                     "side-by-side, overlay or difference (side-by-side)",
                                     {words, words_of(recipe::compare_mode_names)}},
                                    {"--compare-device", &o->compare_device, "NAME",
                                     "of side A: ref, cpu or gpu; alone, the same settings there", devices}};
  arguments.insert(arguments.end(), sides.begin(), sides.end());
  add_page_flags(o->page, arguments);
  arguments.push_back(
      {"--caption", &o->caption, "",
       "say the figure's own sentence and its source; a .tex is a float with it, a .md\ntable has it below"});
  arguments.push_back({"--json", &o->json, "", "say what was done as JSON"});
  return {
      "render",
      "a study's figure (.pdf .svg .png .tex), its numbers (.csv .npy .md .tex) or\nits motion (.webp) in a file",
      std::move(arguments),
      [o] { return render(*o); },
      {{"orrery render norm/compare --set mean=2 --size 12cm×8cm -o norm.pdf",
        "a figure for a text of 12 cm"},
       {"orrery render norm.pdf --theme light --size slide -o norm-slide.pdf", "the same one for slides"},
       {"orrery render extrapolation/decay -o decay.tex", "in LaTeX's own fonts, by PGFPlots"},
       {"orrery render norm/compare --table components --caption -o components.tex",
        "a table for a text, with the rules of booktabs"},
       {"orrery render rope/rotation --animate base=1000:1e6:log --loop back-and-forth --frames 24 "
        "--size slide -o base.webp",
        "one parameter moving"},
       {"orrery render rope/rotation --compare base=10000 --compare-mode overlay -o both.pdf",
        "two settings in one figure"},
       {"orrery render rope/rotation --preset llama-3.1-8b --lang zh -o llama.pdf",
        "a published model's numbers, Chinese words"}}};
}

}  // namespace orrery::cli
