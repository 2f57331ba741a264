// The window: opened once, runs until the person closes it.
#pragma once

#include <filesystem>
#include <string>

namespace orrery::gui {

/// What the command line may say about the window.
struct Start {
  std::filesystem::path file;  ///< anything that is read, as App::take_file takes it; empty: none
  std::string study;           ///< the study to open first; empty: the last one, or rope/rotation
  double scale = 0;            ///< of the interface; 0: what the display asks for
  std::string theme;           ///< "dark" or "light"; empty: the last one, or dark
  std::string language;        ///< "en" or "zh"; empty: the last one, or English
  bool high_contrast = false, reduced_motion = false;  ///< false: as it was the last time
  bool no_config = false;                              ///< neither read nor write the session file
};

/// Opens the window and returns the exit code when it is closed. Throws Failure where there is no display,
/// InvalidArgument for an unknown study or theme.
int run(const Start&);

}  // namespace orrery::gui
