// The kit that studies are written with: values and functions, the one include of a study.
//
//   constexpr auto parameters = std::to_array<Parameter>({     // kit/declare.h, parameters.h: a line or two each
//       real("mean", "Common mean", "0.75", {-5, 5}, "of all components", {.unit = "deviations", .plays = true}),
//       show_parameter("all|vector|normalised")});
//
//   Series norms("norms", {"component", "", counted(width)});  // kit/series.h: columns over one x; what is drawn is
//   norms.add("LayerNorm", row_of(y));                         // the column, and the table is all of them
//   Panel panel{.title = "The same, normalised", .y = values("$y_j$"), .marks = {norms.points("LayerNorm")}};
//
//   Picture picture("A sentence", "What there is to see.");    // kit/picture.h: panels have names, and `show`
//   picture.at({0, 0}, "vector", panel);                       // chooses one of exactly these
//   return {std::move(picture).figure(settings, {.aspect = 1.2, .rows = {1, 1.3}}), {norms.table()}, checks};
//
// kit/panels.h: inks, axes, maps of matrices, handles. kit/space.h: three dimensions. kit/numbers.h: sums over columns.
// kit/worked.h: the formula with its numbers put in. kit/spectra.h: eigenvalues and singular values, where wanted.
// kit/checks.h: how loose a check may be. kit/expects.h: what a try promises. text.h: numbers in sentences. twin.h: the ops.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/table.h"
#include "app/study/kit/checks.h"
#include "app/study/kit/declare.h"
#include "app/study/kit/expects.h"
#include "app/study/kit/numbers.h"
#include "app/study/kit/panels.h"
#include "app/study/kit/picture.h"
#include "app/study/kit/series.h"
#include "app/study/kit/space.h"
#include "app/study/kit/worked.h"
#include "app/study/parameters.h"
#include "app/study/study.h"
#include "app/study/text.h"
#include "app/study/twin.h"
#include "core/tensor/random.h"

namespace orrery::study {

using parameter::Settings;
using tensor::Index;
using twin::Matrix;
using worked::subscripted;
using worked::term;
using worked::Term;

using figure::Annotation;
using figure::Axis;
using figure::Band;
using figure::Bars;
using figure::ColorMap;
using figure::ColorScale;
using figure::Column;
using figure::Course;
using figure::Dash;
using figure::HAlign;
using figure::Heatmap;
using figure::Ink;
using figure::Inset;
using figure::LegendPlace;
using figure::Line;
using figure::Mark;
using figure::Note;
using figure::Panel;
using figure::Points;
using figure::Range;
using figure::Role;
using figure::Rule;
using figure::Scale;
using figure::series;
using figure::Stems;
using figure::Symbol;
using figure::Table;
using figure::TickHint;
using figure::VAlign;

}  // namespace orrery::study
