// The gallery of all marks: what a figure of this program may hold.
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "app/figure/gallery.h"
#include "app/study/panels.h"
#include "app/study/studies.h"
#include "app/study/tables.h"

namespace orrery::study {
namespace {

using parameter::Kind;
using parameter::Parameter;

constexpr std::string_view names =
    "all|line|points|step|stem|error|band|bar|histogram|rule|polygon|arrow|arc|annotation|inset|legend|"
    "sampler|"
    "heatmap|contour|area|names|log|symlog|angle|second";

constexpr auto parameters = std::to_array<Parameter>({
    {.name = "mark",
     .label = "Mark",
     .kind = Kind::choice,
     .fallback = "all",
     .choices = names,
     .help = "everything, or one kind of mark or axis alone",
     .presentation = true},
});

constexpr std::array tries{
    Try{"Two histograms, one over the other", "mark=histogram"},
    Try{"Lines of equal value, each with its number", "mark=contour"},
    Try{"The same axis in radians and in degrees", "mark=angle"},
};

/// How many marks each panel holds, and how many kinds of them.
figure::Table contents(const figure::Figure& figure) {
  figure::Table table{"panels", {{"panel", "", {}}, {"marks", "", {}}, {"kinds", "", {}}}};
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    std::set<std::size_t> kinds;
    for (const figure::Mark& mark : figure.panels[i].marks) kinds.insert(mark.index());
    const std::array row{double(i + 1), double(figure.panels[i].marks.size()), double(kinds.size())};
    add_row(table, row);
  }
  return table;
}

Check every_kind_is_here(const figure::Figure& figure) {
  std::set<std::size_t> kinds;
  for (const figure::Panel& panel : figure.panels)
    for (const figure::Mark& mark : panel.marks) kinds.insert(mark.index());
  return {"kinds of marks that no panel shows", double(std::variant_size_v<figure::Mark> - kinds.size()), 0};
}

StudyResult compute(const parameter::Settings& settings, const Run& run) {
  run.check();
  StudyResult result;
  result.figure = figure::gallery_figure();
  result.tables = {contents(result.figure)};
  result.checks = {every_kind_is_here(result.figure)};
  show_only(result.figure, names, settings.choice("mark"));
  return result;
}

}  // namespace

const Study figure_marks = {
    .id = "figure/marks",
    .title = "Marks and axes",
    .topic = "Figures",
    .summary = "everything that a figure may hold, one small panel each",
    .formula = R"(u = \frac{s(x) - s(a)}{s(b) - s(a)})",
    .about =
        "Every figure here is made of a few kinds of marks on a few kinds of axes. A value x stands at the "
        "share u of "
        "an axis from a to b; its scale s is the value itself, its logarithm, or a logarithm that passes "
        "through "
        "zero.",
    .source = "Wilkinson 2005, The Grammar of Graphics; Talbot, Lin and Hanrahan 2010 (ticks)",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study
