#include "app/study/block/diagram.h"
#include "app/study/block/walk_picture.h"
#include "app/study/kit.h"
#include "app/study/kit/words.h"

namespace orrery::study::block_walk {
namespace {

using diagram::Box;

std::string sentence(const std::vector<std::string>& words) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), most); ++i)
    text += (i > 0 ? " " : "") + as_typed(words[i]);
  return in_quotes(words.size() > most ? text + " …" : text);
}

std::string heads_text(const Walked& w) {
  const transformer::Config& c = w.config();
  std::string text = amount(number(c.heads), "head", "heads");
  if (c.key_value_heads < c.heads) text += ", " + std::to_string(c.key_value_heads) + " of keys";
  return text;
}

std::string network_text(const Walked& w) {
  const transformer::Config& c = w.config();
  const std::string f = c.gated ? "SwiGLU" : c.activation.kind == activation::Kind::relu ? "ReLU" : "GELU";
  return f + ", $F = " + std::to_string(c.hidden) + "$";
}

std::string added_positions(const Walked& w) {
  if (w.config().positions == transformer::Positions::sinusoidal) return "sinusoids";
  if (w.config().positions == transformer::Positions::learned) return "learned rows";
  return {};
}

/// What tells places inside of attention, as a word behind its heads.
std::string turned(const Walked& w) {
  if (w.config().positions == transformer::Positions::rope) return ", RoPE";
  if (w.config().positions == transformer::Positions::alibi) return ", ALiBi";
  return {};
}

diagram::Stack stack_of(const Walked& w, const std::string& name) {
  const bool decodes = name == "decoder", last = name == w.stack();
  diagram::Stack stack{.placement = w.config().placement,
                       .norm = w.config().norm.kind == transformer::NormKind::rms ? "RMSNorm" : "LayerNorm",
                       .repeats = std::to_string(w.layers(name)) + " ×",
                       .prefix = name + "_",
                       .input = sentence(w.words(name)),
                       .positions = added_positions(w),
                       .final_norm = w.has(name + ".out"),
                       .head = last};
  stack.sublayers.push_back(
      {Box::attention, decodes ? "Masked attention" : "Attention",
       // boxes beside each other are narrow
       w.parallel() ? amount(number(w.config().heads), "head", "heads") : heads_text(w) + turned(w),
       name + "_attention"});
  if (decodes && w.model().has_both())
    stack.sublayers.push_back({Box::attention, "Cross-attention", heads_text(w), "decoder_cross", true});
  stack.sublayers.push_back({Box::network, "Feed-forward", network_text(w), name + "_feed_forward"});
  if (last && w.model().decodes())
    stack.output = in_quotes(as_typed(w.model().vocabulary[static_cast<std::size_t>(w.next())]));
  return stack;
}

std::vector<std::string_view> choices_of_part() {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at < all_parts.size();) {
    const std::size_t end = std::min(all_parts.find('|', at), all_parts.size());
    parts.push_back(all_parts.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

std::string name_of(const Model& m) {
  return m.name == "original" ? "The first Transformer, random matrices"
         : m.name == "llama"  ? "LLaMA, random matrices"
         : m.from_file        ? "A Transformer out of a file"
                              : "A Transformer, random matrices";
}

Panel diagram_panel(const Walked& w, const std::string& own_part) {
  std::vector<diagram::Stack> stacks;
  if (w.model().has_both()) stacks.push_back(stack_of(w, "encoder"));
  stacks.push_back(stack_of(w, w.stack()));
  return diagram::panel(
      stacks, {.title = name_of(w.model()),
               .chosen = own_part,
               .parameter = "part",
               .parts = choices_of_part(),
               .hint = "Click: the matrices of this part; once more: its study, with these numbers"});
}

}  // namespace orrery::study::block_walk
