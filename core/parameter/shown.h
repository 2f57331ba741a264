// What somebody typed or wrote, as a message for people shows it.
#pragma once

#include <string>
#include <string_view>

namespace orrery::parameter {

/// Its beginning and its length, "AAA… (900000 bytes)", where it is long: the line is for a person.
std::string brief(std::string_view text, std::size_t most = 80);

/// Control characters, which could command a terminal, and those that turn the direction of writing, which could hide what
/// stands there, as escapes that TOML and JSON read: "\u001B", "\u202E". Line ends and tabs, as "\n" and "\t", too where
/// `lines` is false.
std::string visible(std::string_view text, bool lines = false);

/// Whether `visible` changes nothing but line ends and tabs.
bool harmless(std::string_view text);

}  // namespace orrery::parameter
