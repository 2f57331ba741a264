// How the parts of a complaint become one line, in any language.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "core/tensor/complaint.h"

namespace orrery {

/// The words of a language for a phrase, its parts already said: their texts stand at its places.
using Say = std::function<std::string(const Phrase&, std::span<const std::string> parts)>;

std::string in_words(const Phrase&, const Say&);
std::string in_words(const Complaint&, const Say&);

/// All of a complaint as one phrase, for a sentence that tells of it.
Phrase sentence(const Complaint&);

/// The pattern with the parts at its places {}, one after the other.
std::string filled(std::string_view pattern, std::span<const std::string> parts);

}  // namespace orrery
