#include "app/cli/version.h"

#include <toml++/toml.h>

#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "app/cli/parse.h"
#include "app/cli/print.h"
#include "app/export/libraries.h"
#include "core/simd/target.h"

namespace orrery::cli {
namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> library_versions(const Program& program) {
  std::vector<std::string> libraries = exporter::libraries();
  libraries.insert(libraries.end(), program.window_libraries.begin(), program.window_libraries.end());
  libraries.push_back("Eigen " + dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION));
  libraries.push_back("nlohmann-json " + dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                                NLOHMANN_JSON_VERSION_PATCH));
  libraries.push_back("toml++ " + dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH));
  libraries.push_back("Highway " + simd::library_version());
  libraries.push_back(parsing_library());

  std::vector<std::pair<std::string, std::string>> split;
  for (const std::string& library : libraries) {
    const auto space = library.find(' ');
    split.emplace_back(library.substr(0, space), library.substr(space + 1));
  }
  return split;
}

std::string version_text(const Program& program) {
  TextTable table("  ");
  for (const auto& [name, version] : library_versions(program)) table.row({name, version});
  return "orrery " + program.version + "\n" + table.text();
}

}  // namespace orrery::cli
