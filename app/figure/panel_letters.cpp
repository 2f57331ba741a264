// The sizes of a panel's letters: as they would be alone, for those that set panels alike.
#include <algorithm>
#include <limits>

#include "app/figure/crowded_notes.h"
#include "app/figure/panel_plan.h"
#include "app/figure/stage.h"

namespace orrery::figure {
namespace {

const Heatmap* numbered(const Mark& mark) {
  const auto* map = std::get_if<Heatmap>(&mark);
  return map && map->decimals >= 0 ? map : nullptr;
}

}  // namespace

std::vector<FittedText*> PanelPlan::axis_titles() {
  std::vector<FittedText*> titles{&x_guide_.title, &y_guide_.title};
  for (std::optional<SecondGuide>* second : {&top_, &right_})
    if (*second) titles.push_back(&(*second)->guide.title);
  if (bar_ >= 0) titles.push_back(&bar_guide_.title);
  return titles;
}

int PanelPlan::numbered_maps() const {
  int count = 0;
  for (std::size_t i = 0; i < panel_.marks.size(); ++i)
    count += numbered(panel_.marks[i]) && !options_.view.hidden.contains({index_, int(i)});
  return count;
}

double PanelPlan::cell_numbers() const {
  Scene nothing;
  Lettering no_words;
  const std::vector<Rect> no_grid;
  const Stage stage = stage_on(nothing, no_words, no_grid);
  double size = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < panel_.marks.size(); ++i) {
    const Heatmap* map = numbered(panel_.marks[i]);
    if (!map || options_.view.hidden.contains({index_, int(i)})) continue;
    const PanelFrame frame = mark_frame(panel_, int(i), frame_);
    if (const double own = cell_numbers_size(*map, stage.on(frame, digest_.marks[i])); own > 0)
      size = std::min(size, own);
  }
  return size;
}

PanelPlan::NoteScales PanelPlan::note_scales() const {
  const bool has_axes = x_.visible || y_.visible;
  return {has_axes ? 1 : crowded_notes_scale(panel_, frame_, theme_, metrics_),
          roomed_notes_scale(panel_, frame_, theme_, metrics_)};
}

}  // namespace orrery::figure
