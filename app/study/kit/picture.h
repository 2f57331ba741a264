// A figure put together of panels that have names: `show` chooses one of exactly these.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/figure/figure.h"
#include "core/parameter/settings.h"

namespace orrery::study {

/// The whole figure's shape, and the relative sizes of its rows and columns of cells.
struct FigureShape {
  double aspect = 1.6;
  std::vector<double> rows{1}, cols{1};
  std::optional<double> aspect_alone{};  ///< of what `show` has chosen; not given: what suits a panel
  bool titles_alone = false;             ///< a panel alone keeps its title
  std::string_view chooser = "show";     ///< the parameter that names what is shown
  /// Panels by name in the order in which a page too small for all shows them: the first is the one that tells most. Those
  /// not named come behind them, in the figure's order.
  std::vector<std::string_view> telling{};
};

class Picture {
 public:
  /// A sentence, and what there is to see for those who cannot see it.
  Picture(std::string title, std::string description);

  /// Panels of one name, one after another, are shown together; one without a name stands among all of them only.
  Picture& at(figure::Cell, std::string name, figure::Panel);
  /// A figure of its own, which is not among all the panels: it is made when its name is chosen.
  Picture& instead(std::string name, std::function<figure::Figure()>);

  /// All panels, or those that the study's parameter `show` names: they have the whole figure. A single one has no title,
  /// since the caption says it. Throws Failure where the choices of `show` are not "all" and the names of the panels and
  /// of the figures instead of them.
  figure::Figure figure(const parameter::Settings&, const FigureShape&) &&;
  /// All panels, whatever is chosen.
  figure::Figure whole(const FigureShape&) &&;

 private:
  figure::Figure figure_;
  std::vector<std::pair<std::string, std::function<figure::Figure()>>> instead_;
};

}  // namespace orrery::study
