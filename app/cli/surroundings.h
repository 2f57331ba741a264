// What the program finds around it as it starts: open files, limits, variables that libraries read.
#pragma once

namespace orrery::cli {

/// Puts a closed end where standard input, output or error is missing: the next file opened would get its number, and what
/// is printed would be written into a figure. Writing there fails, as it should.
void hold_standard_streams();

/// Throws InvalidArgument or Failure for surroundings in which a library would end the program without a word, and clears
/// what no setting of ours needs.
void check_surroundings();

}  // namespace orrery::cli
