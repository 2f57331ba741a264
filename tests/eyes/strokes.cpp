#include "tests/eyes/strokes.h"

#include <array>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>

namespace orrery::eyes {
namespace {

struct Matrix {
  std::array<double, 6> m{1, 0, 0, 1, 0, 0};
  std::pair<double, double> operator()(double x, double y) const {
    return {m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]};
  }
};

Matrix matrix_of(std::string text) {
  Matrix matrix;
  if (!text.starts_with("matrix(")) return matrix;
  for (char& c : text)
    if (c == ',' || c == '(' || c == ')') c = ' ';
  std::istringstream numbers(text.substr(6));
  for (double& number : matrix.m) numbers >> number;
  return matrix;
}

/// Cairo writes absolute coordinates, each letter and number apart.
void add_strokes(const std::string& data, const Matrix& matrix, double scale, std::vector<Stroke>& to) {
  std::istringstream words(data);
  double x = 0, y = 0, start_x = 0, start_y = 0;
  const auto line_to = [&](double next_x, double next_y) {
    const auto [ax, ay] = matrix(x, y);
    const auto [bx, by] = matrix(next_x, next_y);
    to.push_back({ax * scale, ay * scale, bx * scale, by * scale});
  };
  for (std::string word; words >> word;) {
    double next_x = 0, next_y = 0;
    if (word == "M") {
      words >> x >> y;
      start_x = x;
      start_y = y;
    } else if (word == "L") {
      words >> next_x >> next_y;
      line_to(next_x, next_y);
      x = next_x;
      y = next_y;
    } else if (word == "C") {
      for (int i = 0; i < 3; ++i) words >> x >> y;
    } else if (word == "Z") {
      line_to(start_x, start_y);
      x = start_x;
      y = start_y;
    }
  }
}

bool is_stroked(const pugi::xml_node& path) {
  const std::string_view style = path.attribute("style").value();
  const std::string_view stroke = path.attribute("stroke").value();
  return (style.find("stroke:") != std::string_view::npos &&
          style.find("stroke:none") == std::string_view::npos) ||
         (!stroke.empty() && stroke != "none");
}

}  // namespace

std::vector<Stroke> strokes_of(const std::string& svg, double scale) {
  pugi::xml_document document;
  document.load_buffer(svg.data(), svg.size());
  std::vector<Stroke> strokes;
  for (const auto& found : document.select_nodes("//*[local-name()='path']"))
    if (const pugi::xml_node path = found.node(); is_stroked(path))
      add_strokes(path.attribute("d").value(), matrix_of(path.attribute("transform").value()), scale,
                  strokes);
  return strokes;
}

}  // namespace orrery::eyes
