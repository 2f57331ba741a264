#include "app/render/spare.h"

#include <system_error>
#include <utility>

#include "app/render/make.h"
#include "app/study/tensor_file.h"
#include "core/tensor/error.h"

namespace orrery::render {
namespace {

namespace fs = std::filesystem;

void add_inputs(const parameter::Settings& settings, std::vector<fs::path>& all) {
  for (const parameter::Parameter& p : settings.declared()) {
    if (p.kind != parameter::Kind::file || settings.file(p.name).empty()) continue;
    all.push_back(study::file_of(settings.file(p.name)));
  }
}

void refuse(const fs::path& file) {
  throw InvalidArgument(about(Subject::Kind::option, "-o")
                            .found(file.string())
                            .fault("{} would be written over, and the figure is made of it", file.string())
                            .allowed("another name"));
}

}  // namespace

exporter::BeforeWriting sparing_inputs(const recipe::Recipe& recipe, exporter::BeforeWriting then) {
  std::vector<fs::path> inputs;
  add_inputs(recipe.settings, inputs);
  if (recipe.compare) add_inputs(recipe.compare->settings, inputs);
  return [inputs = std::move(inputs), then = std::move(then)](std::span<const fs::path> files) {
    for (const fs::path& file : files)
      for (const fs::path& input : inputs)
        if (std::error_code none; fs::equivalent(file, input, none)) refuse(file);
    if (then) then(files);
  };
}

exporter::BeforeWriting asked_before_writing(const recipe::Recipe& recipe, const MakeOptions& options) {
  return sparing_inputs(
      recipe, [stop = options.stop, then = options.before_writing](std::span<const fs::path> files) {
        if (stop.stop_requested()) throw Cancelled();
        if (then) then(files);
      });
}

}  // namespace orrery::render
