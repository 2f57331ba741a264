// A process of a test's own: for what ends a process, and for what a process does not forget.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <ostream>
#include <type_traits>

namespace orrery::support {

/// How a process ended.
struct End {
  int code;    // −1 where a signal ended it
  int signal;  // 0 where none did
  bool operator==(const End&) const = default;
};
inline std::ostream& operator<<(std::ostream& out, const End& end) {
  return end.signal != 0 ? out << "signal " << end.signal : out << "code " << end.code;
}
constexpr End code(int of_exit) {
  return {of_exit, 0};
}
constexpr End signal(int that_ended_it) {
  return {-1, that_ended_it};
}

/// Begins a process that does this and ends with the code that it gives: 0 where it gives none, 125 where it throws. An
/// expectation that fails there is heard by nobody.
template <class What>
pid_t begin_child(What what) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  try {
    if constexpr (std::is_void_v<decltype(what())>) {
      what();
      ::_exit(0);
    } else {
      ::_exit(what());
    }
  } catch (...) {
    ::_exit(125);
  }
}

/// Waits for it.
inline End end_of(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return code(-1);
  return WIFSIGNALED(status) ? signal(WTERMSIG(status)) : code(WEXITSTATUS(status));
}

/// How a process that does this ends.
template <class What>
End end_of_child(What what) {
  return end_of(begin_child(what));
}

}  // namespace orrery::support
