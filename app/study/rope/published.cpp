#include "app/study/rope/published.h"

#include <string>

#include "core/tensor/embedded_file.h"
#include "core/tensor/error.h"

namespace orrery::study {

extern const tensor::EmbeddedFile published_configs[];
extern const int published_configs_count;

std::string_view published_config(std::string_view name) {
  for (int i = 0; i < published_configs_count; ++i)
    if (published_configs[i].name == std::string(name) + ".json") return published_configs[i].text;
  throw InvalidArgument(
      about("model").found(name).fault("{} is not one of the published ones", in_apostrophes(name)));
}

model::RopeConfig published_model(std::string_view name, std::optional<double> length) {
  return model::parse_rope_config(published_config(name), std::string(name) + ".json", length);
}

}  // namespace orrery::study
