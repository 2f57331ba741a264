#include "tests/eyes/judges.h"

#include <array>
#include <cstdlib>
#include <string>

#include "app/recipe/command.h"
#include "core/tensor/error.h"
#include "tests/support/files.h"

namespace orrery::eyes {
namespace {

namespace fs = std::filesystem;

// A page of w points has w · 150 / 72 pixels everywhere. Inkscape takes a user unit for 1/96 inch: it is told the dpi alone.
constexpr auto all = std::to_array<Judge>({
    {"librsvg", ".svg", "rsvg-convert", "librsvg2-bin", "rsvg-convert -d 150 -p 150 {in} -o {out}"},
    {"inkscape", ".svg", "inkscape", "inkscape", "inkscape {in} --export-type=png --export-dpi=150 -o {out}"},
    {"librsvg, text", ".svg", "rsvg-convert", "librsvg2-bin", "rsvg-convert -d 150 -p 150 {in} -o {out}",
     true},
    {"inkscape, text", ".svg", "inkscape", "inkscape",
     "inkscape {in} --export-type=png --export-dpi=150 -o {out}", true},
    {"poppler", ".pdf", "pdftoppm", "poppler-utils", "pdftoppm -r 150 -png -singlefile {in} {stem}"},
});

std::string quoted(const fs::path& path) {
  return recipe::shell_word(path.string());
}

std::string filled(std::string_view line, const fs::path& in, const fs::path& out) {
  std::string text(line);
  const std::array<std::pair<std::string_view, std::string>, 3> places{
      std::pair<std::string_view, std::string>{"{in}", quoted(in)},
      {"{out}", quoted(out)},
      {"{stem}", quoted(fs::path(out).replace_extension())}};
  for (const auto& [place, with] : places)
    if (const auto at = text.find(place); at != std::string::npos) text.replace(at, place.size(), with);
  return text;
}

}  // namespace

std::span<const Judge> judges() {
  return all;
}

bool is_here(const Judge& judge) {
  return support::have(std::string(judge.program));
}

void show(const Judge& judge, const fs::path& file, const fs::path& out) {
  const fs::path said = fs::path(out).replace_extension(".said");
  const std::string line = filled(judge.line, file, out) + " >" + quoted(said) + " 2>&1";
  if (std::system(line.c_str()) == 0 && fs::exists(out)) return;
  throw Failure(wrong("{} cannot show {}: {}", judge.name, file.string(), foreign(support::contents(said))));
}

}  // namespace orrery::eyes
