#include "app/study/block/walk_asked.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "app/study/block/walk_file.h"
#include "app/study/kit/numbers.h"
#include "app/study/kit/words.h"
#include "core/tensor/error.h"
#include "core/transformer/initialise.h"

namespace orrery::study::block_walk {
namespace {

using parameter::Settings;
using transformer::Config;
using transformer::Family;
using transformer::NormKind;
using transformer::Placement;
using transformer::Positions;

constexpr const char *padding_word = "<pad>", *end_word = "</s>";
constexpr Index bytes = 256;  // a vocabulary of so many, and more, is one of bytes

/// What stands beside a choice; the first where none does.
template <class T>
T named(const std::string& choice, std::initializer_list<std::pair<const char*, T>> all) {
  for (const auto& [name, value] : all)
    if (choice == name) return value;
  return all.begin()->second;
}

Config sized(const Settings& settings) {
  Config c;
  c.width = std::stol(settings.choice("width"));
  c.layers = settings.integer("layers");
  c.heads = std::min<Index>(std::stol(settings.choice("heads")), c.width / 2);  // a head has a pair to turn
  c.hidden = settings.integer("hidden");
  return c;
}

/// Vaswani et al. 2017: one table of tokens for both stacks and the logits, times √D.
Config original(const Settings& settings) {
  Config c = sized(settings);
  c.family = Family::encoder_decoder;
  c.placement = Placement::post;
  c.norm = {.kind = NormKind::layer, .eps = 1e-5, .bias = true};
  c.activation = activation::Kind::relu;
  c.positions = Positions::sinusoidal;
  c.scaled_embedding = true;
  return c;
}

Index shared_heads(const Settings& settings, Index heads) {
  return std::max<Index>(1, heads / std::stol(settings.choice("shared_by")));
}

/// Touvron et al. 2023; grouped heads are those of its second paper. Its pairs are neighbours.
Config llama(const Settings& settings) {
  Config c = sized(settings);
  c.placement = Placement::pre;
  c.norm = {.kind = NormKind::rms, .eps = 1e-6, .bias = false};
  c.key_value_heads = shared_heads(settings, c.heads);
  c.activation = activation::Kind::silu;
  c.gated = true;
  c.bias = false;
  c.positions = Positions::rope;
  c.rope.layout = position::RopeLayout::interleaved;
  c.tied = false;
  return c;
}

Config custom(const Settings& settings) {
  Config c = sized(settings);
  c.placement =
      named<Placement>(settings.choice("placement"), {{"post", Placement::post},
                                                      {"pre", Placement::pre},
                                                      {"sandwich", Placement::sandwich},
                                                      {"output", Placement::output},
                                                      {"deep_norm", Placement::deep_norm},
                                                      {"parallel", Placement::parallel},
                                                      {"parallel_one_norm", Placement::parallel_one_norm}});
  c.family = named<Family>(settings.choice("family"), {{"encoder_decoder", Family::encoder_decoder},
                                                       {"decoder", Family::decoder},
                                                       {"encoder", Family::encoder}});
  const bool parallel = c.placement == Placement::parallel || c.placement == Placement::parallel_one_norm;
  if (parallel && c.family == Family::encoder_decoder) c.family = Family::decoder;
  const bool rms = settings.choice("norm") == "rms_norm";
  c.norm = {.kind = rms ? NormKind::rms : NormKind::layer, .eps = rms ? 1e-6 : 1e-5, .bias = !rms};
  c.key_value_heads = shared_heads(settings, c.heads);
  const std::string& network = settings.choice("network");
  c.gated = network == "swiglu";
  c.activation = c.gated             ? activation::Kind::silu
                 : network == "gelu" ? activation::Kind::gelu
                                     : activation::Kind::relu;
  c.positions = named<Positions>(settings.choice("positions"), {{"sinusoidal", Positions::sinusoidal},
                                                                {"learned", Positions::learned},
                                                                {"rope", Positions::rope},
                                                                {"rope_half", Positions::rope},
                                                                {"alibi", Positions::alibi},
                                                                {"none", Positions::none}});
  c.rope.layout = settings.choice("positions") == "rope_half" ? position::RopeLayout::half
                                                              : position::RopeLayout::interleaved;
  c.scaled_embedding = c.positions == Positions::sinusoidal || c.positions == Positions::learned;
  return c;
}

/// Words as ids of a vocabulary that grows with them.
std::vector<Index> ids_of(const std::vector<std::string>& words, std::vector<std::string>& vocabulary) {
  std::vector<Index> ids;
  for (const std::string& word : words) {
    const auto known = std::ranges::find_if(
        vocabulary, [&](const std::string& other) { return uncapitalised(other) == uncapitalised(word); });
    ids.push_back(known - vocabulary.begin());
    if (known == vocabulary.end()) vocabulary.push_back(word);
  }
  return ids;
}

/// What a file's tokens are called: bytes by their letter, all others by their number.
std::vector<std::string> names_of_tokens(Index count) {
  std::vector<std::string> names;
  for (Index id = 0; id < count; ++id) {
    const bool letter = count >= bytes && id > ' ' && id < 127;
    names.push_back(letter                        ? std::string(1, static_cast<char>(id))
                    : count >= bytes && id == ' ' ? "␣"
                                                  : std::to_string(id));
  }
  return names;
}

std::optional<Index> number_in(std::string_view word) {
  Index number = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
  return fault == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

/// Of a file's vocabulary: numbers as they are typed; where it is one of bytes, those of the text.
std::vector<Index> ids_of_file(const Settings& settings, const char* name, Index vocabulary) {
  std::vector<Index> ids;
  for (const std::string& word : words_in(settings, name, most_words)) {
    const std::optional<Index> id = number_in(word);
    if (!id || *id < 0 || *id >= vocabulary) {
      ids.clear();
      break;
    }
    ids.push_back(*id);
  }
  if (!ids.empty()) return ids;
  if (vocabulary < bytes)
    throw InvalidArgument(
        about(Subject::Kind::parameter, name)
            .found(settings.text(name))
            .allowed("whole numbers from 0 to {}: the file's tokens have no words", vocabulary - 1));
  for (const char c : settings.text(name).substr(0, most_words)) ids.push_back(static_cast<unsigned char>(c));
  return ids;
}

std::vector<std::string> words_of(const std::vector<Index>& ids, const std::vector<std::string>& vocabulary) {
  std::vector<std::string> words;
  for (const Index id : ids) words.push_back(vocabulary[static_cast<std::size_t>(id)]);
  return words;
}

/// So many tokens more that are none.
std::vector<std::uint8_t> pad(std::vector<Index>& ids, Index count) {
  std::vector<std::uint8_t> flags(ids.size(), 1);
  flags.resize(ids.size() + static_cast<std::size_t>(count), 0);
  ids.resize(flags.size(), 0);
  return count > 0 ? flags : std::vector<std::uint8_t>{};
}

/// A learned table of places has so many rows, be it a file's.
void check_places(const Config& config, const char* name, Index tokens) {
  if (config.positions == Positions::learned && tokens > config.length)
    throw InvalidArgument(about(Subject::Kind::parameter, name)
                              .found(tokens)
                              .fault("{} tokens", tokens)
                              .allowed("up to {}", config.length));
}

Model model_of(const Settings& settings, std::string name, Config config, const std::string& file) {
  Model m;
  m.name = std::move(name);
  m.config = std::move(config);
  m.from_file = !file.empty();
  if (m.from_file) {
    m.config.heads = std::stol(settings.choice("heads"));  // of the file's width, whatever else is chosen
    m.config = config_in(file, m.config);
  }
  const bool both = m.has_both();
  std::vector<Index> sentence, target;
  if (file.empty()) {
    m.vocabulary = {padding_word, end_word};
    sentence = ids_of(words_in(settings, "sentence", most_words), m.vocabulary);
    if (both) target = ids_of(words_in(settings, "target", most_words), m.vocabulary);
    m.config.vocabulary = std::ssize(m.vocabulary);
  } else {
    m.vocabulary = names_of_tokens(m.config.vocabulary);
    sentence = ids_of_file(settings, "sentence", m.config.vocabulary);
    if (both) target = ids_of_file(settings, "target", m.config.vocabulary);
  }
  m.last = std::ssize(both ? target : sentence) - 1;
  const std::vector<std::uint8_t> flags = pad(sentence, settings.integer("padding"));
  m.batch.sequences = 1;
  m.batch.tokens = both ? target : sentence;
  m.batch.length = std::ssize(m.batch.tokens);
  m.batch.targets.assign(m.batch.tokens.size(), transformer::no_target);
  if (both) {
    m.batch.source = sentence;
    m.batch.source_length = std::ssize(sentence);
    m.batch.source_padding = flags;
    m.source = words_of(sentence, m.vocabulary);
  } else {
    m.batch.padding = flags;
  }
  m.words = words_of(m.batch.tokens, m.vocabulary);
  if (m.from_file) {
    check_places(m.config, "sentence", std::ssize(sentence));
    if (both) check_places(m.config, "target", std::ssize(target));
  }
  if (file.empty()) m.config.length = std::max(m.batch.length, m.batch.source_length);
  m.config = transformer::resolved(m.config);
  const transformer::Transformer<double> net(m.config);
  // Scaled by √D or not, an embedding's numbers then have variance 1.
  const double row = m.config.scaled_embedding ? 1 / std::sqrt(number(m.config.width)) : 1;
  m.values = file.empty() ? transformer::initial_values(net,
                                                        {.spread = transformer::Spread::xavier_uniform,
                                                         .embedding_deviation = row,
                                                         .into_stream = transformer::IntoStream::as_others},
                                                        seed_of(settings))
                          : values_in(file, net.layout());
  return m;
}

}  // namespace

Asked asked_of(const Settings& settings) {
  Asked asked;
  const std::string& model = settings.choice("model");
  if (model == "original" || model == "both")
    asked.models.push_back(model_of(settings, "original", original(settings), {}));
  if (model == "llama" || model == "both")
    asked.models.push_back(model_of(settings, "llama", llama(settings), {}));
  if (model == "custom")
    asked.models.push_back(model_of(settings, "custom", custom(settings), settings.file("weights")));
  asked.part = settings.choice("part");
  asked.layer = settings.integer("layer") - 1;
  asked.head = settings.integer("head") - 1;
  return asked;
}

}  // namespace orrery::study::block_walk
