// The last word of a program that has no memory left where nobody can catch that.
#pragma once

namespace orrery::file {

/// From now on a std::bad_alloc that nobody catches (thrown before main(), or in what may not throw) ends the program with
/// code 1, after what is half written is removed, and with this line, which ends with one of its own. Whatever else nobody
/// catches ends it as before.
void say_without_memory(const char* line);

}  // namespace orrery::file
