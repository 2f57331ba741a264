// The fifteen functions of the activation op as studies show them: names, colours, groups, and what is known of each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/study/kit/worked.h"
#include "core/activation/activation.h"
#include "core/parameter/settings.h"

namespace orrery::study {

/// How a function behaves where x is negative.
enum class LeftSide { dips, never_below_0, to_a_limit, without_end };

struct Member {
  activation::Kind kind;
  const char *label, *tex;
  int color;            ///< the same function has the same colour whatever else is shown
  std::string_view of;  ///< its groups, each between bars
  LeftSide left;
  double published =
      0;  ///< of one that dips: its least value as arithmetic of 40 digits gives it, of swish where β is 1

  /// As typed, in settings and on the command line.
  std::string_view name() const { return activation::name(kind); }
};

/// All of them, the best known first.
std::span<const Member> family();
const Member& member(activation::Kind);

/// The function with α and β of these settings, where it has one. Of `alpha` the word stands for the function's own.
activation::ActivationParams with_constants(const Member&, const parameter::Settings&);

struct Extreme {
  double x, y;
};

/// The least value of one that dips: where its derivative changes its sign, to the last bit.
std::optional<Extreme> least(const Member&, const activation::ActivationParams&);
/// What f tends to far on the left, of one that tends to a limit.
double left_limit(const activation::ActivationParams&);
/// Where the derivative jumps.
std::vector<double> jumps(const activation::ActivationParams&);

/// A place where f changes its sign between lo and hi, to the last bit: halved until nothing lies between.
double sign_change(double lo, double hi, auto&& f) {
  const bool rising = f(lo) < 0;
  for (;;) {
    const double middle = lo + (hi - lo) / 2;
    if (middle <= lo || middle >= hi) return middle;
    ((f(middle) < 0) == rising ? lo : hi) = middle;
  }
}

/// The formula with x put in; nothing of GELU, whose Φ no pocket calculator has.
std::optional<worked::Term> formula_of(const activation::ActivationParams&, double x);
/// "\mathrm{SiLU}(-2) = \frac{-2}{1 + e^{2}} \approx -0.2384"; false where there is no such formula.
bool add_value(Worked&, const Member&, const activation::ActivationParams&, double x);

}  // namespace orrery::study
