// Files from outside: dropped on the window, or given on the command line.
#include <algorithm>
#include <tuple>

#include "app/export/export.h"
#include "app/gui/app.h"
#include "app/gui/tray.h"
#include "app/gui/typed_path.h"
#include "app/study/reading.h"
#include "app/study/recipe.h"
#include "app/study/tensor_file.h"
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

std::vector<study::NamedRecipe> recipes_of(const fs::path& file) {
  return study::read_shortly(
      file.string(), [file] { return study::recipes_from_toml(exporter::read_recipe(file), file.string()); });
}

struct Taker {
  const study::Study* study = nullptr;
  const Parameter* parameter = nullptr;
  int fit = 0;
};

/// Of one study, the file parameter that the name fits best.
Taker taker_in(const study::Study& study, const std::string& name) {
  Taker best;
  for (const Parameter& p : study.parameters)
    if (p.kind == Kind::file)
      if (const int fit = parameter::taken(p.takes, name); fit > best.fit) best = {&study, &p, fit};
  return best;
}

/// The open study goes first, unless another asks for a file of exactly this name.
Taker taker_of(const study::Study& open, const std::string& name) {
  Taker best = taker_in(open, name);
  for (const study::Study* study : study::studies())
    if (const Taker other = taker_in(*study, name); other.fit > best.fit) best = other;
  return best;
}

std::string all_takers() {
  std::string text;
  for (const study::Study* study : study::studies())
    for (const Parameter& p : study->parameters)
      if (p.kind == Kind::file)
        text += (text.empty() ? "" : "; ") + std::string(study->title) + " takes " +
                parameter::takes_text(p.takes);
  return text;
}

}  // namespace

/// To a study's file parameter; the study is opened with it, as one step.
bool App::hand_over(const study::Study& study, const Parameter& p, const fs::path& file) {
  remember_file(file);
  const bool here = &study == document_.live.study;
  if (here && study::holds_tensors(file.string())) {
    question = Question{std::string(p.name), file.string()};
    return true;
  }
  if (here) return change(p.name, file.string());
  const auto left = left_.find(&study);
  parameter::Settings settings = left != left_.end() ? left->second : parameter::Settings(study.parameters);
  if (!study::holds_tensors(file.string())) settings.set(p.name, parameter::Value(file.string()));
  edit(study.title, {}, [&](Document& d) {
    d.live.study = &study;
    d.live.settings = settings;
    d.view = {};
  });
  if (study::holds_tensors(file.string())) question = Question{std::string(p.name), file.string()};
  notice = {Notice::Kind::done, shown_path(file) + ": for " + std::string(study.title)};
  return true;
}

void App::take_file(const fs::path& file) {
  const auto refuse_file = [&](const std::string& why) {
    notice = {Notice::Kind::error, shown_path(file) + ": " + why};
  };
  std::error_code error;
  fs::file_status status;
  try {
    std::tie(status, error) = study::read_shortly(file.string(), [file] {
      std::error_code wrong;
      const fs::file_status found = fs::status(file, wrong);
      return std::pair(found, wrong);
    });
  } catch (const Failure&) {
    return refuse_file("does not answer");
  }
  if (fs::is_directory(status))
    return refuse_file(
        "is a folder; what can be taken are recipes, figures made here, config.json, .npy, .safetensors");
  if (!fs::exists(status)) return refuse_file(error ? error.message() : "is not there");
  if (carries_recipe(file)) return open_file(file);
  const Taker taker = taker_of(study(), file.filename().string());
  if (!taker.study) return refuse_file("neither a recipe nor a figure; " + all_takers());
  hand_over(*taker.study, *taker.parameter, file);
}

void App::take_files(const std::vector<fs::path>& files) {
  if (files.empty()) return;
  if (files.size() == 1) return take_file(files.front());
  std::vector<study::NamedRecipe> recipes;
  try {
    if (std::ranges::all_of(files, carries_recipe))
      for (const fs::path& file : files)
        for (study::NamedRecipe& each : recipes_of(file)) recipes.push_back(std::move(each));
  } catch (const std::exception& error) {
    notice = {Notice::Kind::error, error.what()};
    return;
  }
  if (recipes.empty()) {
    take_file(files.front());
    if (notice.kind != Notice::Kind::error)
      notice = {Notice::Kind::done, shown_path(files.front()) + ": taken; " +
                                        std::to_string(files.size() - 1) + " more left, one at a time"};
    return;
  }
  for (const fs::path& file : files) remember_file(file);
  edit("Collect", {}, [&](Document& d) {
    d.tray = with_recipes(d.tray, recipes);
    d.panes.tray_shown = true;
  });
  notice = {Notice::Kind::done, std::to_string(recipes.size()) + " figures put into the tray"};
}

}  // namespace orrery::gui
