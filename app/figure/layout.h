// Figure → scene. Pure: the same figure, size, theme, view and text metrics give the same scene.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "app/figure/arrangement.h"
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

/// How much is said around the plots. On a page too small for all of it plots first stand closer together and grow smaller,
/// then do without titles, without labels of axes, without axes.
enum class Detail : std::uint8_t { all, close, labels, numbers, bare };

/// How a page was laid out, so that others can be laid out alike. By panel, but for the arrangement.
struct Standing {
  Arrangement arrangement;
  Detail detail = Detail::all;
  std::vector<std::optional<LegendPlace>> legends;  ///< where not as the figure has it
  std::vector<Margins> margins;                     ///< the least
  bool sparing = false;  ///< legends that would press their plots flat are set tighter, else they go
};

struct LayoutOptions {
  Size size;
  double pixels_per_point = 4;  ///< how fine lines are kept and samplers asked
  bool title = false;           ///< the figure's sentence above it
  View view;
  double most_cells =
      1 << 23;  ///< that a map asks of its sampler: half a second at most, 131 072 positions of 64 pairs
  bool all_panels = false;                ///< a small page loses words rather than panels
  const Arrangement* arranged = nullptr;  ///< of all panels; else the figure's: roomier_arrangement()
  const Standing* like = nullptr;
  const Digest* digest = nullptr;  ///< of this figure, from whoever lays it out again and again
};

/// A page too small for the figure first sets its plots closer, then places its panels otherwise, then does without the
/// panels of the highest ranks, so that what it shows keeps its words; only one too small for the panels of the lowest
/// rank loses words too. Scene::left_out names what is not said.
Scene layout(const Figure&, const LayoutOptions&, const Theme&, const TextMetrics&);

/// Where all panels stand on a page whose plots would be stamps as the figure has them: in the columns that leave the
/// largest and say all. Nothing where the figure's own are large enough, or others are not. Whoever lays a figure out again
/// and again asks once for a page and keeps it, so that no panel jumps while a number grows by a digit.
std::optional<Arrangement> roomier_arrangement(const Figure&, const LayoutOptions&, const Theme&,
                                               const TextMetrics&);

/// What stands above the panels of such a page takes this much of its height, in points.
double heading_height(const Figure&, const LayoutOptions&, const Theme&, const TextMetrics&);

/// How figures that are shown one after another stand on one page, so that nothing moves but what they show: with the
/// margins that hold for all, and their legends where none of them is in the way. The figures have the same panels.
/// `before_each` is heard before each of many pages that are tried: what it throws ends the choice.
Standing standing(std::span<const Figure>, const LayoutOptions&, const Theme&, const TextMetrics&,
                  const std::function<void()>& before_each = {});

}  // namespace orrery::figure
