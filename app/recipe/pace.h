// How long a computation will still take, told from how far it had come and when.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "app/language/language.h"

namespace orrery::recipe {

class Pace {
 public:
  /// A share of it, 0 to 1, was done after so many seconds of work. What lies less than a hundredth and two seconds behind the
  /// last one is passed over; what came five times as fast as the rest was found ready, and counts for nothing.
  void reached(double share, double seconds);
  /// What is left after `seconds` of work, by how fast the last sixteen came; one that is overdue slows it. Nothing
  /// before two of them are three seconds apart: too little is known.
  std::optional<double> left(double seconds) const;

 private:
  struct Point {
    double share, seconds;
  };
  std::deque<Point> points_;
};

/// "40 s", "3 min", "2 h 10 min".
std::string time_left(language::Language, double seconds);

}  // namespace orrery::recipe
