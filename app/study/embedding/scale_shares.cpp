#include "app/study/embedding/scale_shares.h"

#include "app/study/kit.h"

namespace orrery::study::embedding_scale {

std::vector<Beginning> beginnings(const Settings& settings) {
  std::vector<Beginning> all{{"1/√d", R"($\sigma = 1/\sqrt{d}$)", 0},
                             {"0.02", R"($\sigma = 0.02$)", 0.02},
                             {"1", R"($\sigma = 1$)", 1}};
  if (settings.choice("begin") == "typed")
    all.push_back({"typed", R"($\sigma$ as typed)", settings.real("deviation")});
  return all;
}

std::size_t chosen(const Settings& settings) {
  const std::string& begin = settings.choice("begin");
  return begin == "root" ? 0 : begin == "gpt2" ? 1 : begin == "torch" ? 2 : 3;
}

double expected_share(double deviation, double factor) {
  return 100 / (1 + 2 * factor * factor * deviation * deviation);
}

double share_of(const Matrix& position, const Matrix& content) {
  return 100 * position.squaredNorm() / (position.squaredNorm() + content.squaredNorm());
}

Rows rows_of(const Run& run, const Settings& settings, Index width) {
  run.check();
  const Index count = settings.integer("rows");
  Rows rows{
      .unit = tensor::Random(seed_of(settings), static_cast<std::uint32_t>(width)).normals(count, width),
      .position = twin::sinusoidal(run, count, width, {}),
      .ids = {}};
  for (Index n = 0; n < count; ++n) rows.ids.push_back(n);
  return rows;
}

Matrix content_of(const Run& run, const Rows& rows, double deviation, Scale scale) {
  return twin::embedding(run, rows.ids, twin::rounded(deviation * rows.unit), scale);
}

std::string column_name(const Beginning& begin, Scale scale) {
  return std::string(begin.name) + (scale == Scale::none ? "" : ", times √d");
}

Series expected_shares(const std::vector<Beginning>& all) {
  std::vector<double> widths;  // even ones, four to an octave
  for (int quarter = 4; std::exp2(quarter / 4.0) <= widest; ++quarter)
    widths.push_back(2 * std::round(std::exp2(quarter / 4.0) / 2));
  widths.erase(std::ranges::unique(widths).begin(), widths.end());
  Series shares("shares", {"width", "", std::move(widths)});
  for (const Beginning& begin : all)
    for (const Scale scale : scales)
      shares.add(Column{.name = column_name(begin, scale), .unit = "%"}, [&](double d) {
        return expected_share(begin.of(d), embedding::scale_factor(scale, static_cast<Index>(d)));
      });
  return shares;
}

Series measured_shares(const Run& run, const Settings& settings, const std::vector<Beginning>& all) {
  std::vector<double> widths;
  for (double d = 4; d <= 4096; d *= 4) widths.push_back(d);
  Series shares("measured", {"width", "", widths});
  std::vector<Column> columns;
  for (const Beginning& begin : all)
    for (const Scale scale : scales) columns.push_back({.name = column_name(begin, scale), .unit = "%"});
  for (const double d : widths) {
    const Rows rows = rows_of(run, settings, static_cast<Index>(d));
    std::size_t c = 0;
    for (const Beginning& begin : all)
      for (const Scale scale : scales)
        columns[c++].values.push_back(share_of(rows.position, content_of(run, rows, begin.of(d), scale)));
  }
  for (Column& column : columns) shares.add(std::move(column));
  return shares;
}

}  // namespace orrery::study::embedding_scale
