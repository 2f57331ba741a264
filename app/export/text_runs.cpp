#include "app/export/text_runs.h"

#include <glib.h>

#include <algorithm>

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

/// Mathematics as one types it without TeX: \sigma^{2} → σ^2, b^{1-2/d} → b^(1-2/d), \log_b x → log_b x. What is not known
/// stays as it stands.
class PlainMath {
 public:
  explicit PlainMath(std::string_view tex) : rest_(tex) {}

  std::string all() {
    std::string text;
    while (!rest_.empty()) text += next();
    return text;
  }

 private:
  std::string next() {
    if (rest_[0] == '{') return grouped(group());
    if (rest_[0] != '\\' || rest_.size() == 1) return std::string(take(1));
    if (!g_ascii_isalpha(rest_[1])) {
      const std::string_view command = take(2);
      if (command == "\\!") return "";
      return std::string(",;:> ").find(command[1]) != std::string::npos ? " " : std::string(command);
    }
    std::size_t end = 1;
    while (end < rest_.size() && g_ascii_isalpha(rest_[end])) ++end;
    return command(take(end));
  }

  std::string command(std::string_view whole) {
    static constexpr std::string_view words[] = {"log",  "ln",   "exp",  "sin", "cos", "tan",
                                                 "sinh", "cosh", "tanh", "max", "min"};
    static constexpr std::string_view upright[] = {"mathrm", "text", "operatorname"};
    const std::string_view name = whole.substr(1);
    if (std::ranges::count(upright, name) && rest_.starts_with('{')) return PlainMath(group()).all();
    if (name == "sqrt" && rest_.starts_with('{')) return "√" + grouped(group());
    if (name == "frac" && rest_.starts_with('{')) {
      const std::string over = grouped(group());
      if (!rest_.starts_with('{')) return over;
      const std::string under = PlainMath(group()).all();
      const bool simple = std::ranges::all_of(under, [](char c) { return g_ascii_isalnum(c) || c == '.'; });
      return over + "/" + (simple ? under : '(' + under + ')');
    }
    if (name == "left" || name == "right") return "";
    if (name == "quad" || name == "qquad") return "  ";
    if (name == "overline" && rest_.starts_with('{')) return "mean(" + PlainMath(group()).all() + ')';
    if (const auto accent = math::accent_for(name); accent && accent->reach == math::Reach::letter) {
      if (rest_.starts_with(' ')) take(1);
      return (rest_.empty() ? std::string() : next()) + utf8(accent->code);
    }
    if (std::ranges::count(words, name)) return std::string(name);
    const auto symbol = math::symbol_for(name);
    if (!symbol) return std::string(whole);
    if (rest_.starts_with(' ') && rest_.size() > 1 && g_ascii_isalpha(rest_[1])) take(1);
    return utf8(symbol->code);
  }

  std::string_view take(std::size_t length) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  /// What stands between the brace that comes next and its partner.
  std::string_view group() {
    int depth = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      depth += rest_[i] == '{' ? 1 : rest_[i] == '}' ? -1 : 0;
      if (depth == 0) return take(i + 1).substr(1, i - 1);
    }
    return take(rest_.size()).substr(1);
  }

  /// In parentheses where it is more than a name or a number.
  static std::string grouped(std::string_view tex) {
    const std::string inside = PlainMath(tex).all();
    const std::string_view unsigned_part =
        std::string_view(inside).substr(inside.starts_with('-') || inside.starts_with('+') ? 1 : 0);
    const bool simple = unsigned_part.find_first_of("+-*/ =,") == unsigned_part.npos;
    return simple ? inside : '(' + inside + ')';
  }

  std::string_view rest_;
};

}  // namespace

std::vector<TextRun> split_text(std::string_view bytes) {
  const std::string text = drawable_utf8(bytes);
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
  for (const TextRun& run : split_text(text)) result += run.math ? PlainMath(run.text).all() : run.text;
  return result;
}

}  // namespace orrery::exporter
