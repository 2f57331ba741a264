// The figure of a sweep: the study training/sweep of its table, with its recipe inside like any other.
#pragma once

#include <filesystem>
#include <string>

namespace orrery::cli {

/// The bytes of a .pdf, as the study draws FOLDER/table.csv once that holds `csv`. Throws Failure.
std::string figure_of_sweep(const std::filesystem::path& folder, const std::string& csv);

}  // namespace orrery::cli
