// The longest text that a model is made for: its file says it under one of several keys, or its class where the file is
// silent.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/model/json.h"

namespace orrery::model {

struct ClassDefaults;

/// The first that is there counts.
inline const std::initializer_list<std::string_view> longest_keys{"max_position_embeddings",
                                                                  "n_positions",
                                                                  "max_sequence_length",
                                                                  "seq_length",
                                                                  "n_ctx",
                                                                  "max_seq_len",
                                                                  "model_max_length",
                                                                  "max_context_length"};

struct LongestLength {
  double tokens = 0;  ///< 0: neither the file nor its class says it
  std::string key;    ///< that was read; empty: the file has none of them

  bool by_class() const { return key.empty() && tokens > 0; }
};

/// Throws Failure for less than one token. `defaults` may be nullptr: the class is not known.
LongestLength longest_length(Fields& top, const ClassDefaults* defaults);

}  // namespace orrery::model
