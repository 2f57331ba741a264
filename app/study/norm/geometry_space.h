// Tokens of three features and what the norms make of them, drawn in space.
#pragma once

#include <vector>

#include "app/study/kit/space.h"
#include "app/study/norm/gained_sphere.h"
#include "app/study/twin.h"

namespace orrery::study {

/// A token in row 0, the others below it, and what the norms make of them: with the gain and without it.
struct GeometryTokens {
  twin::Matrix x, layer, rms, layer_gained, rms_gained;
};

inline Point3 point_of(const twin::Matrix& rows, tensor::Index i) {
  return {rows(i, 0), rows(i, 1), rows(i, 2)};
}

/// `track`: of the token in row 0, where it is moved; the gained alone are read.
figure::Panel geometry_space_panel(View, const std::vector<double>& gain, const GeometryTokens& tokens,
                                   const GeometryTokens& track);

}  // namespace orrery::study
