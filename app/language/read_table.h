// Tables of translations: TOML of plain lines, "English text" = "中文".
#pragma once

#include <string_view>
#include <vector>

#include "app/language/dictionary.h"

namespace orrery::language {

/// In the order of the text. Throws Failure: "origin:line:column: what".
std::vector<Entry> read_table(std::string_view text, std::string_view origin);

/// All tables of a language: those of the program, or those below ORRERY_TRANSLATION_DIR where that is set.
std::vector<Entry> read_tables(std::string_view code);

}  // namespace orrery::language
