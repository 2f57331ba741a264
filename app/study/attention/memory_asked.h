// What attention/memory is asked for: a model, what its numbers are stored in, and a machine.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/study/attention/measured_machine.h"
#include "app/study/attention/serving_picture.h"
#include "app/study/study.h"
#include "core/model/cost.h"
#include "core/parameter/settings.h"

namespace orrery::study::attention_memory {

using model::Card;
using model::Load;
using model::Machine;
using model::Sharing;

inline constexpr double gibibyte = 0x1p30, tera = 1e12, giga = 1e9, most_texts = 4096;

struct Asked {
  Card card;
  std::string title;
  double length = 1, texts = 1;
  model::StoredBytes stored;
  Machine machine;
  std::optional<MeasuredMachine> measured{};  ///< where the machine is one that was
  bool windows = true;

  Load writing(double n) const { return model::writing(card, n, length, stored); }
  double kept(const Card& of, double at) const { return stored.cached * texts * cached_numbers(of, at); }
};

/// A machine is measured here where that is asked for.
Asked asked_of(const parameter::Settings&, const Run&);
/// A published one, with its windows or as if it had none.
Card card_of(std::string_view name, bool windows);
/// Of a token of a text, before any window is full; of an encoder and a decoder, of one of each text.
double kept_a_token(const Card&, const Asked&);
std::vector<SharedCache> shared_caches(const Asked&);

}  // namespace orrery::study::attention_memory
