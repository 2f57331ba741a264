// Characters that nobody here can draw.
#pragma once

#include "app/figure/figure.h"
#include "core/tensor/complaint.h"

namespace orrery::exporter {

/// A line for a person about the characters in a figure's words that no installed font has, and that are therefore shown
/// as boxes; empty when there are none. Formulas look after themselves.
Phrase missing_characters_note(const figure::Figure&);

}  // namespace orrery::exporter
