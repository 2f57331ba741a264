#include "app/study/attention/heads_picture.h"

#include "app/study/kit.h"
#include "app/study/kit/board.h"
#include "app/study/kit/words.h"

namespace orrery::study::attention_heads {
namespace {

std::string shape_text(const Stage& s) {
  const std::string one = grouped(number(s.rows)) + " × " + grouped(number(s.cols));
  return s.copies == 1 ? one : grouped(number(s.copies)) + " × (" + one + ")";
}

double largest_weight(const MultiHead& all) {
  double most = 0;
  for (const Matrix& each : all.weights) most = std::max(most, each.maxCoeff());
  return most;
}

ColorScale weight_colors(const MultiHead& all) {
  return {.range = Range{0, largest_weight(all)}, .label = "weight", .group = 1};
}

/// More key heads than colours have one together: two of a colour would look like one.
int ink_of_key(const Asked& asked, Index g) {
  return asked.heads.key_heads > 6 ? 0 : static_cast<int>(g);
}
int key_ink(const Asked& asked, Index h) {
  return ink_of_key(asked, asked.key_head(h));
}

}  // namespace

std::vector<Stage> stages_of(const Asked& asked) {
  const Index T = asked.text.x.rows(), S = asked.source.x.rows(), D = asked.width, d = asked.head_width(),
              H = asked.heads.heads, kv = asked.heads.key_heads;
  return {{"tokens", "$X$", 1, T, D},
          {"queries", "$X W^Q$", H, T, d},
          {"keys", "$X W^K$", kv, S, d},
          {"projected values", "$X W^V$", kv, S, d},
          {"scores", "$Q_h K_g^T / \\sqrt{d}$", H, T, S},
          {"weights", "$A_h$", H, T, S},
          {"outputs of heads", "$A_h V_g$", H, T, d},
          {"side by side", "$[O_0 \\ldots O_{H-1}]$", 1, T, D},
          {"result", "$Y = O\\,W^O$", 1, T, D}};
}

Panel stages_panel(const Asked& asked) {
  std::vector<BoardLine> lines;
  for (const Stage& s : stages_of(asked))
    lines.push_back({.name = s.name, .statement = s.formula, .shape = shape_text(s)});
  lines.back().loud = true;
  return board_panel({.title = "Shapes on the way", .cells_from = 0.44}, lines);
}

Panel heads_panel(const Asked& asked, const MultiHead& all) {
  const Index H = asked.heads.heads, across = H <= 4 ? H : H / 2, down = (H + across - 1) / across;
  const double T = number(all.weights[0].rows()), S = number(all.weights[0].cols());
  const double gap = 0.12 * std::max(T, S), above = (H > 8 ? 0.65 : 0.5) * std::max(T, S);
  Panel panel{
      .title = "Weights of every head",
      .x = {.range = Range{-0.5 - gap, number(across) * (S + gap) - 0.5}, .visible = false},
      .y = {.range = Range{-0.5, number(down) * (T + above) - 0.5 + gap}, .visible = false, .reversed = true},
      .legend = LegendPlace::none,
      .equal_aspect = true};
  for (Index h = 0; h < H; ++h) {
    Heatmap map = heatmap(all.weights[static_cast<std::size_t>(h)], weight_colors(all));
    const double x = number(h % across) * (S + gap), y = number(h / across) * (T + above) + above;
    map.x = {x - 0.5, x + S - 0.5};
    map.y = {y - 0.5, y + T - 0.5};
    panel.marks.emplace_back(std::move(map));
    panel.marks.emplace_back(
        figure::Shape{.x = {x - 0.5, x + S - 0.5, x + S - 0.5, x - 0.5},
                      .y = {y - 0.5, y - 0.5, y + T - 0.5, y + T - 0.5},
                      .fill = {},
                      .edge = h == asked.head ? ink(Role::accent) : series(key_ink(asked, h)),
                      .width = h == asked.head ? 1.8 : 1});
    panel.marks.emplace_back(Note{.x = x - 0.5,
                                  .y = y - 0.5,
                                  .text = "$A_{" + std::to_string(h) + "}$",
                                  .ink = ink(h == asked.head ? Role::accent : Role::text),
                                  .h = HAlign::left,
                                  .v = VAlign::bottom,
                                  .dy = -1,
                                  .size = 0.8});
  }
  return panel;
}

Panel one_panel(const Asked& asked, const MultiHead& all, bool alone) {
  Heatmap map = heatmap(all.weights[static_cast<std::size_t>(asked.head)], weight_colors(all));
  map.decimals = 2;
  map.colors.group = 0;
  map.colors.bar = alone;  // else that of all heads
  Panel panel = square_map_panel("The framed head", std::move(map), "key", "query");
  panel.x.names = as_typed(asked.source.words);
  panel.y.names = as_typed(asked.text.words);
  panel.x.typed_names = panel.y.typed_names = true;
  return panel;
}

Panel sharing_panel(const Asked& asked) {
  const Index H = asked.heads.heads, kv = asked.heads.key_heads;
  const double group = number(asked.group());
  Panel panel{.title = "Which key head a query head reads",
              .x = {.range = Range{-0.6, number(H) - 0.4}, .visible = false},
              .y = {.range = Range{-1, 2}, .visible = false},
              .legend = LegendPlace::none};
  const auto middle = [&](Index g) { return (number(g) + 0.5) * group - 0.5; };
  for (Index h = 0; h < H; ++h)
    panel.marks.emplace_back(Line{.x = {number(h), middle(asked.key_head(h))},
                                  .y = {0.9, 0.1},
                                  .ink = h == asked.head ? ink(Role::accent) : series(key_ink(asked, h)),
                                  .width = h == asked.head ? 1.8 : 1,
                                  .dash_by_series = false,
                                  .reading = {.none = true}});
  const auto box = [&](double x, double y, Ink fill, std::string text) {
    panel.marks.emplace_back(figure::Shape{.x = {x - 0.36, x + 0.36, x + 0.36, x - 0.36},
                                           .y = {y - 0.5, y - 0.5, y + 0.5, y + 0.5},
                                           .fill = Ink{fill.role, fill.index, 0.35}});
    panel.marks.emplace_back(Note{.x = x, .y = y, .text = std::move(text), .size = H > 8 ? 0.75 : 1});
  };
  for (Index h = 0; h < H; ++h)
    box(number(h), 1.4, h == asked.head ? ink(Role::accent) : series(key_ink(asked, h)),
        "$Q_{" + std::to_string(h) + "}$");
  for (Index g = 0; g < kv; ++g)
    box(middle(g), -0.4, series(ink_of_key(asked, g)), "$K_{" + std::to_string(g) + "}$");
  return panel;
}

}  // namespace orrery::study::attention_heads
