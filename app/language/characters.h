// Characters as a reader of several scripts sees them.
#pragma once

#include <string>
#include <string_view>

namespace orrery::language {

/// Dollar signs that open or close mathematics; \$ is money.
int count_dollars(std::string_view text);

/// Of a script that sets no spaces between words, its punctuation included.
bool ideographic(char32_t character);

/// The character that begins or ends the text; 0 for none.
char32_t first_character(std::string_view text);
char32_t last_character(std::string_view text);

/// How many columns of a terminal the text takes: two for an ideograph and what is as wide, none for what stands on the letter
/// before it, as wcwidth has it in a UTF-8 locale, whatever locale there is.
int terminal_columns(std::string_view text);

/// Puts one text behind another. A space where they meet between two ideographs is dropped: it was meant for
/// letters and digits.
void join(std::string& text, std::string_view more);

}  // namespace orrery::language
