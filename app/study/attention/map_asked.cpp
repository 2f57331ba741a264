#include "app/study/attention/map_asked.h"

#include <algorithm>
#include <cmath>

#include "app/study/attention/attend.h"
#include "app/study/kit/numbers.h"

namespace orrery::study {

using attention::ScoreContent;
using attention::Shows;
using tensor::Index;

MapAsked map_asked(const parameter::Settings& settings, const Run& run) {
  MapAsked asked;
  ScoreContent& content = asked.content;
  asked.files = map_files(settings, run);
  const Index last = (asked.files ? asked.files->queries->tokens() : settings.integer("length")) - 1;
  const auto place = [&](std::string_view name) { return std::min<Index>(settings.integer(name), last); };
  const std::string& shared = settings.choice("content");
  const bool from_files = shared == "files" || shared == "projections";
  content.shared = shared == "topics"  ? ScoreContent::Shared::topics
                   : shared == "alike" ? ScoreContent::Shared::alike
                                       : ScoreContent::Shared::nothing;
  content.tokens = last + 1;
  content.width = settings.integer("head_width");
  content.strength = settings.real("strength");
  content.noise = from_files ? 1 : settings.real("noise");
  if (settings.toggle("rope")) content.base = settings.real("base");
  content.scale = settings.toggle("scaled") ? 1 / std::sqrt(static_cast<double>(content.width)) : 1;
  content.seed = seed_of(settings);
  if (!from_files && settings.toggle("outlier"))
    content.outlier = {place("outlier_query"), place("outlier_key"), settings.real("outlier_score")};
  asked.mask = attention_scores::mask_of(settings);
  const std::string& pixel = settings.choice("pixel");
  asked.shows = pixel == "mean" ? Shows::mean : pixel == "highest" ? Shows::highest : Shows::lowest;
  asked.weights = settings.choice("values") == "weights";
  asked.rows = settings.integer("rows");
  asked.query = place("query");
  return asked;
}

attention::ScoreMap score_map_of(const MapAsked& asked, const attention::Mask& mask) {
  if (!asked.files) return {asked.content, mask};
  return {asked.files->queries, asked.files->keys, asked.content.scale, mask};
}

double own_square(const MapAsked& asked) {
  if (!asked.files) return asked.content.noise * asked.content.noise;
  return std::sqrt(asked.files->queries->mean_square() * asked.files->keys->mean_square());
}

double longest_vector(const MapAsked& asked) {
  if (asked.files) return std::max(asked.files->queries->longest(), asked.files->keys->longest());
  const ScoreContent& c = asked.content;
  const double width = std::sqrt(number(c.width));
  const double shared = c.shared == ScoreContent::Shared::nothing ? 0 : c.strength;
  const double outlier = c.outlier ? std::sqrt(std::abs(c.outlier->height) / c.scale) : 0;
  return std::max(width * (shared + c.noise), outlier);
}

}  // namespace orrery::study
