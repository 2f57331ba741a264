// What a diagram is drawn into: boxes, sums and arrows, each box a part that a click chooses.
#pragma once

#include <string>
#include <vector>

#include "app/study/block/diagram.h"

namespace orrery::study::diagram {

// Lengths in units of the diagram.
inline constexpr double box_height = 0.86, two_lines = 1.24, plus_radius = 0.2;

class Drawing {
 public:
  /// `look` outlives it.
  explicit Drawing(const Look& look);

  void line(std::vector<double> x, std::vector<double> y);
  void arrow(double x0, double y0, double x1, double y1);
  /// Words that reach `beyond` to one side need room there.
  void note(figure::Note, double beyond = 0);
  /// Its bottom stands at y; the result is its top.
  double box(Box kind, const std::string& part, double x, double y, double width, const std::string& name,
             const std::string& detail = {});
  /// A circle with a plus in it, its middle at (x, y).
  void plus(const std::string& part, double x, double y);
  /// Around what is repeated.
  void frame(double x0, double y0, double x1, double y1);

  figure::Panel finished() &&;

 private:
  bool is_chosen(const std::string& part) const { return !part.empty() && part == look_.chosen; }
  void meet(double x, double y);
  /// A click there chooses the part.
  void offer(const std::string& part, double x, double y, double half_width, double half_height);

  const Look& look_;
  figure::Panel panel_;
  double low_x_ = 1e9, high_x_ = -1e9, low_y_ = 1e9, high_y_ = -1e9;
};

}  // namespace orrery::study::diagram
