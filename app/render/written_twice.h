// Whether two jobs of a run would write one file, before any of them writes.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/render/jobs.h"

namespace orrery::render {

/// The first such file, where there is one. Names and numbered pictures tell of themselves. What tables a study has it says
/// only with its result: where a name goes on from another's as that of a table would, "x" and "x.components", both are
/// computed for it, and nobody else. Pictures beside a .tex are known when the page is laid out: claims.h looks after them.
std::optional<std::filesystem::path> written_twice(const std::vector<Job>&);

}  // namespace orrery::render
