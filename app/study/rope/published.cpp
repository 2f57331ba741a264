#include "app/study/rope/published.h"

#include <string>

#include "core/tensor/embedded_file.h"
#include "core/tensor/error.h"

namespace orrery::study {

extern const tensor::EmbeddedFile published_configs[];
extern const int published_configs_count;
extern const tensor::EmbeddedFile published_cards[];
extern const int published_cards_count;

std::string_view published_config(std::string_view name) {
  const std::string file = std::string(name) + ".json";
  for (int i = 0; i < published_configs_count; ++i)
    if (published_configs[i].name == file) return published_configs[i].text;
  for (int i = 0; i < published_cards_count; ++i)
    if (published_cards[i].name == file) return published_cards[i].text;
  throw InvalidArgument(
      about("model").found(name).fault("{} is not one of the published ones", in_apostrophes(name)));
}

model::RopeConfig published_model(std::string_view name, std::optional<double> length) {
  return model::parse_rope_config(published_config(name), std::string(name) + ".json", length);
}

}  // namespace orrery::study
