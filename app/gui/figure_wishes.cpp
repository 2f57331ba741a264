// What actions ask of the figure, and the small menu that offers some of them.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/export/text_runs.h"
#include "app/figure/shared_axes.h"
#include "app/figure/visible_values.h"
#include "app/gui/figure_view.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace orrery::gui {
namespace {

/// Ids of the registry; an empty one is a little room.
constexpr std::array<std::string_view, 16> offered_wishes{
    "fit",      "view-back", "view-forward", "",         "log-x",       "log-y", "grid",  "", "pan-mode",
    "box-mode", "",          "copy-picture", "copy-pgf", "copy-values", "",      "export"};

}  // namespace

void FigureView::menu(App& app, Ui& ui, const KeyMap& keys, WindowWishes& wishes) {
  if (std::exchange(menu_wanted_, false)) ImGui::OpenPopup("figure-menu");
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(6), ui.px(6)});
  if (begin_popup(ui, "figure-menu")) {
    Reach reach{app, wishes};
    float words = 0, chords = 0;
    for (const std::string_view id : offered_wishes) {
      const Action* action = find_action(id);
      if (!action) continue;
      words = std::max(words, ui.faces.words.width(ui.say(action->label)));
      chords = std::max(chords, ui.faces.small_numbers.width(keys.text(*action)));
    }
    const float width = std::ceil(words + chords) + ui.px(60);
    for (const std::string_view id : offered_wishes) {
      if (id.empty()) gap(ui, 8);
      const Action* action = find_action(id);
      if (!action) continue;
      if (!menu_row(ui, "figure-menu:" + std::string(id), ui.say(action->label), keys.text(*action), width,
                    action->is_checked(reach), action->why_not(reach)))
        continue;
      action->run(reach);
      ImGui::CloseCurrentPopup();
    }
    end_popup(ui);
  }
  ImGui::PopStyleVar();
}

void FigureView::obey(App& app, const Ui& ui, FigureWish wish) {
  if (wish == FigureWish::none) return;
  if (!app.result() || key_.outcome.get() != app.result() || figure().panels.empty()) return;
  pointed_ = std::clamp(pointed_, 0, static_cast<int>(figure().panels.size()) - 1);
  const auto say = [&](std::string_view words) { app.say(Notice::Kind::done, ui.say(words)); };
  figure::View view = app.view();
  switch (wish) {
    case FigureWish::none:
      return;
    case FigureWish::fit:
      for (PanelView& panel : view.panels) panel.x = panel.y = std::nullopt;
      return app.show(view);
    case FigureWish::fit_panel:
      return show(app, pointed_, {}, {});
    case FigureWish::back:
      if (!views_.can_go_back()) return say("no view before this one");
      return app.show(views_.back());
    case FigureWish::forward:
      if (!views_.can_go_forward()) return say("no view after this one");
      return app.show(views_.forward());
    case FigureWish::log_x:
    case FigureWish::log_y:
      return toggle_log(app, wish == FigureWish::log_x);
    case FigureWish::grid: {
      const auto i = static_cast<std::size_t>(pointed_);
      const figure::Panel& panel = figure().panels[i];
      view.panels.resize(std::max(view.panels.size(), i + 1));
      std::optional<bool>& grid = view.panels[i].grid;
      grid = !grid.value_or(panel.x.grid || panel.y.grid);
      return app.show(view);
    }
    case FigureWish::pan_mode:
      boxes_ = false;
      return say("dragging pans");
    case FigureWish::box_mode:
      boxes_ = true;
      return say("dragging zooms into a box; P: pans again");
    case FigureWish::copy_picture:
      return copy_picture(app, ui);
    case FigureWish::copy_values:
      return copy_values(app, ui);
  }
}

void FigureView::toggle_log(App& app, bool x) const {
  const auto i = static_cast<std::size_t>(pointed_);
  const figure::Panel& panel = figure().panels[i];
  const figure::PanelFrame& frame = scene_.panels[i];
  const auto is_log = [](const figure::Scale& scale) { return scale.kind() != figure::Scale::Kind::linear; };
  const bool wanted = !is_log(x ? frame.x_scale : frame.y_scale);
  figure::View view = app.view();
  view.panels.resize(std::max(view.panels.size(), i + 1));
  PanelView& own = view.panels[i];
  const bool as_it_was = wanted == is_log(x ? panel.x.scale : panel.y.scale);
  (x ? own.log_x : own.log_y) = as_it_was ? std::nullopt : std::optional(wanted);
  // What was zoomed into on one scale is nothing in particular on the other.
  (x ? own.x : own.y).reset();
  figure::follow(figure(), pointed_, view);
  app.show(view);
}

void FigureView::copy_picture(App& app, const Ui& ui) {
  try {
    const PictureClipboard::Said said = clipboard_.put(picture_as_png(app.page, *app.result(), app.view()));
    if (!said.path.empty()) ImGui::SetClipboardText(said.path.c_str());
    if (said.failed)
      app.say(Notice::Kind::error, said.text);
    else
      app.say(Notice::Kind::done, ui.say("copied: the picture, {}", app.page.size));
  } catch (const std::exception& error) {
    app.say(error);
  }
}

void FigureView::copy_values(App& app, const Ui& ui) const {
  try {
    const auto i = static_cast<std::size_t>(pointed_);
    const std::string text =
        figure::visible_values(figure(), scene_.panels[i], pointed_, app.view(), exporter::plain_text);
    if (text.empty()) {
      app.say(Notice::Kind::error, ui.say("no numbers are in sight in this panel"));
      return;
    }
    ImGui::SetClipboardText(text.c_str());
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    app.say(Notice::Kind::done, ui.say("copied: {} rows in sight", lines - 1));
  } catch (const std::exception& error) {
    app.say(error);
  }
}

void FigureView::copy_under_crosshair(App& app, const Ui& ui) const {
  if (!readout_) return;
  ImGui::SetClipboardText(tab_separated(*readout_).c_str());
  app.say(Notice::Kind::done,
          ui.say("copied: {} values at {}", readout_->rows.size(), exporter::plain_text(readout_->title)));
}

}  // namespace orrery::gui
