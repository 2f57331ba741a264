#include "app/gui/file_uses.h"

#include "app/study/tensor_file.h"
#include "core/parameter/takes.h"

namespace orrery::gui {

std::string name_for_takers(std::string_view path) {
  const std::filesystem::path file = study::file_of(path);
  return file.has_filename() ? file.filename().string() : "model.safetensors";
}

std::vector<FileUse> uses_of(std::string_view file_name) {
  std::vector<FileUse> all;
  for (const study::Study* study : study::studies())
    for (const parameter::Parameter& p : study->parameters)
      if (p.kind == parameter::Kind::file)
        if (const int fit = parameter::taken(p.takes, file_name); fit > 0) all.push_back({study, &p, fit});
  return all;
}

}  // namespace orrery::gui
