#include "app/gui/tensor_figure_view.h"

#include "app/study/translate.h"

namespace orrery::gui {

void TensorFigureView::lay_out(Ui& ui, const Figure& figure, figure::Size size) {
  const double fineness = double{ui.scale} * ui.raster;
  if (figure_ == figure && size_ == size && theme_ == ui.theme && language_ == ui.language &&
      fineness_ == fineness)
    return;
  figure_ = figure;
  size_ = size;
  theme_ = ui.theme;
  language_ = ui.language;
  fineness_ = fineness;
  figure::LayoutOptions options;
  options.size = size;
  options.pixels_per_point = fineness;
  triangulations_.clear();
  scene_ = figure::layout(study::translated(*figure, ui.language), options, *ui.theme,
                          ui.pictures.setter(ui.theme->fonts));
}

void TensorFigureView::draw(Ui& ui, const Figure& figure, ImVec2 size) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  lay_out(ui, figure, {size.x / double{ui.scale}, size.y / double{ui.scale}});
  DrawListCanvas canvas(*ImGui::GetWindowDrawList(), at, ui.scale, ui.raster, ui.theme->fonts, ui.pictures,
                        triangulations_);
  figure::paint(scene_, canvas);
  ImGui::Dummy(size);
  ui.items.mark("tensor-figure", at, {at.x + size.x, at.y + size.y});
}

}  // namespace orrery::gui
