#include "app/gui/figure_view.h"

#include <algorithm>
#include <cmath>

#include "app/figure/reading.h"
#include "app/figure/soon.h"
#include "app/gui/rich_text.h"
#include "app/gui/widgets.h"
#include "app/language/error.h"
#include "app/study/translate.h"

namespace orrery::gui {
namespace {

constexpr double look_again = 0.05;  // seconds: while something is computed
constexpr double pale = 0.22;        // of a mark beside one that is lifted

}  // namespace

void FigureView::lay_out(const App& app, Ui& ui, figure::Size size) {
  Key key{app.pictured(), size, app.view(), ui.theme, ui.scale * ui.raster, ui.language};
  if (key.outcome && key.outcome->study != &app.study())
    key.view = {};  // the study before, until the new one is there
  if (key.outcome && key.outcome == key_.outcome) key.news = figure::news(figure());
  if (key == key_) return;
  const bool another = key.outcome != key_.outcome, other_words = another || key.language != key_.language;
  key_ = std::move(key);
  ++layouts_;
  triangulations_.clear();
  if (other_words) said_.reset();
  if (!key_.outcome) {
    scene_ = {};
    return;
  }
  if (other_words && key_.language != language::Language::en)
    said_ = study::translated(key_.outcome->result.figure, key_.language);
  if (other_words)
    if (auto quick = figure::without_waiting(figure())) said_ = std::move(quick);
  if (another) {
    const bool whole = key_.outcome->digest.panels.size() == figure().panels.size();
    made_ = whole ? figure::Digest{} : figure::digest(figure());
    digest_ = whole ? &key_.outcome->digest : &made_;
  }
  figure::LayoutOptions options;
  options.size = size;
  options.pixels_per_point = key_.pixels_per_point;
  options.view = key_.view;
  options.most_cells = 1 << 19;  // some ten milliseconds
  options.all_panels = true;     // somebody works with them
  options.digest = digest_;
  options.arranged = arranged(app, ui, options);
  scene_ = figure::layout(figure(), options, *ui.theme, ui.pictures.setter(ui.theme->fonts));
}

/// On this page with these words, however its numbers change; two settings side by side are not mixed.
const figure::Arrangement* FigureView::arranged(const App& app, Ui& ui, figure::LayoutOptions options) {
  if (app.document().pinned) return nullptr;
  Place place{key_.outcome->study, key_.size, key_.theme, key_.language, {}};
  for (const figure::Panel& panel : figure().panels) place.cells.push_back(panel.cell);
  // Of a figure on its way not all words are known: it is asked for again when all of it is there, and then no more.
  if (arranged_for_ != place || (arranged_for_part_ && !key_.outcome->partial)) {
    options.view = {};
    arranged_ =
        figure::roomier_arrangement(figure(), options, *ui.theme, ui.pictures.setter(ui.theme->fonts));
    arranged_for_ = std::move(place);
    arranged_for_part_ = key_.outcome->partial;
  }
  return arranged_ ? &*arranged_ : nullptr;
}

ShownPanel FigureView::shown(std::size_t panel) const {
  return {figure(), static_cast<int>(panel), digest_->panels[panel], scene_.panels[panel], key_.view};
}

/// As it is; or, while a legend entry is pointed at, with the other series of its panel pale.
void FigureView::paint(DrawListCanvas& canvas) const {
  const auto panel = static_cast<std::size_t>(lifted_ ? lifted_->first : 0),
             mark = static_cast<std::size_t>(lifted_ ? lifted_->second : 0);
  // What was pointed at may be of the figure before this one, which had more marks.
  const bool there = key_.outcome && lifted_ &&
                     panel < std::min(scene_.records.size(), figure().panels.size()) &&
                     mark < figure().panels[panel].marks.size();
  if (!there) return figure::paint(scene_, canvas);
  const std::vector<figure::PrimitiveSpan>& spans = scene_.records[panel].marks;
  const std::vector<figure::Mark>& marks = figure().panels[panel].marks;
  std::vector<bool> weak(scene_.primitives.size(), false);
  for (std::size_t m = 0; m < std::min(spans.size(), marks.size()); ++m) {
    const auto own = figure::series_index(marks[m]);
    if (m == mark || (own && own == figure::series_index(marks[mark]))) continue;
    for (std::size_t i = spans[m].first; i < spans[m].last; ++i) weak[i] = true;
  }
  for (std::size_t i = 0; i < scene_.primitives.size(); ++i) {
    canvas.set_strength(weak[i] ? pale : 1);
    figure::paint(scene_.primitives[i], canvas);
  }
  canvas.set_strength(1);
}

void FigureView::draw(App& app, Ui& ui, ImVec2 size) {
  if (studied_ != &app.study()) views_.begin(app.view());
  studied_ = &app.study();
  views_.observe(app.view(), ImGui::IsAnyMouseDown(), ImGui::GetIO().DeltaTime);
  if (const PictureClipboard::Said said = clipboard_.poll(); !said.text.empty()) {
    if (!said.path.empty()) ImGui::SetClipboardText(said.path.c_str());
    app.say(Notice::Kind::error, said.text);
  }

  const ImVec2 origin = ImGui::GetCursorScreenPos();
  lay_out(app, ui, {std::max(40.0, size.x / double{ui.scale}), std::max(40.0, size.y / double{ui.scale})});

  const Press area = press(ui, "figure", size);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.PushClipRect({origin.x - ui.px(24), origin.y - ui.px(8)},
                    {origin.x + size.x + ui.px(24), origin.y + size.y + ui.px(16)});
  draw_page(ui, draw, origin, size);
  const std::optional<MarkId> lifted = lifted_;
  interact(app, ui, origin, area.hovered, area.held);
  use_keys(app, ui, origin, area.by_key);
  if (lifted != lifted_) ui.wake_in(0);  // the page shows it in the frame that follows
  draw_state(app, ui, draw, origin, size);
  draw.PopClipRect();
}

/// Most frames change nothing of the figure, and a software driver fills one rectangle faster than it draws a thousand.
void FigureView::draw_page(Ui& ui, ImDrawList& draw, ImVec2 origin, ImVec2 size) {
  const ImVec2 low(std::floor(origin.x) - ui.px(24), std::floor(origin.y) - ui.px(8));
  const ImVec2 high(std::ceil(origin.x + size.x) + ui.px(24), std::ceil(origin.y + size.y) + ui.px(16));
  Page wanted{layouts_, lifted_, high.x - low.x, high.y - low.y, ui.raster, {}};
  if (!page_.shows(wanted)) {
    wanted.picture = ui.pictures.page(low, high, ui.raster, ui.tokens.ground, [&](ImDrawList& list) {
      DrawListCanvas canvas(list, origin, ui.scale, ui.raster, ui.theme->fonts, ui.pictures, triangulations_);
      paint(canvas);
    });
    page_ = wanted;
  }
  draw.AddImage(page_.picture, low, high, {0, 1}, {1, 0});
}

/// What is old is dimmed, what is being computed has a bar, what went wrong is said, and that there is nothing.
void FigureView::draw_state(App& app, Ui& ui, ImDrawList& draw, ImVec2 origin, ImVec2 size) const {
  const bool stale = app.stale();
  if (stale || app.left_behind() || !app.error().empty() || app.in_part())
    draw.AddRectFilled({origin.x - ui.px(24), origin.y - ui.px(8)},
                       {origin.x + size.x + ui.px(24), origin.y + size.y + ui.px(16)},
                       color(ui.tokens.ground, 0.55));
  if ((app.busy() && !app.paused()) || (key_.outcome && figure::expects_news(figure())))
    ui.wake_in(look_again);
  if (stale) {
    const float width = size.x * static_cast<float>(std::clamp(app.progress(), 0.0, 1.0));
    draw.AddRectFilled({origin.x, origin.y - ui.px(6)}, {origin.x + width, origin.y - ui.px(4)},
                       color(ui.tokens.accent));
  }
  if (!key_.outcome && app.error().empty() && !app.awaits_figure()) {
    const ImVec2 at(origin.x + ui.px(14), origin.y + ui.px(4));
    const std::string none = ui.say("there is no figure yet");
    const float height =
        rich_text(ui, draw, at, size.x - ui.px(20), ui.faces.words, ui.tokens.faint, none).height;
    ui.items.mark("no-figure", at, {at.x + size.x - ui.px(20), at.y + height});
  }
  if (!app.error().empty()) {
    // On a ground of its own: what it says must not be read through the figure's words.
    const ImVec2 at(origin.x + ui.px(14), origin.y + ui.px(4));
    const float width = size.x - ui.px(20);
    draw.ChannelsSplit(2);
    draw.ChannelsSetCurrent(1);
    const std::string said = language::say_error(ui.language, app.error());
    const float height = rich_text(ui, draw, at, width, ui.faces.words, ui.tokens.fails, said).height;
    draw.AddRectFilled({origin.x, at.y}, {origin.x + ui.px(3), at.y + height}, color(ui.tokens.fails));
    draw.ChannelsSetCurrent(0);
    draw.AddRectFilled({origin.x, at.y - ui.px(6)}, {origin.x + size.x, at.y + height + ui.px(6)},
                       color(ui.tokens.ground));
    draw.ChannelsMerge();
  }
}

}  // namespace orrery::gui
