// What panels have in common: inks, axes, the maps of matrices, lines across, handles.
#pragma once

#include <optional>
#include <string>

#include "app/figure/figure.h"
#include "core/tensor/view.h"

namespace orrery::study {

constexpr figure::Ink ink(figure::Role role, double alpha = 1) {
  return {role, 0, alpha};
}

/// Of the edges of so many cells about 0, 1, 2 …
figure::Range cells(double count);

/// An axis of values, with faint lines to read them by.
figure::Axis values(std::string label = {}, std::optional<figure::Range> range = {});
/// An axis of whole numbers.
figure::Axis counts(std::string label, std::optional<figure::Range> range = {});
/// Powers of two on a log axis: lengths and distances.
figure::Axis octaves(std::string label, std::optional<figure::Range> range = {});

/// A line right across at one height; dashed in the accent colour as all rules are, unless `look` says otherwise.
figure::Rule level(double at, figure::Rule look = {});
/// A quiet dotted one.
figure::Rule quiet_level(double at, std::string text = {});

/// A matrix as cells: a column of it stands at 0, 1, 2 … of x, a row of y.
figure::Heatmap heatmap(const tensor::Matrix<double>&, figure::ColorScale = {});
/// One that is asked for at the resolution of the page.
figure::Heatmap heatmap(figure::Sampler, tensor::Index rows, tensor::Index cols, figure::ColorScale = {});
/// The map with a frame about it and its first row on top.
figure::Panel map_panel(std::string title, figure::Heatmap, std::string x_label, std::string y_label);
/// The same where a row is as high as a column is wide.
figure::Panel square_map_panel(std::string title, figure::Heatmap, std::string x_label, std::string y_label);

/// A row of a map with so many columns, framed in the accent colour.
figure::Shape row_frame(double row, double columns);

/// The area of a circle. Not an arc, whose radius is a length on the page: this one is as long in x and in y as the data.
figure::Shape disc(double x, double y, double radius);

/// On a dark ground the accent is the sixth of the series' colours too: where one has the accent, nobody else has that.
inline constexpr int like_the_accent = 5;
/// The colour of a series beside one in the accent colour, whose own colour is `free`.
constexpr int beside_accent(int color, int free) {
  return color == like_the_accent ? free : color;
}

/// A point in the accent colour that a person drags along x.
void add_handle(figure::Panel&, double x, double y, std::string parameter, std::string hint);

}  // namespace orrery::study
