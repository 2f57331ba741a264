// A bias behind a norm and the linear layer behind both: W(y + β) = Wy + Wβ, and Wβ is the same for every token.
#pragma once

#include <cstdint>
#include <string>

#include "app/study/kit/series.h"
#include "app/study/study.h"
#include "app/study/twin.h"

namespace orrery::study {

struct AbsorbedBias {
  Series outputs;  ///< "absorbed": of each output both tokens without β and with it, what that added, and Wβ
  double allowed;  ///< how far 2⁻⁵³ of each product and sum may set the two sides apart
};

/// Of two normalised tokens, its rows; W (D × D, variance 1/D) and β (variance 1) are drawn by the seed.
AbsorbedBias absorbed_bias(const twin::Matrix& tokens, std::uint64_t seed);

std::vector<Check> absorbed_bias_checks(const AbsorbedBias&);

figure::Figure absorbed_bias_figure(const AbsorbedBias&, const std::string& norm);

}  // namespace orrery::study
