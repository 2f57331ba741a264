// What block/gradient-path draws of the paths that it has found: its tables and its panels.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "app/study/block/gradient_paths.h"
#include "app/study/kit.h"

namespace orrery::study::block_gradient_path {

/// Where the norm stands, or that there are no residual connections.
struct Kind {
  std::string_view choice, name;
  transformer::Placement placement;
  bool residual = true;
};
inline constexpr auto kinds = std::to_array<Kind>({
    {"pre", "Pre-LN", transformer::Placement::pre},
    {"sandwich", "sandwich", transformer::Placement::sandwich},
    {"output", "output norm", transformer::Placement::output},
    {"post", "Post-LN", transformer::Placement::post},
    {"deep_norm", "DeepNorm", transformer::Placement::deep_norm},
    {"none", "no residual", transformer::Placement::pre, false},
});
/// The place of Post-LN among them.
constexpr std::size_t post = 3;

/// Of every kind: the stack of the last depth so far, and the identity's part of the first layer's gradient by depth.
struct Found {
  std::array<GradientPaths, kinds.size()> of{};
  std::array<std::vector<double>, kinds.size()> by_depth{};
  std::vector<double> depths{};
};

/// "shares": per cent of the gradient by place, one kind of path on top of the other.
Series share_series(const Settings&, const Found&);
/// "path": the gradient along the identity path, and the whole, by place.
Series path_series(const Settings&, const Found&);
/// "sums": the gains at the two residual sums of each layer.
Series sum_series(const Settings&, const GradientPaths&);
/// "depth": the identity's part over the whole gradient at the input.
Series depth_series(const Found&);

Panel share_panel(const Settings&, const Series& shares, const Kind&);
Panel sum_panel(const Settings&, const Series& sums, const Kind&);
Panel path_panel(const Settings&, const Series& path, const Kind&);
Panel depth_panel(const Series& depth);

}  // namespace orrery::study::block_gradient_path
