// Which marks of two figures of one study are the same thing, at other settings.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/figure/figure.h"

namespace orrery::figure {

/// Words without their numbers: "score at 12" and "score at 4096" speak of the same.
std::string without_numbers(std::string_view);

/// For each mark of `b` the index of the one of `a` that is the same, or −1: of its kind and with its role where either
/// has one (Reading::role); else of its name, or of its name but for the numbers and in the same ink. With `by_order`
/// also, of what is left of a kind on both sides without roles, the first with the first, where it is as many.
std::vector<int> counterparts(const Panel& a, const Panel& b, bool by_order);

/// What was hidden in `from`, in `to`: the counterparts of what had a name, with all that goes with them. A panel of which
/// no series would be left shows them all.
std::set<std::pair<int, int>> carried(const std::set<std::pair<int, int>>& hidden, const Figure& from,
                                      const Figure& to);

}  // namespace orrery::figure
