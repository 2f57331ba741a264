// One parameter on its way from one value to another: the frames of an animated figure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameter/settings.h"

namespace orrery::study {

struct Animation {
  std::string parameter;  ///< an integer or a real one
  double from = 0, to = 1;
  bool log = false;  ///< equal ratios from frame to frame, not equal steps
  int frames = 48;
  double fps = 24;
  /// The one frame that a picture shows, from 0; all of them when empty. Axes are those of the whole animation.
  std::optional<int> frame;
  bool operator==(const Animation&) const = default;
};

inline constexpr int most_frames = 2000;
inline constexpr double most_fps = 120;

/// "base=1000:1e6" or "base=1000:1e6:log". Throws InvalidArgument that begins with --animate.
Animation parse_animation(std::string_view text);

/// Throws InvalidArgument when the parameter is not there, is no number, or leaves what it allows on its way.
void validate(const Animation&, const parameter::Settings&);

/// The settings of every frame; whole numbers are rounded, to the multiple that the parameter asks for.
std::vector<parameter::Settings> frame_settings(const Animation&, const parameter::Settings&);

}  // namespace orrery::study
