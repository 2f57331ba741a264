// Texts with places for what varies: "position {}". The same notation finds a text and makes one.
//
// {} is a place, everywhere. {1} {2} … are places outside mathematics only, where a translation says the parts in
// another order; between dollar signs they are TeX's own groups, as in $10^{2}$.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::language {

class Pattern {
 public:
  explicit Pattern(std::string_view text);

  struct Place {
    int part = 0;          ///< counted from 0
    bool in_math = false;  ///< between dollar signs: what stands there is TeX, not words
    bool quoted = false;   ///< behind “: a person's own words, which no language says otherwise
    bool valued = false;   ///< behind "{} = ": what the part before it is set to
    bool is_said() const { return !in_math && !quoted; }
  };
  const std::vector<Place>& places() const { return places_; }
  /// Every place by its own number, or every one in the order in which they stand; never some of each.
  bool numbered() const { return numbered_ > 0; }
  bool mixed() const { return numbered_ > 0 && numbered_ < static_cast<int>(places_.size()); }
  /// Bytes that are said as they stand: how much a match of this pattern says about a text.
  std::size_t weight() const;
  /// "{} kept": what stands there is anything, a heading too.
  bool begins_with_place() const { return !places_.empty() && literals_.front().empty(); }
  /// "A: {}": words, a colon, and behind it the rest whole.
  bool heading() const;
  /// A part that stands at several places: within itself again and again it would grow beyond all measure.
  bool repeats() const;
  /// Two places with nothing between them: no text would say where one ends.
  bool ambiguous() const;

  /// What of the text stands at the places, none of it empty, none of it half a formula; the first part as short as
  /// it can be. Nothing where the text is another.
  std::optional<std::vector<std::string_view>> match(std::string_view text) const;
  /// The text with these parts; a place beyond them stays as it is written.
  std::string fill(std::span<const std::string> parts) const;

 private:
  bool match_from(std::string_view text, std::size_t at, std::size_t place,
                  std::vector<std::string_view>& parts) const;

  std::vector<std::string> literals_;  // one more than places: before, between, after
  std::vector<Place> places_;
  int numbered_ = 0;
};

}  // namespace orrery::language
