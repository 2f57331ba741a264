#include "app/figure/texts.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <type_traits>
#include <utility>

#include "app/figure/mark_facts.h"

namespace orrery::figure {
namespace {

// One walk for readers and writers: `F` is Figure or const Figure.
template <class Axis, class Use>
void in_axis(Axis& axis, const Use& use) {
  use(axis.label);
  if (axis.typed_names) return;
  for (auto& name : axis.names) use(name);
}

/// As the text is that the facts of a mark, or of a const mark, point to.
template <class Mark>
auto& own(Mark&, const std::string& text) {
  if constexpr (std::is_const_v<Mark>)
    return text;
  else
    return const_cast<std::string&>(text);
}

template <class Mark, class Use>
void in_mark(Mark& mark, const Use& use) {
  if (const auto* note = std::get_if<Note>(&mark); note && note->typed) return;
  const MarkFacts known = facts(mark);
  if (known.label) use(own(mark, *known.label));
  if (known.text) use(own(mark, *known.text));
  if (known.colors) use(own(mark, known.colors->label));
}

template <class F, class Use>
void in_drawing(F& figure, const Use& use) {
  use(figure.title);
  use(figure.subtitle);
  if (figure.moment) use(figure.moment->text);
  for (auto& panel : figure.panels) {
    use(panel.title);
    in_axis(panel.x, use);
    in_axis(panel.y, use);
    if (panel.top) in_axis(panel.top->axis, use);
    if (panel.right) in_axis(panel.right->axis, use);
    for (auto& mark : panel.marks) in_mark(mark, use);
  }
}

template <class F, class Use>
void beside_drawing(F& figure, const Use& use) {
  use(figure.description);
  for (auto& panel : figure.panels)
    for (auto& handle : panel.handles) use(handle.hint);
  for (auto& panel : figure.panels)
    for (auto& mark : panel.marks) {
      if (const auto reading = facts(mark).reading) use(own(mark, reading->name));
      if (auto* map = std::get_if<Heatmap>(&mark)) use(map->averaged), use(map->shows);
    }
}

auto unless_empty(const auto& use) {
  return [&use](auto& text) {
    if (!text.empty()) use(text);
  };
}

}  // namespace

void each_drawn_text(const Figure& figure, const std::function<void(const std::string&)>& use) {
  in_drawing(figure, unless_empty(use));
}

void each_text(Figure& figure, const std::function<void(std::string&)>& use) {
  in_drawing(figure, unless_empty(use));
  beside_drawing(figure, unless_empty(use));
}

void each_text(const Figure& figure, const std::function<void(const std::string&)>& use) {
  in_drawing(figure, unless_empty(use));
  beside_drawing(figure, unless_empty(use));
}

void set_apostrophes(Figure& figure) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  each_text(figure, [&](std::string& text) {
    std::string set;
    bool in_math = false, quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '$') in_math = !in_math;
      if (text[i] != '\'' || in_math) {
        set += text[i];
        continue;
      }
      const char before = i > 0 ? text[i - 1] : ' ', after = i + 1 < text.size() ? text[i + 1] : ' ';
      const bool within = is_letter(before) && is_letter(after);
      // "the authors' code"; the same sign ends what is quoted.
      const bool behind = is_letter(before) && after == ' ' && !quoted;
      set += within || behind ? "\u2019" : "'";
      if (!within && !behind) quoted = !quoted && after != ' ';
    }
    text = std::move(set);
  });
}

bool is_word(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return std::isalpha(c) || c >= 0x80; });
}

}  // namespace orrery::figure
