// What is read off a figure: the samples of its marks with their values, whose they are, and how the numbers are written.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "app/figure/figure.h"

namespace orrery::figure {

/// The samples of a mark: where each is drawn, and what its value is there.
struct Samples {
  std::span<const double> x, y, value;
  const Ink* ink = nullptr;
  Course course = Course::straight;
  bool between = false;    ///< the values between two samples are known as well
  bool scattered = false;  ///< markers that stand where they stand: no curve to be read at an x

  std::size_t count() const { return std::min({x.size(), y.size(), value.size()}); }
};

/// Nothing for what has no samples, or none that is a value.
std::optional<Samples> samples(const Mark&);

/// The label of a mark; nothing for what can have none.
const std::string* label_of(const Mark&);
std::string* label_of(Mark&);
const Reading* reading_of(const Mark&);

/// Which series a mark is drawn as, where it is one.
std::optional<int> series_index(const Mark&);

/// What a mark shows, in a word: its reading's name, its label, the label of what is drawn as the same series in its
/// panel or in one that shares its legend, what its axis measures, or the title of its panel. It may still be empty.
std::string name_of(const Figure&, int panel, int mark);

/// Whether that is a name of its own, and not one that it shares.
bool has_own_name(const Mark&);

/// What a mark is, whatever the settings: its role, or else its label or name. Empty: one of many.
std::string role_of(const Mark&);

/// The marks of other panels that are the same series, and those of the mark's own panel without a name that are drawn as
/// it is, such as the points on a line; the mark itself among them. What is called so on the other side of a comparison is
/// the same series. (panel, mark) pairs.
std::set<std::pair<int, int>> same_series(const Figure&, int panel, int mark);

/// The shortest text that reads back as the same number: as the same float where it is one, since the other digits of a
/// double would be noise. Never "-0".
std::string exact_text(double);
/// The same for eyes: of a float the seven digits that all of them have.
std::string read_text(double);

}  // namespace orrery::figure
