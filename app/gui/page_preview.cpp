#include "app/gui/page_preview.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/widgets.h"
#include "app/language/error.h"
#include "app/render/animate.h"

namespace orrery::gui {
namespace {

/// The page without what is not seen on it.
ExportPage seen_on(ExportPage page) {
  const ExportPage usual;
  page.ending = page.motion() ? "webp" : usual.ending;
  page.name = usual.name;
  page.folder = usual.folder;
  page.frames = usual.frames;
  page.fps = usual.fps;
  return page;
}

std::optional<recipe::Animation> way_of(const App& app) {
  return app.page.motion() ? app.animation() : std::nullopt;
}

}  // namespace

bool PagePreview::current(const App& app) const {
  return newest_ && outcome_ == app.shown() && view_ == app.view() && page_ == seen_on(app.page) &&
         way_ == way_of(app);
}

/// One at a time: the next begins when this one is there, and is then of the newest page.
void PagePreview::renew(App& app) {
  const bool making = recipe_ && !newest_;
  if (making || !app.result() || current(app)) return;
  const std::optional<recipe::Animation> way = way_of(app);
  try {
    recipe::Recipe recipe = app.recipe();
    recipe.animation = way;
    recipe_ = std::make_shared<const recipe::Recipe>(std::move(recipe));
  } catch (const std::exception&) {  // a page without a size: the last one stays
    return;
  }
  page_ = seen_on(app.page);
  way_ = way;
  view_ = app.view();
  outcome_ = painted_ = app.shown();
  if (way) {
    auto frame = std::make_shared<recipe::Outcome>(*outcome_);
    frame->result.figure.moment = render::moment(*recipe_);
    painted_ = std::move(frame);
  }
  newest_.reset();
}

/// Behind a page that has no ground of its own: the squares that say so.
void PagePreview::ground(const App& app, Ui& ui, ImVec2 low, ImVec2 high) const {
  if (!app.page.transparent) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const bool dark = app.page.theme == "dark";
  const ImU32 one = dark ? IM_COL32(40, 40, 44, 255) : IM_COL32(255, 255, 255, 255),
              other = dark ? IM_COL32(52, 52, 57, 255) : IM_COL32(230, 230, 232, 255);
  const float side = ui.px(8);
  draw.AddRectFilled(low, high, one);
  for (int row = 0; low.y + static_cast<float>(row) * side < high.y; ++row)
    for (int column = row % 2; low.x + static_cast<float>(column) * side < high.x; column += 2) {
      const ImVec2 at(low.x + static_cast<float>(column) * side, low.y + static_cast<float>(row) * side);
      draw.AddRectFilled(at, {std::min(at.x + side, high.x), std::min(at.y + side, high.y)}, other);
    }
}

void PagePreview::draw(App& app, Ui& ui, ImVec2 low, ImVec2 high) {
  const auto device = [&](float length) {
    return std::max(1, static_cast<int>(std::floor(length * ui.raster)));
  };
  width_ = device(high.x - low.x);
  height_ = device(high.y - low.y);
  renew(app);
  if (recipe_)
    if (const auto made = app.thumbnails.find(recipe_, width_, height_, painted_)) {
      newest_ = made;
      if (made->error.empty()) {
        shown_ = made;
        shown_page_ = page_;
      }
    }
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (newest_ && !newest_->error.empty()) {
    put(draw, ui.faces.words, low.x, baseline_in(ui.faces.words, low.y, ui.px(24)), color(ui.tokens.fails),
        fitted(ui.faces.words, language::say_error(ui.language, newest_->error), high.x - low.x));
    return;
  }
  if (!shown_) return;
  // On whole device pixels, as it was painted; one of another size is fitted until the new one is there.
  const auto snap = [&](float x) { return std::floor(x * ui.raster) / ui.raster; };
  float width = static_cast<float>(shown_->image.width) / ui.raster,
        height = static_cast<float>(shown_->image.height) / ui.raster;
  const float fit = std::min({1.0f, (high.x - low.x) / width, (high.y - low.y) / height});
  width *= fit;
  height *= fit;
  const ImVec2 at(snap((low.x + high.x - width) / 2), snap(low.y)), end(at.x + width, at.y + height);
  ground(app, ui, at, end);
  draw.AddImage(ui.pictures.image(shown_->image), at, end);
  // What plays on is only a moment behind.
  if (shown_page_ != seen_on(app.page)) draw.AddRectFilled(at, end, color(ui.tokens.pane, 0.5));
  draw.AddRect(at, end, color(ui.tokens.line), 0, 0, ui.scale);
  if (!shown_->left_out.empty()) {
    const float line = ui.px(24), top = std::min(end.y + ui.px(4), high.y - line);
    draw.AddRectFilled({low.x, top}, {high.x, top + line}, color(ui.tokens.pane));
    const std::string said = language::say_phrase(ui.language, shown_->left_out),
                      shown = fitted(ui.faces.words, said, high.x - low.x);
    put(draw, ui.faces.words, low.x, baseline_in(ui.faces.words, top, line), color(ui.tokens.fails), shown);
    ui.items.mark("page-left-out", {low.x, top}, {high.x, top + line});
    help(ui, shown != said && ImGui::IsMouseHoveringRect({low.x, top}, {high.x, top + line}), said);
  }
  ui.items.mark("page-preview", at, end);
}

}  // namespace orrery::gui
