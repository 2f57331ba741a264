// What position/sum draws in two dimensions: positions on their circle, and the words that push them off it.
#pragma once

#include <string>

#include "app/study/position/sinusoidal_settings.h"
#include "app/study/position/sum_text.h"

namespace orrery::study {

/// Two dimensions of what enters the first layer: the sine and the cosine of one pair.
struct PlaneOfPair {
  Series positions;  ///< "position x", "position y", "sum x", "sum y" of every place in the text
  Series cloud;      ///< "x" and "y" of other words
  SineCosine at;     ///< the dimensions
};

/// The pair in whose plane the text goes about three quarters round, or most nearly.
Index telling_pair(const Settings&, Index places);
PlaneOfPair plane_of(const Settings&, Index pair, const Matrix& content, const Matrix& position,
                     const Matrix& others, const std::string& name);

/// How far from the origin anything stands.
double extent(const PlaneOfPair&);

/// `half`: of both axes, the same for all that is compared. The word at `marked` stands in the accent colour.
Panel plane_panel(std::string title, const PlaneOfPair&, const SentenceOfWords&, std::size_t marked,
                  double half);

}  // namespace orrery::study
