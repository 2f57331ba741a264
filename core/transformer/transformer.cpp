#include "core/transformer/transformer.h"

#include <algorithm>

#include "core/tensor/error.h"

namespace orrery::transformer {
namespace {

Tokens tokens_of(const Batch& batch) {
  return {batch.sequences, batch.length, batch.tokens, batch.padding};
}

Tokens source_of(const Batch& batch) {
  return {batch.sequences, batch.source_length, batch.source, batch.source_padding};
}

void check_count(std::string_view name, std::size_t found, Index wanted) {
  if (static_cast<Index>(found) != wanted)
    throw InvalidArgument(about(name).found(found).allowed("{}, one for each token of the batch", wanted));
}

void at_least(std::string_view name, Index found, Index least) {
  if (found < least) throw InvalidArgument(about(name).found(found).allowed("{} or more", least));
}

void check_ids(std::string_view name, std::span<const Index> ids, Index least, Index vocabulary) {
  const auto wrong_one = std::ranges::find_if(ids, [&](Index id) { return id < least || id >= vocabulary; });
  if (wrong_one != ids.end())
    throw InvalidArgument(
        about(name).found(*wrong_one).allowed("whole numbers from {} to {}", least, vocabulary - 1));
}

void check_tokens(std::string_view name, const Tokens& tokens, const Config& config) {
  const Index count = tokens.sequences * tokens.length;
  check_count(name, tokens.ids.size(), count);
  if (!tokens.padding.empty()) check_count("padding", tokens.padding.size(), count);
  check_ids(name, tokens.ids, 0, config.vocabulary);
  if (config.positions == Positions::learned && tokens.length > config.length)
    throw InvalidArgument(about("length").found(tokens.length).allowed("up to {}", config.length));
}

/// y = x tableᵀ
template <class T>
Linear<T> head_map(Slot table) {
  return {.weight = table, .bias = {}};
}

}  // namespace

template <class T>
Transformer<T>::Transformer(const Config& config) {
  check_config(config);
  config_ = resolved(config);
  table_ = layout_.matrix("token_embedding.weight", config_.vocabulary, config_.width, Role::embedding);
  if (config_.family != Family::decoder)
    encoder_ = Stack<T>::make(layout_, "encoder", encoder_config(config_));
  if (config_.family != Family::encoder)
    decoder_ = Stack<T>::make(layout_, "decoder", decoder_config(config_));
  if (!config_.tied) head_ = layout_.matrix("head.weight", config_.vocabulary, config_.width, Role::head);
}

template <class T>
void Transformer<T>::check(const Batch& batch) const {
  at_least("sequences", batch.sequences, 0);
  at_least("length", batch.length, 0);
  // What attends to an encoder has something there to attend to.
  if (config_.family == Family::encoder_decoder)
    at_least("source_length", batch.source_length, batch.tokens.empty() ? 0 : 1);
  check_tokens("tokens", tokens_of(batch), config_);
  check_count("targets", batch.targets.size(), batch.sequences * batch.length);
  check_ids("targets", batch.targets, no_target, config_.vocabulary);
  if (config_.family == Family::encoder_decoder) check_tokens("source", source_of(batch), config_);
}

template <class T>
void Transformer<T>::forward(Values<T> values, const Batch& batch, Tape<T>& tape) const {
  check(batch);
  const Tokens tokens = tokens_of(batch), source = source_of(batch);
  View<const T> result;
  if (config_.family == Family::encoder) {
    encoder_.forward(values, table_, tokens, {}, {}, tape.encoder);
    result = encoder_.result(tape.encoder);
  } else {
    View<const T> memory;
    if (config_.family == Family::encoder_decoder) {
      encoder_.forward(values, table_, source, {}, {}, tape.encoder);
      memory = encoder_.result(tape.encoder);
    }
    decoder_.forward(values, table_, tokens, source, memory, tape.decoder);
    result = decoder_.result(tape.decoder);
  }
  head_map<T>(head()).forward(values, result, room(tape.logits, result.rows, config_.vocabulary));
}

template <class T>
double Transformer<T>::loss(const Batch& batch, Tape<T>& tape) const {
  tape.loss = cross_entropy<T>(tape.logits, batch.targets,
                               room(tape.probabilities, tape.logits.rows(), tape.logits.cols()));
  return tape.loss.mean;
}

template <class T>
void Transformer<T>::backward(Values<T> values, const Batch& batch, Tape<T>& tape,
                              Gradient<T> gradient) const {
  const Tokens tokens = tokens_of(batch), source = source_of(batch);
  const bool is_encoder = config_.family == Family::encoder;
  const View<const T> result = is_encoder ? encoder_.result(tape.encoder) : decoder_.result(tape.decoder);
  const View<T> dlogits = room(tape.dlogits, tape.logits.rows(), tape.logits.cols()),
                d = room(tape.dresult, result.rows, result.cols);
  cross_entropy_vjp<T>(tape.probabilities, batch.targets, tape.loss.counted, dlogits);
  head_map<T>(head()).backward(values, result, dlogits, gradient, d);
  if (is_encoder)
    return encoder_.backward(values, table_, tokens, {}, {}, tape.encoder, gradient, tape.scratch, d, {});
  if (config_.family == Family::decoder)
    return decoder_.backward(values, table_, tokens, {}, {}, tape.decoder, gradient, tape.scratch, d, {});

  const View<const T> memory = encoder_.result(tape.encoder);
  const View<T> dmemory = room(tape.dmemory, memory.rows, memory.cols);
  dmemory.eigen().setZero();
  decoder_.backward(values, table_, tokens, source, memory, tape.decoder, gradient, tape.scratch, d, dmemory);
  encoder_.backward(values, table_, source, {}, {}, tape.encoder, gradient, tape.scratch, dmemory, {});
}

template class Transformer<float>;
template class Transformer<double>;

}  // namespace orrery::transformer
