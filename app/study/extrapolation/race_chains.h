// extrapolation/race on chains: losses by place, beside the best that can be known.
#pragma once

#include "app/study/extrapolation/chain_results.h"
#include "app/study/study.h"

namespace orrery::study {

StudyResult chains_drawn(const parameter::Settings&, const ChainResults&);
/// Trains what is asked for, here and now.
ChainResults chains_trained_now(const parameter::Settings&, const Run&);
/// What the settings ask for: what is kept, or came with the program.
ChainResults chains_kept(const parameter::Settings&);

}  // namespace orrery::study
