// The signals that end the program, and what none of them may cut in two.
#pragma once

namespace orrery::file {

/// As long as one lives, in any thread, such a signal is only noted; where the last one ends, so does the program, by the
/// signal that came first. For a few quick calls of the system, and never one within another: who would begin one after a
/// signal came waits for the end, so that there is a last one. A SIGINT that comes again after three seconds ends the program
/// at once: a disk may not answer.
class Undisturbed {
 public:
  Undisturbed();
  ~Undisturbed();
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;
};

/// From now on SIGTERM, SIGINT, SIGHUP and SIGPIPE, where nobody else listens to them, call this before they end the program.
/// It does no more than a signal handler may.
void before_signals_end(void (*last)());

/// The end of the program with this code from a thread that does not wait for others, as such a signal would end it: after
/// those who are undisturbed, for three seconds at most, and after that call.
[[noreturn]] void end_program(int code);

}  // namespace orrery::file
