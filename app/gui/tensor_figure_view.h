// The small figure of a tensor, painted by the window's own canvas; laid out when it or its room is another.
#pragma once

#include <memory>

#include "app/figure/figure.h"
#include "app/figure/layout.h"
#include "app/gui/draw_list_canvas.h"
#include "app/gui/ui.h"

namespace orrery::gui {

class TensorFigureView {
 public:
  using Figure = std::shared_ptr<const figure::Figure>;
  /// At the cursor, which is moved below it.
  void draw(Ui&, const Figure&, ImVec2 size);

 private:
  void lay_out(Ui&, const Figure&, figure::Size);

  Figure figure_;  // kept, so that its address is no other's
  figure::Size size_;
  const figure::Theme* theme_ = nullptr;
  language::Language language_ = language::Language::en;
  double fineness_ = 0;
  figure::Scene scene_;
  Triangulations triangulations_;
};

}  // namespace orrery::gui
