// A declared input: of an op, of a study. From this one declaration come the command line's --set, the
// controls of the window, recipes, undo, and every error message about a wrong value.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/complaint.h"

namespace orrery::parameter {

enum class Kind : std::uint8_t {
  integer,  ///< a whole number
  real,     ///< a finite number
  choice,   ///< one of a few names
  toggle,   ///< on or off (also 1/0, true/false, yes/no)
  vector,   ///< real numbers, separated by commas: 1,0.5,-2
  file,     ///< a path
  text,     ///< one line of words, as they are typed: a sentence, tokens
  matrix    ///< real numbers in rows, which semicolons separate: 1,0;0,1
};

/// How a slider travels, nothing else: the value is the same.
enum class Travel : std::uint8_t { linear, log, powers_of_two };

struct Parameter {
  std::string_view name = {};   ///< as typed: --set name=value; lower case, words joined by _
  std::string_view label = {};  ///< as shown: "Head width"
  Kind kind = Kind::real;
  std::string_view fallback = {};  ///< the default, as typed
  /// The least and the largest allowed value, themselves allowed; of each component of a vector or a matrix; of a text,
  /// how many characters it may have.
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  Travel travel = Travel::linear;
  int multiple = 1;  ///< integers must be a multiple of this: 2 for a rotary width
  int length = 0;    ///< how many components a vector, or a row of a matrix, must have; 0: any number
  int rows = 0;      ///< how many rows a matrix must have; 0: any number
  /// "interleaved|half", for Kind::choice. One that ends in ":W" takes a whole number from 1: sliding:128.
  std::string_view choices = {};
  /// For Kind::real: a word that may stand instead of a number, such as "default". See Settings::number().
  std::string_view word = {};
  std::string_view unit = {};  ///< "rad", "tokens"; empty: a pure number
  std::string_view help = {};  ///< one line
  bool plays = false;          ///< may run by itself in the window, from min to max: a position, a phase
  /// When it is read at all, by the values of others: "model=own rule=yarn|llama3", all of which must hold; empty:
  /// always. See only_when.h.
  std::string_view only_when = {};
  /// For Kind::file: the files it takes, "config.json|.json", the most telling first; a bare ending, or a whole name.
  std::string_view takes = {};
  /// Which fact about a published model this is, for presets: "rope_theta". See app/recipe/presets.h.
  std::string_view model_fact = {};
  /// Says what is drawn, not what is computed: which part, how many digits. Presets and chance leave it alone.
  bool presentation = false;
  /// A toggle that, where it is on, times this machine here and now: chance leaves it alone, and so do tests of every
  /// setting, whose results are to be the same again.
  bool measures = false;
};

std::vector<std::string_view> choices_of(const Parameter&);
std::string_view kind_name(Kind);
/// What a value of this parameter may be, in words: "a whole number from 2 to 512, a multiple of 2".
std::string allowed_text(const Parameter&);
Phrase allowed_phrase(const Parameter&);

/// The shortest decimal text that reads back as exactly x; whole numbers below 1e15 without an exponent.
std::string shortest(double x);

}  // namespace orrery::parameter
