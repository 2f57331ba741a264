// The diagram of a Transformer, as papers draw it: boxes on a stream that runs upwards, each sublayer's residual connection
// beside it, a frame around the block that is repeated. It is drawn from the placement, so that where the norm stands and
// where the residual branches off is what core/transformer/residual.h computes:
//
//   post, deep_norm     ┬ F ⊕ N      the norm stands on the stream; α on the residual of deep_norm
//   pre                 ┬ N F ⊕      nothing stands on the stream
//   sandwich            ┬ N F N ⊕
//   output              ┬ F N ⊕
//   parallel            ┬ N A, N M ⊕  both sublayers read the same stream; parallel_one_norm: one norm for both
//
// A box belongs to a part, which has a name. The chosen one is drawn in the accent colour; where a parameter is named, a click
// on a box chooses its part (app/gui/handles.h: the handle of a choice).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/figure/figure.h"
#include "core/transformer/residual.h"

namespace orrery::study::diagram {

enum class Box { embedding, attention, network, norm, head };

/// What a block computes between two norms: attention or a feed-forward network.
struct Sublayer {
  Box kind = Box::attention;
  std::string name;          ///< "Masked attention"
  std::string detail = {};   ///< a second, smaller line: "2 heads"
  std::string part = {};     ///< its parts are this, and this with _norm and _add behind it
  bool from_memory = false;  ///< its keys and values come from the stack to the left
};

struct Stack {
  transformer::Placement placement = transformer::Placement::post;
  std::string norm = "LayerNorm";
  std::vector<Sublayer> sublayers = {};
  std::string repeats = {};  ///< beside the frame: "6 ×"
  std::string prefix =
      {};  ///< of the parts that are no sublayer's: "encoder_" makes encoder_embedding, encoder_final_norm
  std::string input = {};      ///< below: what is read; empty: the diagram begins with the stream
  std::string positions = {};  ///< what is added to the embedding: "sinusoids"; empty: nothing
  bool final_norm = false;
  bool head = false;        ///< linear map and softmax on top: the parts logits and probabilities
  std::string output = {};  ///< above: what comes out
};

struct Look {
  std::string title = {};
  std::string chosen = {};                   ///< a part
  std::string parameter = {};                ///< the choice that a click sets; empty: nothing to click
  std::vector<std::string_view> parts = {};  ///< its choices, in their order
  std::string hint = {};                     ///< what a click does
};

/// Stacks beside each other, in a panel without axes; of several, the memory goes from the first to those that read it.
figure::Panel panel(const std::vector<Stack>&, const Look&);

}  // namespace orrery::study::diagram
