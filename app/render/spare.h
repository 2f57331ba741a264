// What a figure is made of is not written over.
#pragma once

#include "app/export/export.h"
#include "app/recipe/recipe.h"

namespace orrery::render {

/// Refuses a file that the recipe reads, on either side of a comparison: of the names that are made of what was typed,
/// in.scores.npy and map-panel1.png, nobody types one. Then `then` is asked.
exporter::BeforeWriting sparing_inputs(const recipe::Recipe&, exporter::BeforeWriting then = {});

}  // namespace orrery::render
