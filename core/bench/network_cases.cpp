// What stands around attention in a block: look-ups, gated units, feed-forward networks, logits.
#include <cmath>

#include "core/activation/feed_forward.h"
#include "core/activation/glu.h"
#include "core/bench/case_parts.h"
#include "core/embedding/embedding.h"
#include "core/embedding/unembedding.h"
#include "core/gpu/device.h"

namespace orrery::bench {
namespace {

double floats_of(Index count) {
  return sizeof(float) * static_cast<double>(count);
}

Case glu_case(const std::string& device, Index rows, Index cols) {
  const auto b = std::make_shared<Buffers>(rows, 2 * cols);
  const auto y = std::make_shared<AlignedFloats>(rows * cols);
  const View<float> out(y->data(), rows, cols);
  activation::GluParams params;
  params.gate = activation::Kind::silu;
  Case c{"glu",
         shape_of(rows, 2 * cols) + " swiglu",
         device,
         floats_of(3 * rows * cols),
         0,
         [=, gpu = device == "gpu"] {
           static_cast<void>(y);  // kept alive
           if (gpu)
             activation::glu_gpu(gpu::Device::of_this_thread(), b->in(), params, out);
           else
             activation::glu_cpu<float>(b->in(), params, out);
         }};
  c.inputs = {b->input()};
  c.output = {y->data(), static_cast<std::size_t>(out.size())};
  return c;
}

/// Words in an order that no cache foresees. What is counted: rows read, rows written.
Case embedding_case(const std::string& device, Index words, Index tokens, Index width) {
  const auto table = shared_normals(words, width, 1);
  const auto y = std::make_shared<AlignedFloats>(tokens * width);
  std::vector<Index> ids;
  for (Index t = 0; t < tokens; ++t) ids.push_back(t * 7919 % words);
  const View<float> out(y->data(), tokens, width);
  Case c{"embedding",
         std::to_string(words) + " words, " + shape_of(tokens, width),
         device,
         floats_of(2 * tokens * width),
         0,
         [=, gpu = device == "gpu"] {
           static_cast<void>(y);
           if (gpu)
             embedding::embedding_gpu(gpu::Device::of_this_thread(), ids, *table, embedding::Scale::none,
                                      out);
           else
             embedding::embedding_cpu<float>(ids, *table, embedding::Scale::none, out);
         }};
  c.inputs = {all_of(*table)};
  c.output = {y->data(), static_cast<std::size_t>(out.size())};
  return c;
}

/// An op that arithmetic limits: `call(y)` writes tokens × width.
Case product_case(std::string op, std::string shape, const std::string& device, double bytes, double flops,
                  Index tokens, Index width, std::function<void(View<float> y)> call) {
  const auto y = std::make_shared<Floats>(Floats::Zero(tokens, width));
  Case c{std::move(op), std::move(shape), device, bytes, flops, [y, call] { call(*y); }};
  c.arithmetic = true;
  c.output = all_of(*y);
  return c;
}

Case unembedding_case(const std::string& device, Index words, Index tokens, Index width) {
  const auto table = shared_normals(words, width, 1), x = shared_normals(tokens, width, 2);
  Case c = product_case("unembedding", std::to_string(words) + " words, " + shape_of(tokens, width), device,
                        floats_of(words * width + tokens * (width + words)),
                        2 * static_cast<double>(words) * static_cast<double>(tokens * width), tokens, words,
                        [=, gpu = device == "gpu"](View<float> y) {
                          if (gpu)
                            embedding::unembedding_gpu(gpu::Device::of_this_thread(), *x, *table, y);
                          else
                            embedding::unembedding_cpu<float>(*x, *table, y);
                        });
  c.inputs = {all_of(*x), all_of(*table)};
  return c;
}

/// Weights small enough that results stay near 1.
std::shared_ptr<Floats> weights(Index rows, Index cols, std::uint64_t seed) {
  return shared_normals(rows, cols, seed, 1 / std::sqrt(static_cast<float>(rows)));
}

Case feed_forward_case(const std::string& device, Index tokens, Index width, Index hidden) {
  const auto x = shared_normals(tokens, width, 1), w1 = weights(width, hidden, 2),
             w2 = weights(hidden, width, 3);
  Case c = product_case("feed_forward", shape_of(tokens, width) + ", F " + std::to_string(hidden) + " gelu",
                        device, floats_of(2 * tokens * width + 2 * width * hidden),
                        4 * static_cast<double>(tokens) * static_cast<double>(width * hidden), tokens, width,
                        [=, gpu = device == "gpu"](View<float> y) {
                          const activation::FeedForwardWeights<float> w{.w1 = *w1, .w2 = *w2};
                          if (gpu)
                            activation::feed_forward_gpu(gpu::Device::of_this_thread(), *x, w,
                                                         activation::Kind::gelu, y);
                          else
                            activation::feed_forward_cpu<float>(*x, w, activation::Kind::gelu, y);
                        });
  c.inputs = {all_of(*x), all_of(*w1), all_of(*w2)};
  return c;
}

Case gated_feed_forward_case(const std::string& device, Index tokens, Index width, Index hidden) {
  const auto x = shared_normals(tokens, width, 1), gate = weights(width, hidden, 2),
             up = weights(width, hidden, 3), down = weights(hidden, width, 4);
  Case c = product_case(
      "gated_feed_forward", shape_of(tokens, width) + ", F " + std::to_string(hidden) + " silu", device,
      floats_of(2 * tokens * width + 3 * width * hidden),
      6 * static_cast<double>(tokens) * static_cast<double>(width * hidden), tokens, width,
      [=, gpu = device == "gpu"](View<float> y) {
        const activation::GatedFeedForwardWeights<float> w{.gate = *gate, .up = *up, .down = *down};
        if (gpu)
          activation::gated_feed_forward_gpu(gpu::Device::of_this_thread(), *x, w, activation::Kind::silu, y);
        else
          activation::gated_feed_forward_cpu<float>(*x, w, activation::Kind::silu, y);
      });
  c.inputs = {all_of(*x), all_of(*gate), all_of(*up), all_of(*down)};
  return c;
}

}  // namespace

void plan_networks(Plan& plan) {
  const bool small = plan.small;
  const Index large = small ? 512 : 4096;
  plan.add("glu", [=, d = plan.device] { return glu_case(d, large, large); });
  plan.add("glu", [=, d = plan.device] { return glu_case(d, 512, 768); });
  plan.add("feed_forward", [=, d = plan.device] {
    return small ? feed_forward_case(d, 64, 128, 512) : feed_forward_case(d, 512, 768, 3072);
  });
  plan.add("gated_feed_forward", [=, d = plan.device] {
    return small ? gated_feed_forward_case(d, 64, 128, 384) : gated_feed_forward_case(d, 512, 768, 2048);
  });
  plan.add("embedding", [=, d = plan.device] {
    return small ? embedding_case(d, 4096, 512, 512) : embedding_case(d, 50257, 4096, 768);
  });
  plan.add("unembedding", [=, d = plan.device] {
    return small ? unembedding_case(d, 1024, 64, 128) : unembedding_case(d, 50257, 64, 768);
  });
}

}  // namespace orrery::bench
