// The two ways a request can end badly, and the one way it can be called off.
// Every message is one line: what was wrong, what was found, what is allowed.
#pragma once

#include <stdexcept>
#include <string>

namespace orrery {

/// The request itself cannot be meant: unknown name, value out of range, shapes that do not fit. Exit code 2.
class InvalidArgument : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The request was fine and could not be carried out: unreadable or malformed file, no GPU, full disk. Exit code 1.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown by work whose caller asked it to stop. Never shown to anybody.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace orrery
