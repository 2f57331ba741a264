#include "app/gui/typed_path.h"

#include <cstdlib>

namespace orrery::gui {
namespace {

std::string home() {
  const char* folder = std::getenv("HOME");
  std::string text = folder ? folder : "";
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

}  // namespace

std::string typed_path(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const std::string at = home();
  if (at.empty()) return std::string(text);
  for (const std::string_view word : {"~", "$HOME", "${HOME}"}) {
    if (!text.starts_with(word)) continue;
    const std::string_view rest = text.substr(word.size());
    // ~else and $HOMEWARD are something else.
    if (rest.empty() || rest.front() == '/') return at + std::string(rest);
  }
  return std::string(text);
}

std::filesystem::path whole_path(const std::filesystem::path& path) {
  std::error_code lost;  // the folder where the program was started may be gone
  const std::filesystem::path whole =
      path.empty() ? std::filesystem::current_path(lost) : std::filesystem::absolute(path, lost);
  return (lost ? path : whole).lexically_normal();
}

std::string shown_path(const std::filesystem::path& path) {
  const std::string text = path.string(), at = home();
  if (at.size() < 2 || !text.starts_with(at)) return text;
  const std::string rest = text.substr(at.size());
  return rest.empty() || rest.front() == '/' ? "~" + rest : text;
}

}  // namespace orrery::gui
