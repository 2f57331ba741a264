#include "app/study/block/walk_picture.h"
#include "app/study/kit.h"
#include "app/study/kit/words.h"

namespace orrery::study::block_walk {
namespace {

constexpr std::size_t longest_word = 9;

/// Letters, not bytes; what is longer is cut.
std::string shortened(const std::string& word) {
  std::size_t letters = 0, at = 0;
  while (at < word.size() && letters < longest_word) {
    do ++at;
    while (at < word.size() && (static_cast<unsigned char>(word[at]) & 0xc0) == 0x80);
    ++letters;
  }
  return as_typed(at < word.size() ? word.substr(0, at) + "…" : word);
}

/// How wide and how high what is not cells is, in cells.
struct Spaces {
  double words, sign, head, names, between;
  double letters;  ///< of the words beside rows, times the text's size: many rows are low ones
};

struct Extent {
  double width = 0, height = 0;
};

Extent cells_of(const Line& line) {
  Extent e;
  for (const Shown& s : line) {
    e.width += number(s.matrix.cols());
    e.height = std::max(e.height, number(s.matrix.rows()));
  }
  return e;
}

}  // namespace

double rows_of(const std::vector<Line>& lines) {
  double rows = 0;
  for (const Line& line : lines) rows += cells_of(line).height;
  return rows;
}

namespace {

/// In proportion to the cells that there are, so that they keep their size on the page.
Spaces spaces_of(const std::vector<Line>& lines) {
  double width = 0;
  for (const Line& line : lines) width = std::max(width, cells_of(line).width);
  const double height = rows_of(lines);
  const double row = std::max(0.75, height / 18);
  return {std::max(1.6, 0.12 * width),      std::max(0.7, 0.055 * width), 1.4 * row, 0.85 * row, 0.85 * row,
          std::clamp(11 / height, 0.5, 0.8)};
}

bool names_columns(const Line& line) {
  return std::ranges::any_of(line, [](const Shown& s) { return !s.cols.empty(); });
}

/// Where few cells stand side by side they are large enough for their numbers, and larger without a bar beside them.
bool numbers_tell(const std::vector<Line>& lines) {
  constexpr double few = 16;
  return std::ranges::all_of(lines, [](const Line& line) { return cells_of(line).width <= few; });
}

ColorScale colors_of(const Shown& s, bool bar) {
  if (s.look == Look::weights) return {.range = Range{0, 1}, .bar = false, .group = 2};
  return {.map = ColorMap::diverging, .label = "value", .bar = bar, .group = 1};
}

class Board {
 public:
  Board(Spaces spaces, bool bar) : spaces_(spaces), bar_(bar) {}

  void line(const Line& line) {
    const double top = y_ + spaces_.head + (names_columns(line) ? spaces_.names : 0);
    const Extent e = cells_of(line);
    x_ = 0;
    for (const Shown& s : line) {
      matrix(s, top, e.height);
      // What stands above a narrow one reaches beyond it.
      constexpr double headed = 2.6;
      if (&s != &line.back()) x_ += std::max(0.0, headed - number(s.matrix.cols()));
    }
    width_ = std::max(width_, x_);
    y_ = top + e.height + spaces_.between;
  }

  Panel finished(std::string title) && {
    panel_.title = std::move(title);
    panel_.x = {.range = Range{-0.2, width_ + 0.2}, .visible = false};
    // Few rows are no tall ones: what is left stays empty.
    const double height = std::max(y_ - 0.6 * spaces_.between, 0.75 * width_);
    panel_.y = {.range = Range{0, height}, .visible = false, .reversed = true};
    panel_.legend = LegendPlace::none;
    return std::move(panel_);
  }

 private:
  void note(double x, double y, std::string text, Ink ink, HAlign h, double size) {
    panel_.marks.emplace_back(
        Note{.x = x, .y = y, .text = std::move(text), .ink = ink, .h = h, .v = VAlign::middle, .size = size});
  }
  void frame(double x0, double x1, double y0, double y1) {
    panel_.marks.emplace_back(figure::Shape{
        .x = {x0, x1, x1, x0}, .y = {y0, y0, y1, y1}, .fill = {}, .edge = ink(Role::accent), .width = 1.4});
  }

  void matrix(const Shown& s, double top, double line_height) {
    const double rows = number(s.matrix.rows()), cols = number(s.matrix.cols());
    if (!s.sign.empty()) {
      // A softmax stands behind a long name, and has one.
      const bool softmax = s.look == Look::weights && s.sign == "→";
      constexpr double named = 4;  // cells that the name takes, however few stand below it
      const double sign = (softmax && x_ > 0 ? 2.8 : 1) * spaces_.sign,
                   room = softmax && x_ > 0 ? std::max(sign, named - cols) : sign,
                   middle = top + line_height / 2;
      note(x_ + room / 2, middle, s.sign, ink(Role::text), HAlign::center, 1.1);
      if (softmax)  // as far above the arrow as its letters are high, however small the cells
        panel_.marks.emplace_back(Note{.x = x_ + room / 2,
                                       .y = middle,
                                       .text = "softmax",
                                       .ink = ink(Role::secondary),
                                       .v = VAlign::bottom,
                                       .dy = -6,
                                       .size = 0.66});
      x_ += room;
    } else if (x_ > 0) {
      x_ += spaces_.sign;
    }
    if (!s.rows.empty()) {
      x_ += spaces_.words;
      for (std::size_t r = 0; r < s.rows.size(); ++r) {
        note(x_ - 0.12 * spaces_.sign, top + number(r) + 0.5, shortened(s.rows[r]), ink(Role::secondary),
             HAlign::right, spaces_.letters);
        std::get<Note>(panel_.marks.back()).typed = true;
      }
    }
    Heatmap map = heatmap(s.matrix, colors_of(s, bar_));
    map.x = {x_, x_ + cols};
    map.y = {top, top + rows};
    map.decimals = 2;
    map.writes_zeros = s.look != Look::weights;  // of those, a cell without a number has no weight
    panel_.marks.emplace_back(std::move(map));
    for (std::size_t c = 0; c < s.cols.size(); ++c)
      panel_.marks.emplace_back(Note{.x = x_ + number(c) + 0.5,
                                     .y = top - 0.45 * spaces_.names,
                                     .text = shortened(s.cols[c]),
                                     .ink = ink(Role::secondary),
                                     .v = VAlign::middle,
                                     .size = std::min(0.68, spaces_.letters),
                                     .room = 0.94,
                                     .typed = true});
    // Clear of a frame around the first columns, however small the cells. The last of a line, where it is narrow, ends with its
    // matrix: its name may be wider, and there the page ends.
    const bool ends = s.sign == "=" && s.matrix.cols() <= 2;
    panel_.marks.emplace_back(Note{.x = ends ? x_ + cols : x_,
                                   .y = top - (s.cols.empty() ? 0 : spaces_.names),
                                   .text = "$" + s.symbol + "$  " + std::to_string(s.matrix.rows()) + "×" +
                                           std::to_string(s.matrix.cols()),
                                   .ink = ink(Role::text),
                                   .h = ends ? HAlign::right : HAlign::left,
                                   .v = VAlign::bottom,
                                   .dy = -2.5,
                                   .size = 0.82});
    if (s.columns.second > 0 && s.columns.second < s.matrix.cols())
      frame(x_ + number(s.columns.first), x_ + number(s.columns.first + s.columns.second), top, top + rows);
    if (s.cell.first >= 0) {
      const double x = x_ + number(s.cell.second), y = top + number(s.cell.first);
      frame(x, x + 1, y, y + 1);
    }
    x_ += cols;
  }

  Spaces spaces_;
  bool bar_;
  Panel panel_;
  double x_ = 0, y_ = 0, width_ = 0;
};

}  // namespace

Panel equations_panel(std::string title, const std::vector<Line>& lines) {
  Board board(spaces_of(lines), !numbers_tell(lines));
  for (const Line& line : lines) board.line(line);
  return std::move(board).finished(std::move(title));
}

}  // namespace orrery::study::block_walk
