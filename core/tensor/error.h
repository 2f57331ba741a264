// The two ways a request can end badly, and the one way it can be called off. What is wrong travels as data (complaint.h);
// what() is the same in English, one line: what was wrong, what was found, what is allowed.
#pragma once

#include <stdexcept>
#include <string>

#include "core/tensor/complaint.h"

namespace orrery {

/// The request itself cannot be meant: unknown name, value out of range, shapes that do not fit. Exit code 2.
class InvalidArgument : public std::invalid_argument, public Complaining {
 public:
  explicit InvalidArgument(const Complaint& c) : std::invalid_argument(english(c)), Complaining(c) {}
  /// Words alone, for what no person is ever shown.
  explicit InvalidArgument(const std::string& words) : InvalidArgument(Complaint().fault(foreign(words))) {}
};

/// The request was fine and could not be carried out: unreadable or malformed file, no GPU, full disk. Exit code 1.
class Failure : public std::runtime_error, public Complaining {
 public:
  explicit Failure(const Complaint& c) : std::runtime_error(english(c)), Complaining(c) {}
  /// Words alone, for what no person is ever shown.
  explicit Failure(const std::string& words) : Failure(Complaint().fault(foreign(words))) {}
};

/// Thrown by work whose caller asked it to stop. Never shown to anybody.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

}  // namespace orrery
