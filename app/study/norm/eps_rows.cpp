#include "app/study/norm/eps_rows.h"

#include "app/study/kit.h"
#include "app/study/norm/norm_ops.h"
#include "app/study/norm/rounded_stages.h"

namespace orrery::study::norm_eps {
namespace {

constexpr int sizes_a_decade = 8;

std::vector<double> root_mean_squares(const Matrix& y) {
  std::vector<double> all;
  for (Index i = 0; i < y.rows(); ++i) all.push_back(root_mean_square(y.row(i)));
  return all;
}

std::vector<double> sizes() {
  std::vector<double> all;
  for (int i = -8 * sizes_a_decade; i <= 4 * sizes_a_decade; ++i)
    all.push_back(std::pow(10, number(i) / sizes_a_decade));
  return all;
}

}  // namespace

double root_mean_square(const Matrix& x) {
  return std::sqrt(x.squaredNorm() / number(x.size()));
}

Asked asked_of(const Settings& settings) {
  Matrix z = tensor::Random(seed_of(settings)).normals(1, settings.integer("width"));
  z.array() -= z.mean();
  z *= std::sqrt(number(z.size())) / z.norm();
  return {settings.real("size"), settings.real("eps"),
          settings.choice("place") == "inside" ? EpsPlace::inside : EpsPlace::outside, z};
}

Matrix rows_of(const Asked& asked, const std::vector<double>& sizes) {
  Matrix x(std::ssize(sizes), asked.row.cols());
  for (std::size_t i = 0; i < sizes.size(); ++i) x.row(static_cast<Index>(i)) = sizes[i] * asked.row;
  return twin::rounded(x);
}

Matrix normed(const Run& run, const Matrix& x, double eps, EpsPlace place) {
  return twin::rms_norm(run, x, {.eps = eps, .eps_place = place});
}

Matrix clamped(const Run& run, const Matrix& x, double eps) {
  return twin::scale_norm(run, x, std::sqrt(number(x.cols())), {.eps = eps});
}

double kept_at(const Run& run, const Asked& asked, double size, double eps, EpsPlace place) {
  return root_mean_square(normed(run, rows_of(asked, {size}), eps, place));
}

Series kept_of(const Run& run, const Asked& asked) {
  Series kept("kept", {"size", "", sizes()});
  const Matrix x = rows_of(asked, kept.x());
  kept.add("inside", root_mean_squares(normed(run, x, asked.eps, EpsPlace::inside)));
  kept.add("outside", root_mean_squares(normed(run, x, asked.eps, EpsPlace::outside)));
  return kept.add("at least", root_mean_squares(clamped(run, x, asked.eps)));
}

Series missing_of(const Asked& asked) {
  Series missing("missing", {"size", "", sizes()});
  const double root = std::sqrt(asked.eps);
  missing.add("inside", [&](double r) {
    const double s = std::hypot(r, root);
    return asked.eps / (s * (s + r));
  });
  return missing.add("outside", [&](double r) { return asked.eps / (r + asked.eps); });
}

double kept_in(tensor::Format format, const Asked& asked, double size) {
  const StagedRow row = staged_rms_norm(size * asked.row, {}, {.eps = asked.eps, .eps_place = asked.place},
                                        {tensor::Format::f32, format});
  const double y = root_mean_square(row.y);
  return std::isfinite(y) ? y : std::numeric_limits<double>::quiet_NaN();
}

Series formats_of(const Asked& asked) {
  Series all("formats", {"size", "", sizes()});
  for (const tensor::Format format : formats) {
    std::vector<double> kept;
    for (const double size : all.x()) kept.push_back(kept_in(format, asked, size));
    all.add(std::string(tensor::name(format)), std::move(kept));
  }
  return all;
}

}  // namespace orrery::study::norm_eps
