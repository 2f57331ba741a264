#include "app/study/kit/picture.h"

#include <algorithm>
#include <utility>

#include "app/study/kit/numbers.h"
#include "core/tensor/error.h"

namespace orrery::study {
namespace {

double aspect_alone(const figure::Panel& panel) {
  constexpr double usual = 1.5, with_color_bar = 1.25;
  if (!panel.equal_aspect || !panel.x.range || !panel.y.range) return usual;
  return std::max(with_color_bar, panel.x.range->length() / panel.y.range->length());
}

std::vector<double> part(const std::vector<double>& weights, int from, int to) {
  return {weights.begin() + from, weights.begin() + to};
}

/// The grid shrinks to the cells of the panels that are left.
void shrink(figure::Figure& figure) {
  figure::Cell all{
      .row = 1 << 16, .col = 1 << 16, .rows = 0, .cols = 0};  // rows, cols: where the last one ends
  for (const figure::Panel& panel : figure.panels) {
    const figure::Cell& c = panel.cell;
    all = {std::min(all.row, c.row), std::min(all.col, c.col), std::max(all.rows, c.row + c.rows),
           std::max(all.cols, c.col + c.cols)};
  }
  for (figure::Panel& panel : figure.panels) {
    panel.cell.row -= all.row;
    panel.cell.col -= all.col;
  }
  figure.row_weights = part(figure.row_weights, all.row, all.rows);
  figure.col_weights = part(figure.col_weights, all.col, all.cols);
}

void show_alone(figure::Figure& figure, const FigureShape& shape) {
  figure::Panel& first = figure.panels[0];
  figure.aspect = shape.aspect_alone.value_or(aspect_alone(first));
  if (figure.panels.size() > 1) return shrink(figure);
  if (!shape.titles_alone) first.title.clear();
  first.cell = {};
  figure.row_weights = figure.col_weights = {1};
}

}  // namespace

Picture::Picture(std::string title, std::string description) {
  figure_.title = std::move(title);
  figure_.description = std::move(description);
}

Picture& Picture::at(figure::Cell cell, std::string name, figure::Panel panel) {
  panel.cell = cell;
  panel.name = std::move(name);
  figure_.panels.push_back(std::move(panel));
  return *this;
}

Picture& Picture::instead(std::string name, std::function<figure::Figure()> make) {
  instead_.emplace_back(std::move(name), std::move(make));
  return *this;
}

figure::Figure Picture::whole(const FigureShape& shape) && {
  const std::vector<std::string_view>& telling = shape.telling;
  std::vector<figure::Panel>& panels = figure_.panels;
  for (const std::string_view name : telling)
    if (std::ranges::find(panels, name, &figure::Panel::name) == panels.end())
      throw Failure(about(words("telling panel")).found(name).fault("it is none of the figure's panels"));
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::string& name = panels[i].name;
    const auto named = std::ranges::find(telling, name) - telling.begin();
    // Panels of one name go together; one without a name goes alone.
    const auto at = static_cast<std::ptrdiff_t>(i);
    const auto first =
        name.empty() ? at : std::ranges::find(panels, name, &figure::Panel::name) - panels.begin();
    panels[i].rank = static_cast<int>(named < std::ssize(telling) ? named : named + first);
  }
  figure_.aspect = shape.aspect;
  figure_.row_weights = shape.rows;
  figure_.col_weights = shape.cols;
  return std::move(figure_);
}

figure::Figure Picture::figure(const parameter::Settings& settings, const FigureShape& shape) && {
  if (!has(settings, shape.chooser)) return std::move(*this).whole(shape);
  const parameter::Parameter& chooser =
      *std::ranges::find(settings.declared(), shape.chooser, &parameter::Parameter::name);
  std::vector<std::string> choices{"all"};
  for (const figure::Panel& panel : figure_.panels)
    if (!panel.name.empty() && panel.name != choices.back()) choices.push_back(panel.name);
  for (const auto& [name, make] : instead_) choices.push_back(name);
  if (!std::ranges::equal(choices, parameter::choices_of(chooser)))
    throw Failure(
        about(chooser.name)
            .found(chooser.choices)
            .fault("its choices {} are not the names of the panels", in_apostrophes(chooser.choices)));
  const std::string& chosen = settings.choice(chooser.name);
  if (chosen == "all") return std::move(*this).whole(shape);
  for (const auto& [name, make] : instead_)
    if (name == chosen) return make();
  figure::Figure shown = std::move(*this).whole(shape);
  std::erase_if(shown.panels, [&](const figure::Panel& panel) { return panel.name != chosen; });
  // Whoever has the description alone does not see what is missing.
  if (const std::string& title = shown.panels.at(0).title; !title.empty())
    shown.description = "One part alone (" + title + ") of this figure: " + shown.description;
  show_alone(shown, shape);
  return shown;
}

}  // namespace orrery::study
