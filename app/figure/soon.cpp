#include "app/figure/soon.h"

#include "app/figure/block_sampler.h"

namespace orrery::figure {
namespace {

template <class F>
void for_soon_samplers(const Figure& figure, F f) {
  for (const Panel& panel : figure.panels)
    for (const Mark& mark : panel.marks) {
      const auto* map = std::get_if<Heatmap>(&mark);
      const BlockSampler* blocks = map ? block_sampler(map->sampler) : nullptr;
      if (blocks && blocks->soon) f(*blocks->soon);
    }
}

}  // namespace

std::optional<Figure> without_waiting(const Figure& figure) {
  bool any = false;
  for_soon_samplers(figure, [&](SoonSampler&) { any = true; });
  if (!any) return std::nullopt;
  Figure quick = figure;
  for (Panel& panel : quick.panels)
    for (Mark& mark : panel.marks) {
      auto* map = std::get_if<Heatmap>(&mark);
      const BlockSampler* blocks = map ? block_sampler(map->sampler) : nullptr;
      if (!blocks || !blocks->soon) continue;
      const std::shared_ptr<SoonSampler> soon = blocks->soon;
      map->sampler = BlockSampler{
          [soon](Range x, Range y, int cols, int rows) { return soon->values(x, y, cols, rows); },
          [soon](Range x, Range y) { return soon->block(x, y); }, soon};
    }
  return quick;
}

std::uint64_t news(const Figure& figure) {
  std::uint64_t sum = 0;
  for_soon_samplers(figure, [&](const SoonSampler& soon) { sum += soon.news(); });
  return sum;
}

bool expects_news(const Figure& figure) {
  bool any = false;
  for_soon_samplers(figure, [&](const SoonSampler& soon) { any = any || soon.busy(); });
  return any;
}

}  // namespace orrery::figure
