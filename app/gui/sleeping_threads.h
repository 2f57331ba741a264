// OpenMP's threads between two loops.
#pragma once

namespace orrery::gui {

/// Starts the program anew, with the words it was called by, so that OpenMP's threads sleep while they wait for work; does
/// nothing where that is so, or where the environment says how they are to wait. They would keep the cores busy
/// otherwise, which a software driver needs to draw what was found. The library reads its settings once, as it is loaded:
/// before anything of ours runs.
void let_waiting_threads_sleep(char** words);

}  // namespace orrery::gui
