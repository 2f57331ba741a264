#include "app/cli/print.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/cli/speech.h"
#include "app/language/characters.h"
#include "core/parameter/shown.h"
#include "core/tensor/error.h"

namespace orrery::cli {
namespace {

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(language::terminal_columns(text));
}

}  // namespace

/// A cell that is wider, like a list of forty models, makes its own line longer, not those of all the others.
constexpr std::size_t widest_column = 72;

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const auto& cells : rows_) {
    widths.resize(std::max(widths.size(), cells.size()));
    for (std::size_t c = 0; c < cells.size(); ++c)
      if (const std::size_t own = width(cells[c]); own <= widest_column) widths[c] = std::max(widths[c], own);
  }
  std::string out;
  for (const auto& cells : rows_) {
    std::string line = indent_;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string space(widths[c] - std::min(widths[c], width(cells[c])), ' ');
      const bool right = std::ranges::find(right_, c) != right_.end();
      line += right ? space + cells[c] : cells[c] + space;
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

std::string short_number(double x) {
  std::array<char, 32> buffer;
  const int n = std::snprintf(buffer.data(), buffer.size(), "%.6g", x);
  return {buffer.data(), static_cast<std::size_t>(n)};
}

void print_json(const nlohmann::ordered_json& value) {
  print(value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void print(std::string_view words) {
  const std::string text = parameter::visible(words, true);
  const bool whole =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!whole) throw Failure(wrong("cannot be written").within(in_file("stdout")));
}

void warn(std::string_view text) {
  std::fprintf(stderr, "orrery: %s\n", single_line(say("warning: {}", text)).c_str());
}

std::string single_line(std::string_view text) {
  constexpr std::size_t longest = 4000;  // a list of all models is allowed
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return parameter::brief(parameter::visible(text), longest);
}

}  // namespace orrery::cli
