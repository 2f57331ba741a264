// Files from outside: dropped on the window, or given on the command line.
#include <algorithm>
#include <utility>

#include "app/export/export.h"
#include "app/export/recipe.h"
#include "app/gui/app.h"
#include "app/gui/file_uses.h"
#include "app/gui/folder.h"
#include "app/gui/tray.h"
#include "app/gui/typed_path.h"
#include "app/recipe/recipe.h"
#include "app/study/json_file.h"
#include "app/study/tensor_file.h"
#include "core/parameter/only_when.h"
#include "core/parameter/takes.h"
#include "core/tensor/error.h"

namespace orrery::gui {
namespace {

namespace fs = std::filesystem;
using parameter::Kind;
using parameter::Parameter;

/// A recipe, or what may have one inside.
bool carries_recipe(const fs::path& file) {
  const std::string ending = exporter::ending_of(file);
  const auto figures = exporter::figure_endings();
  return ending == ".toml" || ending == exporter::animation_ending ||
         std::ranges::find(figures, ending) != figures.end();
}

/// Throws Failure, as one line.
std::vector<recipe::NamedRecipe> recipes_of(const fs::path& file, file::Accept accept = file::Accept::files) {
  return recipe::recipes_from_toml(exporter::read_recipe(file, accept), file.string());
}

/// The open study goes first, unless another asks for a file of exactly this name. Of several others it is the model's card,
/// from which one comes to the rest.
FileUse taker_of(const study::Study& open, const std::string& name) {
  const std::vector<FileUse> all = uses_of(name);
  FileUse best;
  const auto consider = [&](auto fits) {
    for (const FileUse& use : all)
      if (fits(*use.study) && use.fit > best.fit) best = use;
  };
  consider([&](const study::Study& study) { return &study == &open; });
  consider([](const study::Study& study) { return study.id == "model/card"; });
  consider([](const study::Study&) { return true; });
  return best;
}

/// ".toml, .pdf, .svg …", by endings.
std::string recipe_endings() {
  std::string text = ".toml";
  for (const std::string_view each : exporter::figure_endings()) text += ", " + std::string(each);
  return text + ", " + std::string(exporter::animation_ending);
}

Phrase all_that_is_read() {
  Phrase all = words("recipes and figures made here ({})", recipe_endings());
  for (const study::Study* study : study::studies()) {
    std::string_view said;  // once, where several of a study take the same
    for (const Parameter& p : study->parameters) {
      if (p.kind != Kind::file || p.takes == said) continue;
      said = p.takes;
      all = words("{}; for {}: {}", all, Phrase{std::string(study->title)}, parameter::takes_text(p.takes));
    }
  }
  return all;
}

Failure about_file(const fs::path& file, const Complaint& why) {
  return Failure(why.within(in_file(shown_path(file))));
}

}  // namespace

std::string App::all_takes() {
  std::string all = ".toml";
  // What two of them take stands there once.
  const auto add = [&](std::string_view each) {
    if (("|" + all + "|").find("|" + std::string(each) + "|") == std::string::npos)
      all += "|" + std::string(each);
  };
  for (const std::string_view each : exporter::figure_endings()) add(each);
  add(exporter::animation_ending);
  for (const study::Study* study : study::studies())
    for (const Parameter& p : study->parameters)
      if (p.kind == Kind::file)
        for (std::size_t at = 0; at < p.takes.size();) {
          const std::size_t bar = std::min(p.takes.find('|', at), p.takes.size());
          add(p.takes.substr(at, bar - at));
          at = bar + 1;
        }
  return all;
}

/// The first figure of it is what is shown, as the first that it brought into the tray.
void App::take_recipes(const fs::path& file, const std::vector<recipe::NamedRecipe>& all) {
  remember_file(file);
  const recipe::NamedRecipe& first = all.front();
  if (all.size() == 1) {
    open_recipe(first.recipe, "Open");
  } else {
    open_recipe(first.recipe, "Open", [&](Document& d) {
      const std::size_t before = collected(d.tray).size();
      d.tray = with_recipes(d.tray, all);
      d.panes.tray_shown = true;
      d.opened = collected(d.tray)[before].recipe;
    });
    tray_file = whole_path(file);
  }
  aim_at(file);
  if (all.size() > 1) page.name = first.name;
  const std::string more =
      all.size() > 1 ? ", " + std::to_string(all.size()) + " figures in the tray" : std::string();
  say(Notice::Kind::done, "opened: " + shown_path(file) + more);
}

/// What is exported from now on goes where this lies, and, of a figure, to the file itself.
void App::aim_at(const fs::path& file) {
  const fs::path whole = whole_path(file);
  const std::string ending = exporter::ending_of(whole);
  page.folder = whole.parent_path().string();
  page.name = whole.stem().string();
  if (ending == ".toml" || !carries_recipe(whole)) return;
  page.ending = ending.substr(1);
  exporting_.comes_from(whole);
}

/// With what must be chosen besides for the file to be read.
bool App::hand_over(const study::Study& study, const Parameter& p, const std::string& path) {
  remember_file(study::file_of(path));
  const bool open = &study == document_.live.study;
  if (open && !parameter::unmet(p, settings())) return change(p.name, path);
  const auto left = left_.find(&study);
  parameter::Settings settings = open                  ? this->settings()
                                 : left != left_.end() ? left->second
                                                       : parameter::Settings(study.parameters);
  parameter::meet_conditions(p, settings);
  settings.set(p.name, parameter::Value(path));
  if (open) stand_still({});
  edit(study.title, {}, [&](Document& d) {
    d.live.study = &study;
    d.live.settings = settings;
    d.view = {};
  });
  say(Notice::Kind::done, shown_path(path) + ": for " + std::string(study.title));
  return true;
}

/// The study that asks for it takes it, or asks for one of its tensors.
bool App::take_input(const std::string& path, Ask ask) {
  const fs::path file = study::file_of(path);
  const FileUse taker = taker_of(study(), name_for_takers(path));
  if (!taker.study) throw about_file(file, wrong("is none of what is read: {}", all_that_is_read()));
  if (study::holds_tensors(path) || (ask == Ask::which_tensor && study::is_numpy(path))) {
    question = path;
    return false;
  }
  if (!hand_over(*taker.study, *taker.parameter, path)) throw Failure(notice_.complaint);
  return true;
}

void App::take_file(const fs::path& path, std::chrono::milliseconds wait, Ask ask) {
  ask_file(path, 0, wait, ask);
}

void App::leave_file() {
  inquiry_.drop();
  if (!reading_.empty() && notice_.text == reading_) hush();
  reading_.clear();
}

/// What `find` makes of a file is done when it is there; meanwhile the notice says what is waited for.
void App::inquire(const fs::path& file, std::function<Inquiry::Then()> find, std::chrono::milliseconds wait) {
  leave_file();
  refusal_ = {};
  const auto refuse = [this](const Complaint& why) {
    refusal_ = why;
    say(why);
  };
  const auto guarded = [this, find = std::move(find), refuse]() -> Inquiry::Then {
    return [this, then = find(), refuse] {
      leave_file();
      try {
        then();
      } catch (const std::exception& error) {
        refuse(complaint_of(error));
      }
    };
  };
  inquiry_.ask(file.string(), guarded, refuse, wake_, wait);
  if (!inquiry_.pending()) return;
  reading_ = "reading: " + shown_path(file);
  say(Notice::Kind::none, reading_);
}

/// `more` are left out, and that is said.
void App::ask_file(const fs::path& path, std::size_t more, std::chrono::milliseconds wait, Ask ask) {
  // A folder's name may hold a # too: only what is whole is one name.
  const std::string text = whole_path(path).string();
  const fs::path file = study::file_of(text);
  const auto find = [this, text, file, more, ask]() -> Inquiry::Then {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::is_directory(status) && text == file) {
      if (study::is_tensor_folder(file)) return [this, text] { question = folder_text(text); };
      throw about_file(file, wrong("is a folder; what is read are {}", all_that_is_read()));
    }
    if (!fs::exists(status))
      throw about_file(file, Complaint().fault(error ? foreign(error.message()) : words("is not there")));
    const auto say_rest = [this, file, more] {
      if (more > 0)
        say(Notice::Kind::done,
            shown_path(file) + ": taken; " + std::to_string(more) + " more left, one at a time");
    };
    if (carries_recipe(file))
      return [this, file, say_rest, all = recipes_of(file, file::Accept::files_and_pipes)] {
        take_recipes(file, all);
        say_rest();
      };
    study::refuse_broken_json(file, shown_path(file));  // before its study takes the place of the open one
    return [this, text, say_rest, ask] {
      if (take_input(text, ask)) say_rest();
    };
  };
  inquire(file, find, wait);
}

void App::collect(const std::vector<fs::path>& files, const std::vector<recipe::NamedRecipe>& recipes) {
  for (const fs::path& file : files) remember_file(file);
  edit("Collect", {}, [&](Document& d) {
    d.tray = with_recipes(d.tray, recipes);
    d.panes.tray_shown = true;
  });
  say(Notice::Kind::done, std::to_string(recipes.size()) + " figures put into the tray");
}

void App::take_files(std::vector<fs::path> files) {
  if (files.empty()) return;
  if (files.size() == 1 || !std::ranges::all_of(files, carries_recipe))
    return ask_file(files.front(), files.size() - 1, Inquiry::glance, Ask::which_tensor);
  const auto find = [this, files]() -> Inquiry::Then {
    std::vector<recipe::NamedRecipe> recipes;
    for (const fs::path& file : files)
      for (recipe::NamedRecipe& each : recipes_of(file)) recipes.push_back(std::move(each));
    return [this, files, recipes] { collect(files, recipes); };
  };
  inquire(files.front(), find, Inquiry::glance);
}

}  // namespace orrery::gui
