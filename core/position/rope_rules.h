// The longer rules of rope_frequencies.h, one function each, and how they refuse a number. Each is called with the
// plain w_i in out.inv_freq.
#pragma once

#include <string>
#include <string_view>

#include "core/position/rope_frequencies.h"

namespace orrery::position::rules {

/// The shortest decimal text of x.
std::string text(double x);

/// Throw InvalidArgument unless the field is within a range that is wide of everything published and narrow enough that
/// no rule overflows.
void require(std::string_view field, double found, double least, double most);
void require_length(std::string_view field, double found);
void require_factor(std::string_view field, double found);

void by_parts(const RopeRule&, RopeFrequencies& out);
void yarn(const RopeRule&, RopeFrequencies& out);
void longrope(const RopeRule&, RopeFrequencies& out);
void llama3(const RopeRule&, RopeFrequencies& out);

}  // namespace orrery::position::rules
