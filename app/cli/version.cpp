#include "app/cli/version.h"

#include <cairo.h>
#include <fontconfig/fontconfig.h>
#include <hb.h>
#include <pango/pango.h>
#include <png.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <qpdf/QPDF.hh>

#include <toml++/toml.h>

#include "app/cli/print.h"

namespace orrery::cli {
namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

}  // namespace

std::string version_text(const Program& program) {
  TextTable table("  ");
  // Asked at run time where the library can answer: the one that is loaded, not the one that was built
  // against.
  table.row({"Cairo", cairo_version_string()});
  table.row({"Pango", pango_version_string()});
  table.row({"HarfBuzz", hb_version_string()});
  table.row({"fontconfig", dotted(FcGetVersion() / 10000, FcGetVersion() / 100 % 100, FcGetVersion() % 100)});
  table.row({"libpng", png_get_libpng_ver(nullptr)});
  table.row({"QPDF", QPDF::QPDFVersion()});
  table.row({"pugixml", dotted(PUGIXML_VERSION / 1000, PUGIXML_VERSION / 10 % 100, PUGIXML_VERSION % 10)});
  table.row({"Eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)});
  table.row({"nlohmann-json",
             dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)});
  table.row({"toml++", dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)});
  table.row({"CLI11", CLI11_VERSION});
  for (const std::string& library : program.window_libraries) {
    const auto space = library.find(' ');
    table.row({library.substr(0, space), library.substr(space + 1)});
  }
  return "orrery " + program.version + "\n" + table.text();
}

}  // namespace orrery::cli
