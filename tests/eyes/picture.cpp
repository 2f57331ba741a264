#include "tests/eyes/picture.h"

#include <png.h>

#include <algorithm>
#include <cmath>

#include "core/tensor/error.h"

namespace orrery::eyes {
namespace {

std::array<double, 3> mean(const Picture& p, int x, int y) {
  std::array<double, 3> sum{};
  const int right = std::min(x + block, p.width), bottom = std::min(y + block, p.height);
  for (int j = y; j < bottom; ++j) {
    const auto* row = p.pixels.data() + static_cast<std::ptrdiff_t>(j) * p.width;
    for (int i = x; i < right; ++i)
      for (std::size_t c = 0; c < 3; ++c) sum[c] += row[i][c];
  }
  const double count = std::max(1, (right - x) * (bottom - y));
  for (double& s : sum) s /= count;
  return sum;
}

}  // namespace

Picture read_png(const std::filesystem::path& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&image, path.c_str()))
    throw Failure(wrong("{}: {}", path.string(), foreign(image.message)));
  image.format = PNG_FORMAT_RGB;
  Picture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  picture.pixels.resize(std::size_t{image.width} * image.height);
  const png_color white{255, 255, 255};
  if (!png_image_finish_read(&image, &white, picture.pixels.data(), 0, nullptr))
    throw Failure(wrong("{}: {}", path.string(), foreign(image.message)));
  return picture;
}

Apart farthest(const Picture& a, const Picture& b) {
  Apart apart;
  apart.same_size = std::abs(a.width - b.width) <= 1 && std::abs(a.height - b.height) <= 1;
  if (!apart.same_size) return apart;
  // Whole blocks only: the last row of pixels is half a page's, half nobody's.
  for (int y = 0; y + block <= std::min(a.height, b.height); y += block) {
    for (int x = 0; x + block <= std::min(a.width, b.width); x += block) {
      const auto of_a = mean(a, x, y), of_b = mean(b, x, y);
      for (std::size_t c = 0; c < 3; ++c)
        if (const double d = std::abs(of_a[c] - of_b[c]); d > apart.most) {
          apart.most = d;
          apart.x = x;
          apart.y = y;
        }
    }
  }
  return apart;
}

}  // namespace orrery::eyes
