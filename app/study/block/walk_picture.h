// The panels of block/walk: a model's diagram, and the equations of the chosen part.
#pragma once

#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/study/block/walk_parts.h"

namespace orrery::study::block_walk {

/// What it is, and where its matrices are from.
std::string name_of(const Model&);

/// Its boxes, the chosen one in the accent colour; a click on another chooses that.
figure::Panel diagram_panel(const Walked&, const std::string& own_part);

/// Of cells below each other: the highest matrices of all lines.
double rows_of(const std::vector<Line>&);

/// Equations below each other, every matrix a map with its numbers where they find room, tokens beside their rows.
figure::Panel equations_panel(std::string title, const std::vector<Line>&);

}  // namespace orrery::study::block_walk
