#include "core/transformer/stack.h"

#include "core/embedding/embedding.h"
#include "core/embedding/embedding_vjp.h"
#include "core/position/sinusoidal.h"

namespace orrery::transformer {

template <class T>
Stack<T> Stack<T>::make(Layout& layout, const std::string& path, const StackConfig& config) {
  Stack stack;
  stack.config = config;
  if (config.positions == PositionTable::learned)
    stack.positions =
        layout.matrix(path + ".position_embedding.weight", config.length, config.width, Role::embedding);
  const NormConfig& norm = config.block.norm;
  if (config.embedding_norm)
    stack.embedding_norm = Norm<T>::make(layout, path + ".embedding_norm", config.width, norm);
  stack.bias =
      PositionBias<T>::make(layout, path + ".position_bias", config.block.attention.heads, config.bias);
  for (Index l = 0; l < config.layers; ++l)
    stack.blocks.push_back(Block<T>::make(layout, path + ".layers." + std::to_string(l), config.block));
  if (config.final_norm) stack.final_norm = Norm<T>::make(layout, path + ".norm", config.width, norm);
  return stack;
}

template <class T>
void Stack<T>::embed(Values<T> values, Slot table, const Tokens& tokens, StackTape<T>& tape) const {
  const View<T> x = room(tape.embedded, tokens.sequences * tokens.length, config.width);
  const auto scale = config.scaled_embedding ? embedding::Scale::sqrt_d : embedding::Scale::none;
  embedding::embedding_cpu<T>(tokens.ids, table.matrix(values), scale, x);
  if (config.positions == PositionTable::sinusoidal && tape.positions.rows() != tokens.length)
    position::sinusoidal_cpu<T>({}, room(tape.positions, tokens.length, config.width));  // else it is there
  if (config.positions == PositionTable::learned)
    room(tape.positions, tokens.length, config.width).eigen() =
        positions.matrix(values).eigen().topRows(tokens.length);
  if (config.positions != PositionTable::none)
    for (Index b = 0; b < tokens.sequences; ++b)
      add<T>(tape.positions, head_of(x, b, tokens.length, 0, config.width));
  if (embedding_norm.exists()) embedding_norm.forward(values, x, room(tape.normed, x.rows, x.cols));
}

template <class T>
View<const T> Stack<T>::embedded(const StackTape<T>& tape) const {
  return embedding_norm.exists() ? tape.normed : tape.embedded;
}

template <class T>
View<const T> Stack<T>::result(const StackTape<T>& tape) const {
  if (final_norm.exists()) return tape.out;
  return blocks.empty() ? embedded(tape) : View<const T>(tape.layers.back().out());
}

template <class T>
BlockInputs<T> Stack<T>::inputs(const Tokens& tokens, const Tokens& of_memory, View<const T> memory,
                                const StackTape<T>& tape) const {
  return {.itself = {.sequences = tokens.sequences,
                     .queries = tokens.length,
                     .keys = tokens.length,
                     .rotation = config.rotation ? &tape.rotation : nullptr,
                     .bias = tape.bias,
                     .padding = tokens.padding},
          .memory = memory,
          .towards_memory = {.sequences = tokens.sequences,
                             .queries = tokens.length,
                             .keys = of_memory.length,
                             .padding = of_memory.padding}};
}

template <class T>
void Stack<T>::forward(Values<T> values, Slot table, const Tokens& tokens, const Tokens& of_memory,
                       View<const T> memory, StackTape<T>& tape) const {
  embed(values, table, tokens, tape);
  if (config.rotation) {
    if (!tape.rotation.exists())
      tape.rotation = Rotation<T>(*config.rotation, config.block.attention.head_width);
    tape.rotation.prepare(tokens.length);
  }
  if (bias.exists()) bias.forward(values, tokens.length, tape.bias);
  const BlockInputs<T> in = inputs(tokens, of_memory, memory, tape);
  tape.layers.resize(blocks.size());
  View<const T> x = embedded(tape);
  for (std::size_t l = 0; l < blocks.size(); ++l) {
    blocks[l].forward(values, x, in, tape.layers[l]);
    x = tape.layers[l].out();
    if (tape.watch.forward) tape.watch.forward(l);
  }
  if (final_norm.exists()) final_norm.forward(values, x, room(tape.out, x.rows, x.cols));
}

template <class T>
void Stack<T>::backward(Values<T> values, Slot table, const Tokens& tokens, const Tokens& of_memory,
                        View<const T> memory, const StackTape<T>& tape, Gradient<T> gradient,
                        StackScratch<T>& scratch, View<T> d, View<T> dmemory) const {
  const auto input_of = [&](std::size_t l) {
    return l == 0 ? embedded(tape) : View<const T>(tape.layers[l - 1].out());
  };
  const auto watched = [&](std::size_t l) {
    if (tape.watch.backward) tape.watch.backward(l, d);
  };
  if (final_norm.exists()) final_norm.backward(values, input_of(blocks.size()), d, gradient, d);
  watched(blocks.size());
  View<T> dbias;
  if (bias.learned()) {
    dbias = room(scratch.dbias, tape.bias.rows(), tape.bias.cols());
    dbias.eigen().setZero();
  }
  const BlockInputs<T> in = inputs(tokens, of_memory, memory, tape);
  for (std::size_t l = blocks.size(); l-- > 0;) {
    blocks[l].backward(values, input_of(l), in, tape.layers[l], gradient, scratch.block, d, dmemory, dbias);
    watched(l);
  }
  if (bias.learned()) bias.backward(values, dbias, gradient);

  if (embedding_norm.exists()) embedding_norm.backward(values, tape.embedded, d, gradient, d);
  if (positions.exists()) {
    const Slot used{positions.offset, tokens.length, positions.cols};
    for (Index b = 0; b < tokens.sequences; ++b)
      add<T>(head_of(d, b, tokens.length, 0, config.width), used.matrix(gradient));
  }
  const auto scale = config.scaled_embedding ? embedding::Scale::sqrt_d : embedding::Scale::none;
  const View<T> dtable = room(scratch.dtable, table.rows, table.cols);
  embedding::embedding_vjp<T>(tokens.ids, d, scale, dtable);
  add<T>(dtable, table.matrix(gradient));
}

template struct Stack<float>;
template struct Stack<double>;

}  // namespace orrery::transformer
