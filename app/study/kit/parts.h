// When a long computation shows what it has so far.
#pragma once

#include <limits>

namespace orrery::study {

/// After each eighth of long work; never of work that is done before anybody looks.
class Parts {
 public:
  /// In units of its own: how many there are, and from how many on it takes 0.3 seconds.
  Parts(double units, double long_from)
      : step_(units < long_from ? std::numeric_limits<double>::infinity() : units / 8), next_(step_) {}
  /// Once each time that another eighth is done.
  bool due(double done) {
    if (done < next_) return false;
    next_ = done + step_;
    return true;
  }

 private:
  double step_, next_;
};

}  // namespace orrery::study
