// A file of JSON, looked at before a study is asked to read it.
#pragma once

#include <filesystem>
#include <string_view>

namespace orrery::study {

/// Throws Failure "origin:line:column: …" for a .json whose text is none. Says nothing of what else a study may refuse, nor of
/// a pipe, which can be read but once, an index of tensors, or one so long that every study refuses it.
void refuse_broken_json(const std::filesystem::path&, std::string_view origin);

}  // namespace orrery::study
