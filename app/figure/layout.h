// Figure → scene. Pure: the same figure, size, theme, view and text metrics give the same scene.
#pragma once

#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "app/figure/figure.h"
#include "app/figure/scene.h"
#include "app/figure/theme.h"

namespace orrery::figure {

struct Extent {
  double width = 0, ascent = 0, descent = 0;  ///< points; ascent and descent are of the line, not of its ink
};

/// How large a text will be. The real one asks Pango; tests use one that counts characters.
class TextMetrics {
 public:
  virtual ~TextMetrics() = default;
  virtual Extent measure(std::string_view text, const TextStyle&) const = 0;
};

struct Size {
  double width = 0, height = 0;  ///< points
  bool operator==(const Size&) const = default;
};

/// What a person did to the picture: it changes no figure.
struct View {
  struct PanelView {
    std::optional<Range> x{}, y{};
    std::optional<bool> log_x{}, log_y{}, grid{};  ///< where they were asked to be other than the figure's
    bool operator==(const PanelView&) const = default;
  };
  std::vector<PanelView> panels;         ///< may be shorter than the figure's list
  std::set<std::pair<int, int>> hidden;  ///< (panel, mark) pairs switched off in the legend
  bool operator==(const View&) const = default;
};

struct Digest;

struct LayoutOptions {
  Size size;
  double pixels_per_point = 4;  ///< how fine lines are kept and samplers asked
  bool title = false;           ///< the figure's sentence above it
  View view;
  const Digest* digest = nullptr;  ///< of this figure, from whoever lays it out again and again
};

Scene layout(const Figure&, const LayoutOptions&, const Theme&, const TextMetrics&);

}  // namespace orrery::figure
