// The recipe inside a figure file. What is read here may come from anybody.
#include <algorithm>

#include "app/export/export.h"
#include "app/export/formats.h"
#include "app/export/pgf/pgf.h"
#include "app/export/recipe.h"
#include "app/export/utf8.h"
#include "core/file/bytes.h"
#include "core/tensor/error.h"

namespace orrery::exporter {
namespace {

constexpr std::uint64_t most_file_bytes = std::uint64_t{64} << 20;

std::string recipe_in(const std::string& bytes, const std::string& ending) {
  // By what the file is, not by what it is called: figures get renamed.
  if (bytes.starts_with("%PDF-")) return pdf_recipe(bytes);
  if (bytes.starts_with("\x89PNG\r\n\x1a\n")) return png_recipe(bytes);
  if (bytes.starts_with("RIFF") && bytes.size() >= 12 && bytes.compare(8, 4, "WEBP") == 0)
    return webp_recipe(bytes);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string::npos && bytes[first] == '<') return svg_recipe(bytes);
  if (ending == ".toml") return bytes;
  if (ending == ".tex" || bytes.starts_with('%')) return pgf::recipe_in(bytes);
  throw Failure(wrong("it is no PDF, SVG, PNG, WebP, .tex or .toml file"));
}

/// One line, whatever a library or a hostile file put into it.
std::string one_line(std::string text) {
  text = valid_utf8(text.substr(0, 300));
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  return text;
}

}  // namespace

std::string read_recipe(const std::filesystem::path& path, file::Accept accept) {
  const std::string bytes = file::read_bytes(path, most_file_bytes, accept);
  try {
    std::string recipe = recipe_in(bytes, ending_of(path));
    if (recipe.empty()) throw Failure(wrong("there is no recipe inside"));
    if (recipe.size() > most_recipe_bytes) throw Failure(wrong("the recipe is larger than {}", "1 MiB"));
    if (recipe.find('\0') != std::string::npos || valid_utf8(recipe) != recipe)
      throw Failure(wrong("the recipe is not UTF-8 text"));
    return recipe;
  } catch (const Failure& failure) {
    const Subject unread{Subject::Kind::file, words("cannot read a recipe from {}", one_line(path.string()))};
    throw Failure(failure.complaint().within(unread));
  }
}

std::string read_recipe(const std::filesystem::path& path) {
  return read_recipe(path, file::Accept::files);
}

}  // namespace orrery::exporter
