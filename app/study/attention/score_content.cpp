#include "app/study/attention/score_content.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "app/study/kit/numbers.h"
#include "app/study/kit/words.h"
#include "app/study/reading.h"
#include "core/tensor/random.h"

namespace orrery::study::attention_scores {

using parameter::Settings;
using tensor::Index;
using tensor::Random;
using twin::Matrix;

namespace {

constexpr std::size_t most_words_read = 512;

/// Streams of the seed, so that none is drawn from twice.
enum Stream : std::uint32_t {
  for_queries,
  for_keys,
  for_values,
  for_basis,
  for_table,
  for_w_q,
  for_w_k,
  for_w_v,
  for_positions,
  for_topics = 64
};

/// Both share one half of their length, and have one half of their own.
Matrix half_shared(const Matrix& shared, const Matrix& own) {
  return (shared + own) / std::numbers::sqrt2;
}

std::uint64_t seed_of_word(const Settings& settings, const std::string& word) {
  return seed_of(settings) ^ number_of_word(word);
}

/// Of the query and of the key of a word one half of the length is its own and the same in both, and one half is each one's:
/// what is alike finds itself.
void fill_words(ScoreContent& c, const Settings& settings) {
  const Index width = c.width();
  for (Index m = 0; m < c.length(); ++m) {
    const std::uint64_t own = seed_of_word(settings, c.words[static_cast<std::size_t>(m)]);
    const Matrix meaning = Random(own, 0).normals(1, width);
    c.q.row(m) = half_shared(meaning, Random(own, 1).normals(1, width));
    c.k.row(m) = half_shared(meaning, Random(own, 2).normals(1, width));
    c.v.row(m) = Random(own, 3).normals(1, width);
  }
  c.before = c.v;
}

void fill_embedded(ScoreContent& c, const Settings& settings, const Matrix& positions) {
  const Index width = c.width();
  c.before = Matrix(c.length(), width);
  for (Index m = 0; m < c.length(); ++m)
    c.before.row(m) =
        Random(seed_of_word(settings, c.words[static_cast<std::size_t>(m)]), for_table).normals(1, width);
  const Matrix x = positions.size() > 0 ? Matrix(c.before + positions) : c.before;
  const auto projected = [&](Stream stream) -> Matrix {
    return x * Random(seed_of(settings), stream).normals(width, width) / std::sqrt(number(width));
  };
  c.q = projected(for_w_q);
  c.k = projected(for_w_k);
  c.v = projected(for_w_v);
}

void fill_low_rank(ScoreContent& c, const Settings& settings) {
  const std::uint64_t seed = seed_of(settings);
  const Index rank = std::min<Index>(settings.integer("rank"), c.width());
  const Matrix shared = Random(seed, for_basis).normals(rank, c.width()) / std::sqrt(number(rank));
  c.q = Random(seed, for_queries).normals(c.length(), rank) * shared;
  c.k = Random(seed, for_keys).normals(c.length(), rank) * shared;
}

void fill_topics(ScoreContent& c, const Settings& settings) {
  const Index count = settings.integer("topics");
  for (Index m = 0; m < c.length(); ++m) {
    const auto topic = static_cast<std::uint32_t>(for_topics + m / topic_run % count);
    const Matrix shared = Random(seed_of(settings), topic).normals(1, c.width());
    c.q.row(m) = half_shared(shared, c.q.row(m));
    c.k.row(m) = half_shared(shared, c.k.row(m));
  }
}

/// As many tokens as are asked for, the last ones where the files have no more.
ScoreContent read_head(const Settings& settings) {
  HeadFiles files = open_head_files(settings);
  const Index count = std::min<Index>(settings.integer("length"), files.tokens()),
              first = std::min<Index>(settings.integer("first"), files.tokens() - count);
  ScoreContent c;
  c.q = files.q.rows(first, count);
  c.k = files.k.rows(first, count);
  c.v = files.v ? files.v->rows(first, count)
                : Random(seed_of(settings), for_values).normals(count, files.q.width());
  c.before = files.states ? read_states(*files.states, first, count) : c.v;
  c.from = FromFiles{std::move(files), first};
  return c;
}

/// On a thread that may be left behind.
ScoreContent read_head_patiently(const Settings& settings, const Run& run) {
  const char* first = settings.choice("content") == "files" ? "q_file" : "hidden";
  return read_patiently(run.stop, settings.file(first), [settings] { return read_head(settings); });
}

Index length_asked(const Settings& settings, const std::vector<std::string>& words) {
  return words.empty() ? settings.integer("length") : std::ssize(words);
}

}  // namespace

std::vector<std::string> words_at(const Settings& settings) {
  const std::string& content = settings.choice("content");
  if (content != "words" && content != "embedded") return {};
  return words_in(settings, "text", most_words_read);
}

ScoreContent content_of(const Settings& settings, const Run& run) {
  ScoreContent c;
  if (has_head_files(settings)) {
    c = read_head_patiently(settings, run);
  } else {
    c.words = words_at(settings);
    const std::uint64_t seed = seed_of(settings);
    const Index tokens = length_asked(settings, c.words), components = settings.integer("head_width");
    c.q = Random(seed, for_queries).normals(tokens, components);
    c.k = Random(seed, for_keys).normals(tokens, components);
    c.v = c.before = Random(seed, for_values).normals(tokens, components);
  }
  const std::string& content = settings.choice("content");
  const Index length = c.length(), width = c.width();
  Matrix positions;
  if (settings.choice("positions") == "sinusoidal")
    positions = twin::sinusoidal(run, length, width, {.base = settings.real("base")});
  if (settings.choice("positions") == "learned")
    positions = Random(seed_of(settings), for_positions).normals(length, width) / std::numbers::sqrt2;
  if (content == "embedded") {
    fill_embedded(c, settings, positions);
  } else {
    if (content == "words") fill_words(c, settings);
    if (content == "low_rank") fill_low_rank(c, settings);
    if (content == "topics") fill_topics(c, settings);
    // The same vector for all queries and keys, so that only positions make a difference.
    if (content == "alike") c.q = c.k = Random(seed_of(settings)).normals(1, width).replicate(length, 1);
    if (positions.size() > 0) c.q += positions, c.k += positions;
  }
  for (Matrix* each : {&c.q, &c.k, &c.v, &c.before}) *each = twin::rounded(*each);
  return c;
}

}  // namespace orrery::study::attention_scores
