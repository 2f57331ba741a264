// What went wrong, in words: the one line of an error follows a form, "subject: what; allowed: this, that or those",
// and is translated part by part. Names stay as they are typed and as they stand in files: of parameters, of keys, of
// files, and the words that a choice is made by.
#pragma once

#include <string>
#include <string_view>

#include "app/language/language.h"

namespace orrery::language {

std::string say_error(Language, std::string_view english);

}  // namespace orrery::language
