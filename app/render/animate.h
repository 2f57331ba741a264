// A recipe whose parameter moves, into one animated file or into numbered pictures.
#pragma once

#include <filesystem>

#include "app/render/make.h"

namespace orrery::render {

/// Refuses a path that can hold no animation: allowed are .webp, NAME%04d.ENDING with a figure's ending, and a figure
/// of its own for the one frame that the animation names.
void check_animation(const recipe::Animation&, const std::filesystem::path&);

Made animate(const recipe::Recipe&, const std::filesystem::path&, const MakeOptions&);

}  // namespace orrery::render
