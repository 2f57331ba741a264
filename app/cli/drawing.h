// From a recipe to a file: shared by render and gallery.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/study/recipe.h"
#include "app/study/runner.h"

namespace orrery::cli {

/// Computes; an error of the study is thrown.
study::Outcome compute(const study::Recipe&);

/// Writes the figure with its recipe inside, or the study's tables, by the ending of `path`. The files
/// written.
std::vector<std::filesystem::path> write_outcome(const study::Outcome&, study::Recipe, double dpi,
                                                 const std::filesystem::path& path);

/// .pdf .svg .png .csv .npy
std::vector<std::string_view> output_endings();

}  // namespace orrery::cli
