// What a viewer shows, as pixels, and how far two viewers are apart.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace orrery::eyes {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::array<std::uint8_t, 3>> pixels{};  ///< rows from the top, on white
};

/// A PNG. Throws Failure where it is none.
Picture read_png(const std::filesystem::path&);

/// Where two pictures are farthest apart: the means of blocks are compared, so that smoothed edges and hinted letters are
/// alike, and a missing word is not.
struct Apart {
  double most = 0;   ///< of 255, in the channel that differs most
  int x = 0, y = 0;  ///< the block's corner, pixels
  bool same_size = true;
};

inline constexpr int block = 20;  ///< pixels; 9.6 pt at 150 dpi: about a letter

/// Sizes may differ by a pixel: programs round a page of 850.39 pixels either way.
Apart farthest(const Picture&, const Picture&);

}  // namespace orrery::eyes
