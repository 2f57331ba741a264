// What a file can be given to: the parameters of studies that take one of its name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/study/study.h"

namespace orrery::gui {

struct FileUse {
  const study::Study* study = nullptr;
  const parameter::Parameter* parameter = nullptr;
  int fit = 0;  ///< as parameter::taken has it
};

/// "model.safetensors" for a folder as downloaded, which is taken where its files are; else the file's own name.
std::string name_for_takers(std::string_view path);

/// In the order of the studies.
std::vector<FileUse> uses_of(std::string_view file_name);

}  // namespace orrery::gui
