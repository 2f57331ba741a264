// The kerns of Computer Modern, which Latin Modern Math left out: closer round hollow letters, wider where two
// would touch. Without them "Var" and "V/d" fall apart.
#pragma once

namespace orrery::exporter::math {

/// Between letters of an upright word, in em.
double word_kern(char32_t left, char32_t right);

/// Between italic letters of a formula, and the stroke, comma and full stop behind them, in em. The letters as
/// Unicode's mathematical italic has them.
double italic_kern(char32_t left, char32_t right);

}  // namespace orrery::exporter::math
