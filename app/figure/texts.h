// Every text that stands in a figure, for those who read or replace words without caring whose they are.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/figure/figure.h"

namespace orrery::figure {

/// What is drawn: titles, labels and names of axes, legends, notes, colour bars. Empty ones are left out.
void each_drawn_text(const Figure&, const std::function<void(const std::string&)>&);

/// The same, to be changed, and what is said beside the drawing: the description, what a handle does, what a
/// read-out calls a mark.
void each_text(Figure&, const std::function<void(std::string&)>&);
void each_text(const Figure&, const std::function<void(const std::string&)>&);

/// Apostrophes within words as they are set and not as they are typed; mathematics stays as it is.
void set_apostrophes(Figure&);

/// Whether a text says more than numbers do: those in a row say what stands between them, words do not.
bool is_word(std::string_view);

}  // namespace orrery::figure
