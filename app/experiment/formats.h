// The keys of SETTINGS.toml as a text for people, from their declarations: FORMATS.md is this, and a test compares them.
#pragma once

#include <string>

namespace orrery::experiment {

/// A table of Markdown for each section: key, default, what is allowed, what it is for.
std::string formats_markdown();

}  // namespace orrery::experiment
