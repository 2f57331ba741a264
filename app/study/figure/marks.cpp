// The gallery of all marks: what a figure of this program may hold.
#include <set>

#include "app/figure/gallery.h"
#include "app/study/kit.h"

namespace orrery::study::figure_marks {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    choice(
        "mark", "Mark",
        "all|line|points|step|stem|error|band|bar|histogram|rule|polygon|arrow|arc|annotation|inset|legend|"
        "sampler|heatmap|contour|area|names|log|symlog|angle|second",
        "everything, or one kind of mark or axis alone", {.presentation = true}),
});

std::set<std::size_t> kinds_of(const Panel& panel) {
  std::set<std::size_t> kinds;
  for (const Mark& mark : panel.marks) kinds.insert(mark.index());
  return kinds;
}

/// From the least to the greatest along an axis, as far as marks have many places.
Range range_of(const Panel& panel, bool along_y) {
  const Axis& axis = along_y ? panel.y : panel.x;
  if (axis.range) return *axis.range;
  for (const Mark& mark : panel.marks) {
    const std::vector<double>* places = std::visit(
        [&](const auto& m) -> const std::vector<double>* {
          if constexpr (requires { m.x.begin(), m.y.begin(); }) return along_y ? &m.y : &m.x;
          return nullptr;
        },
        mark);
    if (!places || places->empty()) continue;
    const auto [least, most] = std::ranges::minmax(*places);
    if (least < most) return {least, most};
  }
  return {0, 1};
}

/// s(x) of an axis.
Term scaled(const Scale& scale, double x) {
  if (scale.kind() == Scale::Kind::linear) return x;
  if (scale.kind() == Scale::Kind::log) return ln(term(x));
  const Term size = ln(term(1) + term(std::abs(x)) / scale.linear_width());
  return x < 0 ? -size : size;
}

/// Three quarters of the way from a to b, on the axis of the one panel, or of all on the logarithmic one.
std::string worked_of(const figure::Figure& gallery, const std::string& chosen) {
  const std::string& name = chosen == "all" ? "log" : chosen;
  const Panel& panel = *std::ranges::find(gallery.panels, name, &Panel::title);
  const bool along_y = panel.y.scale.kind() == Scale::Kind::symlog;
  const Scale scale = along_y ? panel.y.scale : panel.x.scale;
  const Range range = range_of(panel, along_y);
  const double x = range.lo + 0.75 * range.length();
  const Term from = scaled(scale, range.lo);
  Worked worked;
  return worked
      .add("u(" + worked::number_tex(x, 6) + ")",
           worked::frac(scaled(scale, x) - from, scaled(scale, range.hi) - from), scale.unit(x, range))
      .tex();
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const figure::Figure gallery = figure::gallery_figure();
  const std::vector<std::string_view> names = parameter::choices_of(parameters[0]);
  const std::string& chosen = settings.choice("mark");
  const bool all = chosen == "all";
  Picture picture(all ? gallery.title : chosen,
                  all ? gallery.description : "One kind of mark or axis alone, with made-up numbers.");
  Table panels{"panels", {{.name = "panel"}, {.name = "marks"}, {.name = "kinds"}}};
  std::set<std::size_t> kinds;
  for (const Panel& panel : gallery.panels) {
    const std::set<std::size_t> here = kinds_of(panel);
    const std::size_t place = panels.columns[0].values.size() + 1;  // the first choice is all of them
    add_row(panels, place, panel.marks.size(), here.size());
    kinds.insert(here.begin(), here.end());
    picture.at(panel.cell, std::string(names.at(place)), panel);
  }
  const double missing = number(std::variant_size_v<Mark> - kinds.size());
  return {std::move(picture).figure(settings, {.aspect = gallery.aspect,
                                               .rows = gallery.row_weights,
                                               .cols = gallery.col_weights,
                                               .chooser = "mark"}),
          {std::move(panels)},
          {{"kinds of marks that no panel shows", missing, 0}},
          worked_of(gallery, chosen)};
}

/// The one panel that is shown.
const Panel& panel_of(const StudyResult& result) {
  return result.figure.panels.at(0);
}

constexpr auto tries = std::to_array<Try>({
    {"Two histograms, one over the other", "mark=histogram",
     [](auto& now, auto&) { return kinds_of(panel_of(now)).size() == 1 && panel_of(now).marks.size() == 2; }},
    {"Lines of equal value, each with its number", "mark=contour",
     [](auto& now, auto&) { return std::get<figure::Contours>(panel_of(now).marks[0]).numbers; }},
    {"The same axis in radians and in degrees", "mark=angle",
     [](auto& now, auto&) {
       return panel_of(now).top && panel_of(now).x.ticks == TickHint::pi &&
              panel_of(now).top->axis.ticks == TickHint::degrees;
     }},
});

}  // namespace

extern const Study study{
    .id = "figure/marks",
    .title = "Marks and axes",
    .topic = "Figures",
    .summary = "everything that a figure may hold, one small panel each",
    .formula = R"(u = \frac{s(x) - s(a)}{s(b) - s(a)})",
    .about =
        "Every figure here is made of a few kinds of marks on a few kinds of axes. A value x stands at the "
        "share u of an axis from a to b; its scale s is the value itself, its logarithm, or a logarithm that "
        "passes through zero.",
    .source = "Wilkinson 2005, The Grammar of Graphics; Talbot, Lin and Hanrahan 2010 (ticks)",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::figure_marks
