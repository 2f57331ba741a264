#include "app/study/block/walk_file.h"
#include "app/study/kit/read_numbers.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/file/safetensors.h"
#include "core/tensor/error.h"

namespace orrery::study::block_walk {
namespace {

using tensor::Index;
using transformer::Config;
using transformer::Family;
using transformer::Placement;

constexpr Index most_width = 1024, most_rows = 65536;

/// Names and shapes of a file.
class Shapes {
 public:
  explicit Shapes(const std::filesystem::path& path) : path_(path) {
    for (const file::SafetensorsEntry& entry : file::read_safetensors_header(path).entries)
      shapes_[entry.name] = entry.shape;
  }

  bool has(const std::string& name) const { return shapes_.contains(name); }
  Index size(const std::string& name, std::size_t axis, std::size_t axes) const {
    const auto found = shapes_.find(name);
    if (found == shapes_.end())
      throw Failure(about(Subject::Kind::file, path_.string()).fault("it has no array {}", name));
    if (found->second.size() != axes)
      throw Failure(about(Subject::Kind::file, path_.string())
                        .fault("{} has {} axes, where {} are needed", name, found->second.size(), axes));
    return found->second[axis];
  }
  /// How many layers a stack has.
  Index layers(const std::string& stack) const {
    Index count = 0;
    while (has(stack + ".layers." + std::to_string(count) + ".self_attention.q.weight")) ++count;
    return count;
  }

 private:
  std::filesystem::path path_;
  std::map<std::string, std::vector<Index>> shapes_;
};

/// By the norms that the first layer has.
Placement placement_in(const Shapes& shapes, const std::string& layer, Placement otherwise) {
  const auto stands = [&](const char* name) {
    return shapes.has(layer + ".self_attention" + name + ".weight");
  };
  const bool of_network = shapes.has(layer + ".feed_forward.norm_before.weight");
  if (stands(".norm_after")) return otherwise == Placement::deep_norm ? otherwise : Placement::post;
  if (stands(".norm_inner")) return stands(".norm_before") ? Placement::sandwich : Placement::output;
  if (!of_network) return Placement::parallel_one_norm;
  return otherwise == Placement::parallel ? otherwise : Placement::pre;
}

/// Where a norm of that placement stands.
std::string any_norm(const std::string& layer, Placement placement) {
  const transformer::Norms norms = transformer::norms_of(placement);
  return layer + ".self_attention" +
         (norms.after    ? ".norm_after"
          : norms.before ? ".norm_before"
                         : ".norm_inner");
}

}  // namespace

Config config_in(const std::filesystem::path& path, Config c) {
  const Shapes shapes(path);
  c.vocabulary = shapes.size("token_embedding.weight", 0, 2);
  c.width = shapes.size("token_embedding.weight", 1, 2);
  if (c.width > most_width || c.vocabulary > most_rows)
    throw Failure(about(Subject::Kind::file, path.string())
                      .fault("its table of tokens has {} rows of {} numbers", c.vocabulary, c.width)
                      .allowed("up to {} of {}", most_rows, most_width));
  const Index encoders = shapes.layers("encoder"), decoders = shapes.layers("decoder");
  if (encoders == 0 && decoders == 0)
    throw Failure(about(Subject::Kind::file, path.string())
                      .fault("it has no array {}", "decoder.layers.0.self_attention.q.weight"));
  c.family = encoders == 0 ? Family::decoder : decoders == 0 ? Family::encoder : Family::encoder_decoder;
  c.layers = decoders == 0 ? encoders : decoders;
  c.encoder_layers = encoders;
  const std::string stack = decoders == 0 ? "encoder" : "decoder", layer = stack + ".layers.0";
  const Index inner = shapes.size(layer + ".self_attention.q.weight", 0, 2),
              shared = shapes.size(layer + ".self_attention.k.weight", 0, 2);
  if (inner == 0 || inner % c.heads != 0 || shared % (inner / c.heads) != 0)
    throw Failure(about(Subject::Kind::file, path.string())
                      .fault("its queries have {} columns and its keys {}: that is no {} heads", inner,
                             shared, c.heads));
  c.head_width = inner / c.heads;
  c.key_value_heads = shared / c.head_width;
  c.gated = shapes.has(layer + ".feed_forward.gate.weight");
  c.hidden = shapes.size(layer + ".feed_forward.up.weight", 0, 2);
  c.bias = shapes.has(layer + ".self_attention.q.bias");
  c.placement = placement_in(shapes, layer, c.placement);
  const std::string norm = any_norm(layer, c.placement);
  c.norm.kind = shapes.has(norm + ".bias") ? transformer::NormKind::layer : c.norm.kind;
  c.norm.bias = shapes.has(norm + ".bias");
  c.embedding_norm = shapes.has(stack + ".embedding_norm.weight");
  c.final_norm = shapes.has(stack + ".norm.weight");
  if (shapes.has(stack + ".position_embedding.weight")) {
    c.positions = transformer::Positions::learned;
    c.length = shapes.size(stack + ".position_embedding.weight", 0, 2);
  }
  c.tied = !shapes.has("head.weight");
  return c;
}

std::vector<double> values_in(const std::filesystem::path& path, const transformer::Layout& layout) {
  std::vector<double> values(static_cast<std::size_t>(layout.size()));
  for (const transformer::NamedSlot& array : layout.arrays()) {
    const tensor::Array read = file::read_safetensors(path, array.name);
    if (read.shape != array.shape)
      throw Failure(about(Subject::Kind::file, path.string())
                        .fault("{} has {} numbers, where the model has {}", array.name, read.values.size(),
                               array.slot.size()));
    if (!within_reach(read.values)) throw Failure(beyond_reach().within(in_file(path.string())));
    std::ranges::copy(read.values, array.slot.numbers(std::span(values)).begin());
  }
  return values;
}

}  // namespace orrery::study::block_walk
