// orrery batch: every figure of a lecture, side by side.
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/batch_run.h"
#include "app/cli/commands.h"
#include "app/cli/page_options.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/export/recipe.h"
#include "app/render/claims.h"
#include "app/render/make.h"
#include "app/render/written_twice.h"
#include "core/parameter/shown.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct BatchOptions {
  std::vector<std::string> recipes;
  std::string output, format = "pdf", jobs;
  PageWords page;
  bool json = false;
};

/// The figures of one file, each in each format. A file that cannot be read is one job that fails.
void add_jobs(const fs::path& file, const fs::path& directory, const std::vector<std::string>& endings,
              std::vector<Job>& jobs) {
  std::vector<recipe::NamedRecipe> figures;
  try {
    figures =
        recipe::recipes_from_toml(exporter::read_recipe(file, file::Accept::files_and_pipes), file.string());
  } catch (const std::exception& error) {
    jobs.push_back({file.string(), {}, {}, complaint_of(error)});
    return;
  }
  for (std::size_t i = 0; i < figures.size(); ++i) {
    std::string name = figures[i].name;
    if (name.empty()) name = file.stem().string() + (figures.size() > 1 ? "-" + std::to_string(i + 1) : "");
    for (const std::string& ending : endings)
      jobs.push_back({name, directory / (name + ending), figures[i].recipe});
  }
}

void refuse_collisions(const std::vector<Job>& jobs) {
  if (const auto file = render::written_twice(jobs))
    throw InvalidArgument(
        render::two_figures_in(*file).within({Subject::Kind::option, name_phrase("RECIPES")}));
}

ordered_json to_json(const std::vector<Job>& jobs, const std::vector<Done>& done) {
  ordered_json all = ordered_json::array();
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    ordered_json files = ordered_json::array(), remarks = files;
    for (const fs::path& file : done[i].files) files.push_back(file.string());
    if (!done[i].fonts.empty()) remarks.push_back(english(done[i].fonts));
    for (const Phrase& remark : done[i].remarks) remarks.push_back(english(remark));
    if (!done[i].characters.empty()) remarks.push_back(english(done[i].characters));
    ordered_json entry{
        {"name", jobs[i].name},
        {"study", jobs[i].recipe.study ? ordered_json(jobs[i].recipe.study->id) : ordered_json()},
        {"seconds", done[i].seconds},
        {"files", files},
        {"left_out", done[i].left_out},
        {"remarks", remarks}};
    if (!done[i].error.empty()) entry["error"] = english(done[i].error);
    all.push_back(entry);
  }
  return all;
}

/// What was asked for all of them. What a recipe that could not be read would say is nobody's business.
void set_pages(const PageWords& words, std::vector<Job>& jobs) {
  bool moves = false;
  for (Job& job : jobs) {
    set_page(words, job.recipe);
    if (!job.recipe.animation) continue;
    moves = true;
    set_motion(words, *job.recipe.animation);
    // The one frame that a picture shows is one of fewer now.
    try {
      recipe::validate(*job.recipe.animation, job.recipe.settings);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(error.complaint().within(in_file(job.name)));
    }
  }
  if (says_motion(words) && !moves)
    throw InvalidArgument(about(Subject::Kind::option, "--frames, --fps, --loop")
                              .fault("found, but no recipe moves")
                              .led_by("; allowed ")
                              .allowed("with an [animation]"));
}

void batch(const BatchOptions& o) {
  if (o.recipes.empty())
    require("RECIPES", "", words("recipes: .toml files, or figures with a recipe inside"));
  require("-o", o.output, words("a directory"));
  const std::vector<std::string> endings = parse_formats(o.format, render::output_endings());
  const int threads = parse_jobs(o.jobs);
  std::vector<Job> jobs;
  for (const std::string& file : o.recipes) add_jobs(file, o.output, endings, jobs);
  set_pages(o.page, jobs);
  refuse_collisions(jobs);
  refuse_without_effect(o.page, endings);
  // For nothing that can be made, no folder.
  if (std::ranges::any_of(jobs, [](const Job& job) { return job.error.empty(); })) make_directory(o.output);

  ProgressLine progress;
  std::vector<std::string> failed;
  Warnings warnings;
  const std::vector<Done> done = run_jobs(
      jobs, threads,
      [&](std::size_t i, const Done& one) {
        progress.clear();
        if (!one.error.empty()) {
          failed.push_back(jobs[i].name);
          // What could not be read says its name itself.
          const bool named = one.error.begins_with(Subject::Kind::file, jobs[i].name);
          warn(say(named ? one.error : one.error.within(in_file(jobs[i].name))));
          return;
        }
        warnings.say_of(jobs[i], one);
        if (!o.json) {
          for (const fs::path& file : one.files)
            print(std::to_string(i + 1) + "/" + std::to_string(jobs.size()) + "  " +
                  parameter::visible(file.string()) + "  " + short_number(one.seconds) + " s\n");
        }
      },
      [&](std::size_t ended) {
        progress.show(ended, jobs.size(), failed.empty() ? "" : say("{} failed", failed.size()));
      });
  progress.clear();
  if (o.json) print_json(to_json(jobs, done));
  if (failed.empty()) return;
  const std::vector<std::string_view> names(failed.begin(), failed.end());
  throw Failure(wrong("{} of {} could not be made: {}", failed.size(), jobs.size(), names_phrase(names)));
}

}  // namespace

Command batch_command() {
  const auto o = std::make_shared<BatchOptions>();
  std::vector<Argument> arguments{
      {"RECIPES",
       &o->recipes,
       "FILE",
       "recipes, or figures with a recipe inside",
       {Offers::Kind::files, recipe_endings()}},
      output_folder(o->output),
      {"--format", &o->format, "NAMES", "pdf, svg, png, tex, webp, csv, npy, md, several with commas (pdf)",
       formats_offered(render::output_endings())},
      jobs_argument(o->jobs),
      {"--json", &o->json, "", "say what was done as JSON"}};
  const std::string group = "Of all figures, whatever their recipes say";
  add_page_values(o->page, arguments, group);
  add_motion_values(o->page, arguments, group);
  add_page_flags(o->page, arguments, group);
  return {"batch",
          "many recipes at once, each into its file",
          std::move(arguments),
          [o] { return batch(*o); },
          {{"orrery batch a.toml b.toml -o figures --jobs 2", "every figure of a lecture"},
           {"orrery batch lecture.toml -o figures --format pdf,svg", "each in two formats"},
           {"orrery batch lecture.toml -o slides --theme light --size slide", "all of them for slides"}}};
}

}  // namespace orrery::cli
