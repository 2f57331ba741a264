// A recipe whose parameter moves, into one animated file or into numbered pictures.
#pragma once

#include <filesystem>
#include <vector>

#include "app/figure/figure.h"
#include "app/render/make.h"

namespace orrery::render {

/// Whether it is the name of an animation's pictures, NAME%04d.ENDING.
bool names_pictures(const std::filesystem::path&);

/// Refuses a path that can hold no animation: allowed are .webp, NAME%04d.ENDING with a figure's ending, and a figure
/// of its own for the one frame that the animation names.
void check_animation(const recipe::Animation&, const std::filesystem::path&);

/// What moves in an animation, with its value in four digits, and how much of its way lies behind it, where the recipe's
/// settings are.
figure::Moment moment(const recipe::Recipe&);

/// The files that animate() will write, but for the pictures beside a .tex.
std::vector<std::filesystem::path> animation_files(const recipe::Animation&, const std::filesystem::path&);

/// Of numbered pictures all are new, or all files are as they were, where the file system can exchange two names.
Made animate(const recipe::Recipe&, const std::filesystem::path&, const MakeOptions&);

}  // namespace orrery::render
