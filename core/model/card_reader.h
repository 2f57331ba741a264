// A configuration's keys under all the names that they go by, and the class asked where the file is silent.
#pragma once

#include "core/model/card_family.h"
#include "core/model/json.h"

namespace orrery::model {

struct CardReader {
  Fields& top;
  const CardFamily* family = nullptr;  ///< nullptr: the class is not known
  std::string type;                    ///< as plain_type spells it
  std::vector<position::RopeWarning>& warnings;
  std::vector<std::string>& by_family;  ///< of the card

  /// A size under one of its names; else `by_class`, which is said; 0: the class has none either.
  std::optional<tensor::Index> size(std::initializer_list<std::string_view> keys, int by_class,
                                    tensor::Index most = 1 << 24);
  /// A number from 0 to `most` under one of the names.
  std::optional<double> number(std::initializer_list<std::string_view> keys, double most);
  /// The file's, else what the class does.
  bool flag(std::string_view key, bool by_class);
  /// Says that this is not from the file but as the family has it.
  void take_from_family(std::string_view what);
  bool is(std::string_view model_type) const { return type == model_type; }

 private:
  void assumed(std::string_view key, double value);
};

/// Which layers see how far. False where the file names other layers than there are, which is said.
bool read_layers(CardReader&, tensor::Index count, Card&);
/// Which of them have experts.
void read_experts(CardReader&, Card&);
/// Says what the file asks for and nothing heeds. False where sizes contradict each other, so that nothing can be counted.
bool agrees_with_itself(CardReader&, Card&);

}  // namespace orrery::model
