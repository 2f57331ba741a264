#include "app/cli/version_report.h"

#include <sys/utsname.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "app/cli/print.h"
#include "app/cli/speech.h"
#include "app/cli/version.h"
#include "app/export/any_font.h"
#include "app/export/typefaces.h"
#include "app/figure/theme.h"
#include "core/bench/benchmark.h"
#include "core/gpu/device.h"
#include "core/simd/target.h"
#include "core/tensor/complaint_words.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

using nlohmann::ordered_json;

std::string compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#elif defined(__GNUC__)
  return "GCC " __VERSION__;
#else
  return "unknown";
#endif
}

/// "Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64"
std::string operating_system() {
  std::string name;
  std::ifstream release("/etc/os-release");
  for (std::string line; std::getline(release, line);)
    if (line.starts_with("PRETTY_NAME=")) name = line.substr(line.find('=') + 1);
  std::erase(name, '"');
  utsname kernel{};
  if (uname(&kernel) != 0) return name;
  return name + (name.empty() ? "" : ", ") + kernel.sysname + " " + kernel.release + " " + kernel.machine;
}

struct Graphics {
  std::optional<gpu::DeviceInfo> info;
  std::string why_not;
};

Graphics graphics() {
  try {
    return {gpu::Device().info(), ""};
  } catch (const std::exception& error) {
    return {{}, say(complaint_of(error))};
  }
}

/// What the themes are set in, each once.
std::vector<exporter::Face> typefaces() {
  std::set<std::string> wanted;
  for (const std::string_view name : figure::theme_names()) {
    const figure::Fonts& fonts = figure::theme_by_name(name).fonts;
    wanted.insert({fonts.words, fonts.numbers, fonts.math});
  }
  std::vector<exporter::Face> faces;
  for (const std::string& family : wanted) faces.push_back(exporter::face_for(family));
  return faces;
}

bool has_chinese() {
  return exporter::any_font_has(U'\u4E2D');
}

/// Set by a person, and changing what the program does.
std::vector<std::pair<std::string, std::string>> variables() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const char* name : {"LANG", "LC_ALL", "OMP_NUM_THREADS", "ORRERY_NO_GPU", "ORRERY_SHADER_DIR",
                           "ORRERY_TRANSLATION_DIR", "LIBGL_ALWAYS_SOFTWARE", "DISPLAY", "WAYLAND_DISPLAY"})
    if (const char* value = std::getenv(name)) all.emplace_back(name, value);
  return all;
}

ordered_json as_json(const Program& program, bool verbose) {
  ordered_json all{{"version", program.version}};
  if (verbose) {
    all["commit"] = program.commit.empty() ? ordered_json(nullptr) : ordered_json(program.commit);
    all["compiler"] = compiler();
    all["system"] = operating_system();
    all["processor"] = bench::machine();
    all["threads"] = bench::threads();
    all["vectors"] = simd::target();
    const Graphics found = graphics();
    if (found.info)
      all["graphics"] = {{"vendor", found.info->vendor},
                         {"renderer", found.info->renderer},
                         {"version", found.info->version},
                         {"software", found.info->software}};
    else
      all["graphics"] = {{"missing", found.why_not}};
    for (const exporter::Face& face : typefaces())
      all["fonts"].push_back({{"family", face.wanted},
                              {"installed", face.installed()},
                              {"found", face.found},
                              {"file", face.file}});
    all["chinese"] = has_chinese();
    for (const auto& [name, place] : program.places) all["places"][name] = place;
    all["variables"] = ordered_json::object();
    for (const auto& [name, value] : variables()) all["variables"][name] = value;
  }
  for (const auto& [name, version] : library_versions(program)) all["libraries"][name] = version;
  return all;
}

std::string report_text(const Program& program) {
  TextTable table("  ");
  table.row({say("commit"), program.commit.empty() ? say("unknown: built without git") : program.commit});
  table.row({say("compiler"), compiler()});
  table.row({say("system"), operating_system()});
  table.row({say("processor"), say("{}, {} threads", bench::machine(), bench::threads())});
  table.row({say("vectors"), simd::target()});
  const Graphics found = graphics();
  table.row({say("graphics"),
             found.info ? found.info->renderer + ", OpenGL " + found.info->version : found.why_not});
  for (const exporter::Face& face : typefaces())
    table.row({say("font"), face.installed()
                                ? face.wanted + ": " + face.file
                                : say("{}: not installed, {} in its place", face.wanted, face.found)});
  table.row(
      {say("Chinese"), has_chinese() ? say("there is a font for it") : say("no font has its characters")});
  for (const auto& [name, place] : program.places) table.row({translated(name), place});
  for (const auto& [name, value] : variables()) table.row({name, value});
  for (const auto& [name, version] : library_versions(program)) table.row({name, version});
  return "orrery " + program.version + "\n" + table.text();
}

}  // namespace

void print_version(const Program& program, bool verbose, bool json) {
  if (json) return print_json(as_json(program, verbose));
  print(verbose ? report_text(program) : version_text(program));
}

}  // namespace orrery::cli
