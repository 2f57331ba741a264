// What a figure is made of is not written over, and a work that was stopped writes nothing.
#pragma once

#include "app/export/export.h"
#include "app/recipe/recipe.h"

namespace orrery::render {

struct MakeOptions;

/// Refuses a file that the recipe reads, on either side of a comparison: of the names that are made of what was typed,
/// in.scores.npy and map-panel1.png, nobody types one. Then `then` is asked.
exporter::BeforeWriting sparing_inputs(const recipe::Recipe&, exporter::BeforeWriting then = {});
/// All that is asked before files of a recipe are written: that, whether it was stopped (it throws Cancelled then), and
/// what the options ask.
exporter::BeforeWriting asked_before_writing(const recipe::Recipe&, const MakeOptions&);

}  // namespace orrery::render
