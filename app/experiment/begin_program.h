// A program as a child of this one, which does not outlive it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace orrery::experiment {

/// What a child has as its standard input, output and error: descriptors above those three.
struct Streams {
  int in = -1, out = -1, error = -1;
};

/// Begins `words` (the first one a path, or a name that is looked for as a shell does) with these variables, in a process
/// group of its own. It gets SIGTERM where this program ends, however it ends; asked from a thread that ends earlier, it gets
/// it then. Its number. Throws Failure where there is no such program or no process can be begun.
pid_t begin_program(const std::vector<std::string>& words, const std::vector<std::string>& variables,
                    Streams);

}  // namespace orrery::experiment
