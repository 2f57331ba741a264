#include "app/study/block/walk_parts.h"

#include <algorithm>

namespace orrery::study::block_walk {
std::string own_part(const Walked& w, std::string_view asked) {
  std::string part(asked);
  if (part == "logits" || part == "probabilities") return part;
  const std::size_t cut = part.find('_');
  std::string stack = part.substr(0, cut), rest = part.substr(cut + 1);
  if (!w.has_stack(stack)) stack = w.stack();
  if (rest == "embedding") return stack + "_embedding";
  if (rest == "final_norm") {
    if (w.has(stack + ".out")) return stack + "_final_norm";
    rest = "feed_forward_add";
  }
  if (rest.starts_with("cross") && !(stack == "decoder" && w.model().has_both()))
    rest.replace(0, 5, "attention");
  const transformer::Norms norms = transformer::norms_of(w.config().placement);
  const auto behind = [&](const char* end) {
    return rest.ends_with(end) ? rest.size() - std::string_view(end).size() : 0;
  };
  if (const std::size_t at = behind("_inner"); at > 0 && !(norms.inner && norms.before))
    rest = rest.substr(0, at) + "_norm";
  if (const std::size_t at = behind("_norm"); at > 0 && norms.after) rest = rest.substr(0, at) + "_add";
  if (w.parallel()) {
    if (rest == "attention_add") rest = "feed_forward_add";
    if (rest == "feed_forward_norm" && w.config().placement == transformer::Placement::parallel_one_norm)
      rest = "attention_norm";
  }
  return stack + "_" + rest;
}

Place place_of(const Walked& w, const std::string& part, Index layer) {
  Place place{{w.stack(), 0, Sub::attention}, part};
  if (part == "logits" || part == "probabilities") return place;
  const std::size_t cut = part.find('_');
  place.spot.stack = part.substr(0, cut);
  place.spot.layer = std::min(layer, w.layers(place.spot.stack) - 1);
  std::string rest = part.substr(cut + 1);
  for (const auto& [name, sub] :
       {std::pair{"attention", Sub::attention}, {"cross", Sub::cross}, {"feed_forward", Sub::network}})
    if (rest.starts_with(name)) {
      place.spot.sub = sub;
      place.piece = rest.substr(std::string_view(name).size());
      place.of_layer = true;
      return place;
    }
  place.piece = rest;
  return place;
}

std::string title_of(const Place& place) {
  if (place.piece == "logits") return "Logits";
  if (place.piece == "probabilities") return "Probabilities";
  const bool encodes = place.spot.stack == "encoder";
  if (place.piece == "embedding") return encodes ? "Words of the encoder" : "Words of the decoder";
  if (place.piece == "final_norm") return encodes ? "Last norm of the encoder" : "Last norm of the decoder";
  const std::string where = encodes ? " in the encoder" : " in the decoder";
  const std::string sub = place.spot.sub == Sub::attention ? "attention"
                          : place.spot.sub == Sub::cross   ? "cross-attention"
                                                           : "feed-forward";
  if (place.piece == "_add") return "Residual of " + sub + where;
  if (place.piece == "_norm" || place.piece == "_inner") return "Norm of " + sub + where;
  return (place.spot.sub == Sub::attention ? "Attention"
          : place.spot.sub == Sub::cross   ? "Cross-attention"
                                           : "Feed-forward") +
         where;
}

}  // namespace orrery::study::block_walk
