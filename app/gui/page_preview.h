// The page as it would be written, small: painted beside the window's own thread, dimmed while a newer one is made.
#pragma once

#include <memory>
#include <optional>

#include "app/gui/app.h"
#include "app/gui/ui.h"

namespace orrery::gui {

class PagePreview {
 public:
  /// As large as fits between these corners, at the top of them.
  void draw(App&, Ui&, ImVec2 low, ImVec2 high);
  /// Of what is shown now.
  bool current(const App&) const;

 private:
  void renew(App&);
  void ground(const App&, Ui&, ImVec2 low, ImVec2 high) const;

  // What the newest one is of.
  ExportPage page_;
  figure::View view_;
  std::optional<recipe::Animation> way_;
  Thumbnails::Outcome outcome_, painted_;  // of an animation a frame is painted, with what moves
  Thumbnails::Recipe recipe_;
  int width_ = 0, height_ = 0;  // device pixels
  std::shared_ptr<const Thumbnail> newest_, shown_;
  ExportPage shown_page_;
};

}  // namespace orrery::gui
