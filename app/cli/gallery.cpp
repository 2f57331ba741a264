// orrery gallery: every built-in recipe as a file.
#include <memory>

#include "app/cli/arguments.h"
#include "app/cli/batch_run.h"
#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/export/export.h"
#include "app/render/make.h"
#include "core/parameter/shown.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

struct GalleryOptions {
  std::string output, format = "pdf", jobs, language;
};

/// No built-in recipe moves.
std::vector<std::string_view> still_endings() {
  std::vector<std::string_view> endings = render::output_endings();
  std::erase(endings, exporter::animation_ending);
  return endings;
}

void gallery(const GalleryOptions& o) {
  require("-o", o.output, words("a directory"));
  const std::vector<std::string> endings = parse_formats(o.format, still_endings());
  const int threads = parse_jobs(o.jobs);
  const language::Language of_figures = parse_language(o.language.empty() ? "en" : o.language);
  make_directory(o.output);
  std::vector<Job> jobs;
  for (int i = 0; i < recipe::built_in_recipes_count; ++i) {
    const tensor::EmbeddedFile& built_in = recipe::built_in_recipes[i];
    recipe::Recipe recipe = recipe::recipe_from_toml(built_in.text, built_in.name);
    recipe.language = of_figures;
    for (const std::string& ending : endings) {
      const auto target = (std::filesystem::path(o.output) / built_in.name).replace_extension(ending);
      jobs.push_back({built_in.name, target, recipe});
    }
  }
  ProgressLine progress;
  Complaint first_error;
  Warnings warnings;
  run_jobs(
      jobs, threads,
      [&](std::size_t i, const Done& done) {
        progress.clear();
        if (!done.error.empty() && first_error.empty())
          first_error = done.error.within(in_file(jobs[i].name));
        warnings.say_of(jobs[i], done);
        for (const auto& file : done.files)
          print(std::to_string(i + 1) + "/" + std::to_string(jobs.size()) + "  " +
                parameter::visible(file.string()) + "  " + short_number(done.seconds) + " s\n");
      },
      [&](std::size_t ended) { progress.show(ended, jobs.size(), ""); });
  progress.clear();
  if (!first_error.empty()) throw Failure(first_error);
}

}  // namespace

Command gallery_command() {
  const auto o = std::make_shared<GalleryOptions>();
  return {"gallery",
          "the built-in figures, all of them, in a directory",
          {output_folder(o->output),
           {"--format", &o->format, "NAMES", "pdf, svg, png, tex, csv, npy, md, several with commas (pdf)",
            formats_offered(still_endings())},
           jobs_argument(o->jobs),
           language_argument(o->language, "of all figures, and of what is said here")},
          [o] { return gallery(*o); },
          {{"orrery gallery -o figures", "all of them, as PDF"}}};
}

}  // namespace orrery::cli
