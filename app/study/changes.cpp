#include "app/study/changes.h"

#include <sstream>
#include <string>

#include "core/tensor/error.h"

namespace orrery::study {

parameter::Settings changed(parameter::Settings settings, std::string_view changes) {
  std::istringstream words{std::string(changes)};
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      throw InvalidArgument("found '" + word + "'; allowed: name=value, several apart by spaces");
    settings.set(std::string_view(word).substr(0, equals), std::string_view(word).substr(equals + 1));
  }
  return settings;
}

}  // namespace orrery::study
