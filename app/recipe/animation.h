// One parameter on its way from one value to another: the frames of an animated figure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/parameter/settings.h"

namespace orrery::recipe {

/// What is done at the end of the way: begin anew, turn back, or stop.
enum class Loop : std::uint8_t { round, back_and_forth, once };
/// In the order of Loop.
inline constexpr std::array<std::string_view, 3> loop_names{"round", "back-and-forth", "once"};

struct Animation {
  std::string parameter;  ///< an integer or a real one
  double from = 0, to = 1;
  bool log = false;  ///< equal ratios from frame to frame, not equal steps
  Loop loop = Loop::round;
  int frames = 48;  ///< of all of it, there and back
  double fps = 24;
  /// The one frame that a picture shows, from 0; all of them when empty. Axes are those of the whole animation.
  std::optional<int> frame;
  bool operator==(const Animation&) const = default;
};

inline constexpr int most_frames = 2000;
inline constexpr double most_fps = 120;

/// "base=1000:1e6" or "base=1000:1e6:log". Throws InvalidArgument that begins with --animate.
Animation parse_animation(std::string_view text);
/// "back-and-forth". `argument` begins the InvalidArgument: "--loop".
Loop parse_loop(std::string_view argument, std::string_view text);

/// Throws InvalidArgument when the parameter is not there, is no number, or leaves what it allows on its way.
void validate(const Animation&, const parameter::Settings&);

/// The settings of every frame; whole numbers are rounded, to the multiple that the parameter asks for.
std::vector<parameter::Settings> frame_settings(const Animation&, const parameter::Settings&);

}  // namespace orrery::recipe
