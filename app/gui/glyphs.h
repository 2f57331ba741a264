// Characters that not every atlas has: Chinese ones, and whatever a person types. Whoever measures or draws a text asks
// for its characters; those that are new go into the next atlas, before the frame is shown. So an English window pays
// for no Chinese, and a Chinese one for what it says.
#pragma once

#include <imgui.h>

#include <set>
#include <string_view>
#include <vector>

namespace orrery::gui {

class Glyphs {
 public:
  /// Characters beyond those that every face has; none of them twice.
  void ask(std::string_view text);
  /// Something was asked for that the atlas, as it was last made, does not have.
  bool fresh() const { return fresh_; }
  /// Pairs of first and last, a zero behind them, as Dear ImGui wants them; what is fresh no longer is.
  std::vector<ImWchar> take_ranges();
  bool empty() const { return asked_.empty(); }

 private:
  std::set<ImWchar> asked_;
  bool fresh_ = false;
};

/// First and last of what every face has: Latin, Greek, signs of mathematics.
const std::vector<ImWchar>& common_ranges();

}  // namespace orrery::gui
