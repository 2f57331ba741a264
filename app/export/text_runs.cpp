#include "app/export/text_runs.h"

#include <glib.h>

#include "app/export/math/symbols.h"
#include "app/export/utf8.h"

namespace orrery::exporter {
namespace {

/// The dollar sign that ends mathematics begun before `from`: one that no backslash stands before.
std::size_t closing_dollar(std::string_view text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '$') {
      return i;
    }
  }
  return std::string_view::npos;
}

/// \sigma^2 → σ^2: commands that are one character, with the space that ended them.
std::string with_symbols(std::string_view tex) {
  std::string result;
  while (!tex.empty()) {
    std::size_t end = 1;
    while (tex[0] == '\\' && end < tex.size() && g_ascii_isalpha(tex[end])) ++end;
    const auto symbol = end > 1 ? math::symbol_for(tex.substr(1, end - 1)) : std::nullopt;
    result += symbol ? utf8(symbol->code) : std::string(tex.substr(0, end));
    tex.remove_prefix(end);
    if (symbol && tex.starts_with(' ') && tex.size() > 1 && g_ascii_isalpha(tex[1])) tex.remove_prefix(1);
  }
  return result;
}

}  // namespace

std::vector<TextRun> split_text(std::string_view bytes) {
  const std::string text = valid_utf8(bytes);
  std::vector<TextRun> runs;
  std::string prose;
  const auto flush = [&] {
    if (!prose.empty()) runs.push_back({std::move(prose), false});
    prose.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == '$') {
      prose += text[++i];
      continue;
    }
    const std::size_t end = text[i] == '$' ? closing_dollar(text, i + 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
      prose += text[i];
      continue;
    }
    flush();
    if (end > i + 1) runs.push_back({text.substr(i + 1, end - i - 1), true});
    i = end;
  }
  flush();
  return runs;
}

std::string plain_text(std::string_view text) {
  std::string result;
  for (const TextRun& run : split_text(text)) result += run.math ? with_symbols(run.text) : run.text;
  return result;
}

}  // namespace orrery::exporter
