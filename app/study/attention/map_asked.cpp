#include "app/study/attention/map_asked.h"

#include <algorithm>
#include <cmath>

#include "app/study/attention/attend.h"
#include "app/study/kit/numbers.h"
#include "core/attention/scores.h"
#include "core/simd/product.h"

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
  asked.key = settings.integer("key") < 0 ? asked.query - 1 : place("key");
  if (run.device == DeviceChoice::gpu) {
    static_cast<void>(run.gpu());
    asked.device = std::make_shared<gpu::DeviceThread>();
  }
  return asked;
}

attention::ScoreMap score_map_of(const MapAsked& asked, const attention::Mask& mask) {
  attention::ScoreMap::Products products;
  if (asked.device)
    products = [device = asked.device](tensor::View<const float> a, tensor::View<const float> b,
                                       tensor::View<float> y) {
      device->run([&](gpu::Device& gpu) { attention::scores_gpu(gpu, a, b, {.scale = 1, .mask = {}}, y); });
    };
  if (!asked.files) return {asked.content, mask, std::move(products)};
  return {asked.files->queries, asked.files->keys, asked.content.scale, mask, std::move(products)};
}

attention::TileSums tile_sums_of(const MapAsked& asked) {
  if (!asked.device) return {};
  return [device = asked.device](const attention::LogSumTile& tile, std::span<attention::LogSum> found) {
    device->run([&](gpu::Device& gpu) { attention::log_sums_gpu(gpu, tile, found); });
  };
}

double product_slack(const MapAsked& asked) {
  const Index width = asked.files ? asked.files->queries->width() : asked.content.width;
  const double on_processor = simd::product_bound(width);
  return asked.device ? std::max(on_processor, attention::scores_gpu_bound(width)) : on_processor;
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
