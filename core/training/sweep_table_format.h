// What `orrery sweep --collect` writes (app/experiment) and the study training/sweep reads: a table in CSV.
#pragma once

#include <cstddef>
#include <string_view>

namespace orrery::training {

/// Its first line, without the end. Each further one is a cell and a length that was asked.
inline constexpr std::string_view sweep_heading =
    "variant,trained,seed,cell,length,sequences,loss,accuracy,floor";

/// Rows below the heading. A sweep that would have more is refused before it begins.
inline constexpr std::size_t most_sweep_rows = 100'000;

}  // namespace orrery::training
