// What a scene says, and where on the page LaTeX said it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/export/text.h"
#include "app/figure/layout.h"
#include "app/figure/scene.h"
#include "tests/eyes/letters.h"
#include "tests/eyes/printed.h"

namespace orrery::eyes {

/// Who decides where a text stands.
enum class Role : std::uint8_t {
  words,   ///< the figure's title, and what marks write: we do
  title,   ///< of a panel: PGFPlots does, from where we say
  number,  ///< at a tick: PGFPlots does, at the tick
  axis,    ///< an axis' name: PGFPlots does, in the middle of the axis and clear of the numbers
  legend   ///< we do
};

struct Said {
  std::string label;
  Letters letters;
  Role role = Role::words;
  bool turned = false;
  double size = 0;
  /// What is held: the left end, the middle or the right end of the text, along its direction, and its baseline; as Printed.
  figure::HAlign h = figure::HAlign::left;
  double along = 0, baseline = 0;
  figure::Color color{};
};

/// Every text of a scene that has a letter or a digit.
std::vector<Said> said_in(const figure::Scene&, const exporter::TextSetter&);

/// Where the page says it, nearest to where the scene does. Nothing: nowhere.
struct Heard {
  double along = 0, across = 0;  ///< off our place, bp: along the text, and its baseline
  double size = 0;               ///< off ours, bp
  double beyond = 0;             ///< how far it sticks out of the page, bp
  int color = 0;                 ///< off ours, of 255
  bool han = false;              ///< all of it is
};
std::optional<Heard> hear(const Said&, const PrintedPage&, figure::Size page_size);

}  // namespace orrery::eyes
