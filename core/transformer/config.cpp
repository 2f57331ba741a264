#include "core/transformer/config.h"

#include "core/tensor/error.h"

namespace orrery::transformer {
namespace {

void at_least(std::string_view name, Index found, Index least) {
  if (found < least) throw InvalidArgument(about(name).found(found).allowed("{} or more", least));
}

void multiple(std::string_view name, Index found, Index of) {
  if (found % of != 0) throw InvalidArgument(about(name).fault("{} is not a multiple of {}", found, of));
}

bool has_encoder_and_decoder(const Config& config) {
  return config.family == Family::encoder_decoder;
}

StackConfig stack_config(const Config& config, bool causal, Index layers, double alpha) {
  StackConfig stack;
  stack.width = config.width;
  stack.layers = layers;
  stack.scaled_embedding = config.scaled_embedding;
  stack.length = config.length;
  stack.embedding_norm = config.embedding_norm;
  stack.final_norm = config.final_norm.value_or(ends_unnormed(config.placement));

  AttentionConfig attention;
  attention.width = attention.memory_width = config.width;
  attention.heads = config.heads;
  attention.key_value_heads = config.key_value_heads;
  attention.head_width = config.head_width;
  attention.bias = config.bias;
  attention.qk_norm = config.qk_norm;
  attention.norm = config.norm;
  attention.scale = config.score_scale;
  attention.cap = config.score_cap;
  attention.log_n = config.score_log_n;
  if (causal) attention.mask.kind = attention::Mask::Kind::causal;
  if (causal && config.window > 0)
    attention.mask = {.kind = attention::Mask::Kind::sliding, .window = config.window};

  stack.block = {.placement = config.placement,
                 .alpha = alpha,
                 .norm = config.norm,
                 .attention = attention,
                 .cross = causal && has_encoder_and_decoder(config),
                 .feed_forward = {.width = config.width,
                                  .hidden = config.hidden,
                                  .activation = config.activation,
                                  .gated = config.gated,
                                  .bias = config.bias}};

  const auto direction = causal ? position::Direction::causal : position::Direction::bidirectional;
  stack.bias.t5 = {
      .num_buckets = config.t5_buckets, .max_distance = config.t5_distance, .direction = direction};
  stack.bias.fire = config.fire;
  stack.bias.fire.direction = direction;
  stack.bias.fire_width = config.fire_width;
  stack.bias.fire_deep = config.fire_deep;
  switch (config.positions) {
    case Positions::none:
      break;
    case Positions::learned:
      stack.positions = PositionTable::learned;
      break;
    case Positions::sinusoidal:
      stack.positions = PositionTable::sinusoidal;
      break;
    case Positions::rope:
      stack.rotation = config.rope;
      break;
    case Positions::alibi:
      stack.bias.kind = BiasKind::alibi;
      break;
    case Positions::t5:
      stack.bias.kind = BiasKind::t5;
      break;
    case Positions::fire:
      stack.bias.kind = BiasKind::fire;
      break;
  }
  return stack;
}

}  // namespace

void check_config(const Config& given) {
  const auto sizes = {std::pair{"vocabulary", given.vocabulary}, std::pair{"length", given.length},
                      std::pair{"width", given.width}, std::pair{"heads", given.heads},
                      std::pair{"hidden", given.hidden}};
  for (const auto& [name, found] : sizes) at_least(name, found, 1);
  const auto may_be_zero = {std::pair{"layers", given.layers},
                            std::pair{"encoder_layers", given.encoder_layers},
                            std::pair{"key_value_heads", given.key_value_heads},
                            std::pair{"head_width", given.head_width}, std::pair{"window", given.window}};
  for (const auto& [name, found] : may_be_zero) at_least(name, found, 0);
  // Of no decoder layers β of the encoder would be ∞.
  if (given.placement == Placement::deep_norm && has_encoder_and_decoder(given))
    at_least("layers", given.layers, 1);
  if (given.head_width == 0) multiple("width", given.width, given.heads);
  const Config config = resolved(given);
  multiple("heads", config.heads, config.key_value_heads);
  if (config.positions == Positions::sinusoidal) multiple("width", config.width, 2);
  if (config.positions == Positions::rope) {
    const Index turned = config.rope.frequencies.empty()
                             ? (config.rope.width > 0 ? config.rope.width : config.head_width)
                             : 2 * static_cast<Index>(config.rope.frequencies.size());
    const char* const name = config.rope.width > 0 ? "rope_width" : "head_width";
    multiple(name, turned, 2);
    if (turned > config.head_width)
      throw InvalidArgument(about(name).found(turned).allowed("up to {}", config.head_width));
  }
  if (config.positions == Positions::t5) {
    const position::T5Names names{.buckets = "t5_buckets", .distance = "t5_distance"};
    if (config.family != Family::decoder) position::check_t5_buckets(encoder_config(config).bias.t5, names);
    if (config.family != Family::encoder) position::check_t5_buckets(decoder_config(config).bias.t5, names);
  }
  if (config.positions == Positions::fire) {
    at_least("fire_width", config.fire_width, 1);
    position::check_fire(config.fire);
  }
  attention::check_scores({.cap = config.score_cap, .log_n = config.score_log_n}, 0);
  const bool parallel =
      config.placement == Placement::parallel || config.placement == Placement::parallel_one_norm;
  if (parallel && has_encoder_and_decoder(config))
    throw InvalidArgument(about("placement").fault("parallel has no place for attention to an encoder"));
}

Config resolved(Config config) {
  if (config.encoder_layers == 0) config.encoder_layers = config.layers;
  if (config.key_value_heads == 0) config.key_value_heads = config.heads;
  if (config.head_width == 0) config.head_width = config.width / config.heads;
  return config;
}

DeepNorm encoder_deep_norm(const Config& config) {
  if (config.placement != Placement::deep_norm) return {1, 1};
  return has_encoder_and_decoder(config) ? deep_norm_encoder(config.encoder_layers, config.layers)
                                         : deep_norm(config.layers);
}

DeepNorm decoder_deep_norm(const Config& config) {
  if (config.placement != Placement::deep_norm) return {1, 1};
  return has_encoder_and_decoder(config) ? deep_norm_decoder(config.layers) : deep_norm(config.layers);
}

StackConfig encoder_config(const Config& config) {
  const Index layers = has_encoder_and_decoder(config) ? config.encoder_layers : config.layers;
  return stack_config(config, false, layers, encoder_deep_norm(config).alpha);
}

StackConfig decoder_config(const Config& config) {
  return stack_config(config, true, config.layers, decoder_deep_norm(config).alpha);
}

}  // namespace orrery::transformer
