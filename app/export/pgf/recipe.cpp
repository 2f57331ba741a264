// The recipe among the comments of a .tex: as many lines as it has, between two that no other program writes.
#include "app/export/pgf/recipe.h"

#include <algorithm>

#include "app/export/pgf/pgf.h"
#include "core/tensor/error.h"

namespace orrery::exporter::pgf {
namespace {

constexpr std::string_view begin = "% orrery-recipe begin", line_start = "%| ", end = "% orrery-recipe end";

/// The lines that follow one. Where Windows or git wrote the file anew that one ends in \r\n, and all do; elsewhere a \r is
/// one of the recipe's own.
class Lines {
 public:
  /// Behind the first.
  explicit Lines(std::string_view text) : rest_(text) {
    windows_ = text.substr(0, text.find('\n')).ends_with('\r');
    next();
  }
  bool are_left() const { return !rest_.empty(); }
  std::string_view next() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (windows_ && line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

 private:
  std::string_view rest_;
  bool windows_ = false;
};

}  // namespace

std::string recipe_comment(const std::string& recipe) {
  if (recipe.empty()) return {};
  std::string text = std::string(begin) + '\n';
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
  Lines lines(std::string_view(bytes).substr(start));
  while (lines.are_left()) {
    const std::string_view line = lines.next();
    if (line.starts_with(end)) {
      recipe.resize(recipe.size() - (recipe.empty() ? 0 : 1));  // lines are joined, not ended, by \n
      return recipe;
    }
    if (!line.starts_with(line_start)) break;
    recipe.append(line.substr(line_start.size())).append("\n");
    if (recipe.size() > most_recipe_bytes + 1) throw Failure(wrong("the recipe is larger than {}", "1 MiB"));
  }
  throw Failure(wrong("broken {}: its recipe is cut off", ".tex"));
}

}  // namespace orrery::exporter::pgf
