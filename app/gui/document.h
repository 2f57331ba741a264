// What a person works on, as one value: what is computed, how it is looked at, what it is compared with, what was
// collected. Undo, the saved session and its restoring after a crash are copies of it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/figure/compare.h"
#include "app/figure/layout.h"
#include "app/recipe/recipe.h"
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

/// A figure that was put aside for an export in one go. The recipe is shared and never changed in place: whoever keeps
/// something that was made of it, such as a thumbnail, knows it again.
struct Collected {
  std::string title;
  std::shared_ptr<const recipe::Recipe> recipe;
};
/// Shared, never changed in place: a hundred steps of undo hold one copy. Compared by identity.
using Tray = std::shared_ptr<const std::vector<Collected>>;

/// Widths of the panes beside the figure, in lengths of the design; a hidden pane remembers its own.
struct Panes {
  float list = 232, inspector = 344;
  bool list_shown = true, inspector_shown = true, tray_shown = false;
  std::set<std::string> folded{"why"};  ///< sections of the inspector by id
  bool operator==(const Panes&) const = default;
};

/// How a parameter runs by itself: what it does at its end, how fast, and from where to where; without ends, those of its
/// slider.
using recipe::Loop;
struct Motion {
  double speed = 1;
  Loop loop = Loop::round;
  std::optional<double> from{}, to{};
  bool operator==(const Motion&) const = default;
};

struct Document {
  Side live;
  figure::View view;
  std::optional<Side> pinned;                                        ///< side A of a comparison
  figure::CompareMode together = figure::CompareMode::side_by_side;  ///< how A and the live side B are shown
  Tray tray;
  std::shared_ptr<const recipe::Recipe>
      opened{};  ///< that of the tray's figures which was opened, or just collected
  Panes panes;
  std::set<std::string> locked;  ///< parameters that presets and chance leave alone, as "study.parameter"
  std::map<std::string, std::string> presets;  ///< the one applied last, by study id
  std::map<std::string, Motion>
      motions;  ///< how parameters run that do not run as usual, as "study.parameter"

  bool operator==(const Document&) const = default;
};

/// What a person set once for all work: undo does not touch it.
struct Preferences {
  std::string theme = "dark";
  std::string language = "en";
  double zoom = 1;  ///< of the interface, on top of what the display asks for
  bool high_contrast = false;
  bool reduced_motion =
      false;  ///< nothing runs unasked, and what is asked to run goes in steps, one a second
  bool operator==(const Preferences&) const = default;
};

}  // namespace orrery::gui
