// The vectors of attention/map out of files: one head's, as head_files.h reads them, turned where RoPE is on.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/figure/table.h"
#include "app/study/study.h"
#include "core/attention/row_vectors.h"

namespace orrery::study {

struct MapFiles {
  std::shared_ptr<const attention::RowVectors> queries, keys;
  std::string head;     ///< "Head 1 of 4"
  figure::Table table;  ///< the files, and how much of each is read
};

/// Nothing where no file is chosen. No more than the first `length` tokens; each is read once, in blocks, and kept for the next
/// call while the file is the same. Throws as open_head_files, and Cancelled.
std::optional<MapFiles> map_files(const parameter::Settings&, const Run&);

}  // namespace orrery::study
