// What a read-out says of a map whose pixels stand for more than one cell each.
#pragma once

#include <optional>

#include "app/figure/block_sampler.h"
#include "app/figure/field.h"
#include "app/figure/scene.h"

namespace orrery::gui {

/// All cells whose middle lies in one pixel of the page.
struct Block {
  double lowest = 0, mean = 0, highest = 0;
  bool bounds = false;  ///< none is below `lowest` and none above `highest`: they were not looked through
  std::optional<figure::RowsLooked> looked{};  ///< then there is no lowest and no highest
};

/// Of the pixel at a point on the page; nothing where it has a single cell, where the axes are not linear, where nothing in it
/// is a number, or where it has more cells than can be asked for while a pointer moves. A sampler of blocks is asked for the
/// block itself.
std::optional<Block> block_under(const figure::Field&, const figure::PanelFrame&, figure::Point);

}  // namespace orrery::gui
