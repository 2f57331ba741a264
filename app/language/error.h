// What went wrong, in the words of a language: each part of a complaint is looked up by its pattern, and none is taken
// apart. Names stay as they are typed and as they stand in files: of parameters, of keys, of files, and the words that a
// choice is made by.
#pragma once

#include <string>

#include "app/language/language.h"
#include "core/tensor/complaint.h"

namespace orrery::language {

std::string say_error(Language, const Complaint&);
std::string say_phrase(Language, const Phrase&);

}  // namespace orrery::language
