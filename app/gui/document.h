// What a person works on, as one value: what is computed, how it is looked at, what it is compared with, what was
// collected. Undo, the saved session and its restoring after a crash are copies of it.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/figure/layout.h"
#include "app/study/recipe.h"
#include "app/study/study.h"

namespace orrery::gui {

/// What is computed: a study, with which settings, on which device.
struct Side {
  const study::Study* study = nullptr;
  parameter::Settings settings;
  study::DeviceChoice device = study::DeviceChoice::cpu;

  bool operator==(const Side& other) const {
    return study == other.study && device == other.device && settings == other.settings;
  }
};

/// How a pinned side A and the live side B are shown together.
enum class Together : std::uint8_t { side_by_side, overlay, difference };

/// A figure that was put aside for an export in one go.
struct Collected {
  std::string title;
  study::Recipe recipe;
};
/// Shared, never changed in place: a hundred steps of undo hold one copy. Compared by identity.
using Tray = std::shared_ptr<const std::vector<Collected>>;

/// Widths of the panes beside the figure, in lengths of the design; a hidden pane remembers its own.
struct Panes {
  float list = 232, inspector = 344;
  bool list_shown = true, inspector_shown = true, tray_shown = false;
  bool operator==(const Panes&) const = default;
};

struct Document {
  Side live;
  figure::View view;
  std::optional<Side> pinned;  ///< side A of a comparison
  Together together = Together::side_by_side;
  Tray tray;
  Panes panes;
  std::set<std::string> locked;  ///< parameters that presets and chance leave alone, as "study.parameter"

  bool operator==(const Document&) const = default;
};

/// What a person set once for all work: undo does not touch it.
struct Preferences {
  std::string theme = "dark";
  std::string language = "en";
  double zoom = 1;  ///< of the interface, on top of what the display asks for
  bool operator==(const Preferences&) const = default;
};

}  // namespace orrery::gui
