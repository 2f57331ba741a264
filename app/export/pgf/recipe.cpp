// The recipe among the comments of a .tex: as many lines as it has, between two that no other program writes.
#include "app/export/pgf/recipe.h"

#include <algorithm>

#include "app/export/pgf/pgf.h"
#include "core/tensor/error.h"

namespace orrery::exporter::pgf {
namespace {

constexpr std::string_view begin = "% orrery-recipe begin\n", line_start = "%| ", end = "% orrery-recipe end";

}  // namespace

std::string recipe_comment(const std::string& recipe) {
  if (recipe.empty()) return {};
  std::string text(begin);
  for (std::size_t from = 0; from <= recipe.size();) {
    const std::size_t stop = std::min(recipe.find('\n', from), recipe.size());
    text += std::string(line_start) + recipe.substr(from, stop - from) + '\n';
    from = stop + 1;
  }
  return text + std::string(end) + '\n';
}

std::string recipe_in(const std::string& bytes) {
  const std::size_t start = bytes.find(begin);
  if (start == std::string::npos) return {};
  std::string recipe;
  for (std::size_t at = start + begin.size(); at < bytes.size();) {
    const std::string_view rest = std::string_view(bytes).substr(at);
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (line.starts_with(end)) {
      recipe.resize(recipe.size() - (recipe.empty() ? 0 : 1));  // lines are joined, not ended, by \n
      return recipe;
    }
    if (!line.starts_with(line_start)) break;
    recipe.append(line.substr(line_start.size())).append("\n");
    if (recipe.size() > most_recipe_bytes + 1) throw Failure(wrong("the recipe is larger than {}", "1 MiB"));
    at += line.size() + 1;
  }
  throw Failure(wrong("broken {}: its recipe is cut off", ".tex"));
}

}  // namespace orrery::exporter::pgf
