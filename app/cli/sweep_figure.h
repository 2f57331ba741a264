// The figure of a sweep: the study training/sweep of its table, exported with its recipe like any other.
#pragma once

#include <filesystem>

namespace orrery::cli {

/// FOLDER/figure.pdf of FOLDER/table.csv. Throws Failure.
std::filesystem::path draw_sweep(const std::filesystem::path& folder);

}  // namespace orrery::cli
