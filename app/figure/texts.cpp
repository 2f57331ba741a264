#include "app/figure/texts.h"

namespace orrery::figure {
namespace {

// One walk for readers and writers: `F` is Figure or const Figure.
template <class Axis, class Use>
void in_axis(Axis& axis, const Use& use) {
  use(axis.label);
  for (auto& name : axis.names) use(name);
}

template <class Mark, class Use>
void in_mark(Mark& mark, const Use& use) {
  std::visit(
      [&](auto& m) {
        if constexpr (requires { m.label; }) use(m.label);
        if constexpr (requires { m.text; }) use(m.text);
        if constexpr (requires { m.colors.label; }) use(m.colors.label);
      },
      mark);
}

template <class F, class Use>
void in_drawing(F& figure, const Use& use) {
  use(figure.title);
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
    for (auto& mark : panel.marks)
      std::visit(
          [&](auto& m) {
            if constexpr (requires { m.reading; }) use(m.reading.name);
          },
          mark);
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

}  // namespace orrery::figure
