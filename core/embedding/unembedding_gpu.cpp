// The shader of the attention scores: logits are the unscaled scores of tokens against words.
#include "core/attention/scores.h"
#include "core/embedding/unembedding.h"
#include "core/gpu/device.h"

namespace orrery::embedding {

void unembedding_gpu(gpu::Device& device, tensor::View<const float> x, tensor::View<const float> table,
                     tensor::View<float> y) {
  attention::ScoresParams plain;
  plain.scale = 1;
  attention::scores_gpu(device, x, table, plain, y);
}

}  // namespace orrery::embedding
