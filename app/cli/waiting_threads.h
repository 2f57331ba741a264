// OpenMP's threads between two loops.
#pragma once

namespace orrery::cli {

/// Starts the program anew, with the words it was called by, so that OpenMP's threads sleep while they wait for work, after
/// some microseconds in which the next loop of a small model usually comes; does nothing where the environment says how
/// they are to wait. By itself GNU's library lets them turn for milliseconds: where another program has a core, each loop
/// then waits until the system takes it away from the thread that waits and gives it to the one that has the work (a
/// training of a small model took 15 times as long), and a software driver finds none to draw with. The library reads its
/// settings once, as it is loaded: before anything of ours runs.
void let_waiting_threads_sleep(char** words);

}  // namespace orrery::cli
