// The steps of attention on arrays that stay on the graphics device from one to the next.
#pragma once

#include <string>
#include <vector>

#include "core/attention/attention.h"
#include "core/gpu/buffer.h"

namespace orrery::gpu {
class Device;
class Program;
}  // namespace orrery::gpu

namespace orrery::attention {

/// The program of a shader that includes lib/mask.glsl, told what the mask hides; `defines` are its own.
const gpu::Program& masked_program(gpu::Device&, std::string_view shader, const ScoresParams&,
                                   tensor::Index queries, tensor::Index keys,
                                   std::span<const std::string> defines = {});
/// What that shader reads at slot 3.
gpu::Buffer keys_on_device(const ScoresParams&);

/// T × S. Neither may be 0.
gpu::Buffer scores_on_device(gpu::Device&, tensor::View<const float> q, tensor::View<const float> k,
                             const ScoresParams&, tensor::View<const float> bias);

/// The weights, or of each row the logarithm of its sum.
enum class SoftmaxOutput { weights, lse };
/// y may not be x.
void softmax_on_device(gpu::Device&, const gpu::Buffer& x, tensor::Index rows, tensor::Index cols,
                       const SoftmaxParams&, const gpu::Buffer& y, SoftmaxOutput = SoftmaxOutput::weights);

}  // namespace orrery::attention
