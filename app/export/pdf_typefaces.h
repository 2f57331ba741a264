// Whether a PDF shows the same everywhere.
#pragma once

#include <qpdf/QPDF.hh>

#include "core/tensor/error.h"

namespace orrery::exporter {

/// Throws Failure where a typeface is used that is not in the file: Cairo says nothing where it had no memory to put one
/// in, and other programs would show another in its place.
inline void check_typefaces(QPDF& pdf) {
  for (QPDFObjectHandle each : pdf.getAllObjects()) {
    if (!each.isDictionary() || !each.getKey("/Type").isNameAndEquals("/FontDescriptor")) continue;
    // Of Type 1, of TrueType, of all later kinds.
    if (!each.hasKey("/FontFile") && !each.hasKey("/FontFile2") && !each.hasKey("/FontFile3"))
      throw Failure(wrong("cannot make a PDF: {}", words("a typeface could not be put into it")));
  }
}

}  // namespace orrery::exporter
