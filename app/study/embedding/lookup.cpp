// From words to rows: ids pick rows of a table, which is what a product with one-hot rows would compute.
//
//   ids of a batch, [B, T]
//   one-hot, T × V | table, V × D | the rows picked, T × D       the marked token framed in all three
#include "app/study/kit.h"
#include "app/study/kit/words.h"

namespace orrery::study::embedding_lookup {
namespace {

constexpr auto parameters = std::to_array<Parameter>({
    text("text", "Sentence", "The cat sat on the mat", {0, 200},
         "the first of the batch; its first 16 words are used. Upper and lower case are one word"),
    text("second", "Second sentence", "the dog ran", {0, 200},
         "the second of the batch; what is shorter is filled up with [PAD]"),
    whole("width", "Width", "8", {1, 64}, "D: components of a row", {.travel = Travel::powers_of_two}),
    whole("position", "Position", "1", {0, 15}, "of the token of the first sentence that is framed",
          {.unit = "tokens", .plays = true}),
    seed_parameter("another one gives another table"),
    show_parameter("all|ids|matrices"),
});

constexpr std::size_t most_tokens = 16;
constexpr const char* padding = "[PAD]";

/// Two sentences as rows of ids, and the words that ids stand for: [PAD] is 0, the others follow in the order of letters.
struct Batch {
  std::vector<std::vector<Index>> ids;  // of one length
  std::vector<std::string> vocabulary;
  std::size_t length() const { return ids[0].size(); }
};

std::vector<std::string> tokens_of(const std::string& typed) {
  std::vector<std::string> tokens;
  for (const std::string& word : words_in(typed))
    if (tokens.size() < most_tokens) tokens.push_back(uncapitalised(word));
  if (tokens.empty()) tokens.emplace_back(padding);
  return tokens;
}

Batch batch_of(const Settings& settings) {
  std::array sentences{tokens_of(settings.text("text")), tokens_of(settings.text("second"))};
  Batch batch;
  for (auto& tokens : sentences) {
    tokens.resize(std::max(sentences[0].size(), sentences[1].size()), padding);
    batch.vocabulary.insert(batch.vocabulary.end(), tokens.begin(), tokens.end());
  }
  batch.vocabulary.emplace_back(padding);
  std::ranges::sort(batch.vocabulary);
  batch.vocabulary.erase(std::unique(batch.vocabulary.begin(), batch.vocabulary.end()),
                         batch.vocabulary.end());
  const auto pad = std::ranges::find(batch.vocabulary, padding);
  std::rotate(batch.vocabulary.begin(), pad, pad + 1);
  for (const auto& tokens : sentences) {
    batch.ids.emplace_back();
    for (const std::string& token : tokens)
      batch.ids.back().push_back(std::ranges::find(batch.vocabulary, token) - batch.vocabulary.begin());
  }
  return batch;
}

/// Rows of normal numbers; that of [PAD] is zeros, as PyTorch's padding_idx leaves it.
Matrix table_of(const Settings& settings, std::size_t words) {
  Matrix table =
      tensor::Random(seed_of(settings)).normals(static_cast<Index>(words), settings.integer("width"));
  table.row(0).setZero();
  return twin::rounded(table);
}

Matrix one_hot(const std::vector<Index>& ids, Index words) {
  Matrix rows = Matrix::Zero(std::ssize(ids), words);
  for (std::size_t t = 0; t < ids.size(); ++t) rows(static_cast<Index>(t), ids[t]) = 1;
  return rows;
}

/// As an axis of typed words has them: a dollar sign begins no formula.
std::string as_typed_name(const std::string& word) {
  std::string text;
  for (const char c : word) text += c == '$' ? std::string("\\$") : std::string(1, c);
  return text;
}

void name_words(Axis& axis, const std::vector<std::string>& words) {
  for (const std::string& word : words) axis.names.push_back(as_typed_name(word));
  axis.typed_names = true;
}

std::vector<std::string> words_of(const Batch& batch, std::size_t sentence) {
  std::vector<std::string> words;
  for (const Index id : batch.ids[sentence]) words.push_back(batch.vocabulary[static_cast<std::size_t>(id)]);
  return words;
}

std::string shape_text(std::string_view name, std::size_t rows, std::size_t cols) {
  return std::string(name) + ", " + std::to_string(rows) + " × " + std::to_string(cols);
}

/// Both sentences, the id in each cell and the first one's words above.
Panel ids_panel(const Batch& batch) {
  const auto length = static_cast<Index>(batch.length());
  Matrix ids(2, length);
  for (Index b = 0; b < 2; ++b)
    for (Index t = 0; t < length; ++t)
      ids(b, t) = number(batch.ids[static_cast<std::size_t>(b)][static_cast<std::size_t>(t)]);
  Heatmap map = heatmap(ids, {.map = ColorMap::cividis, .bar = false});
  map.decimals = 0;
  Panel panel = map_panel("Ids, [B, T] = [2, " + std::to_string(length) + "]", std::move(map), "token", "");
  panel.y.names = {"sentence 1", "sentence 2"};
  panel.legend = LegendPlace::none;
  // Cells leave a 0 out, and [PAD] has it.
  for (Index b = 0; b < 2; ++b)
    for (Index t = 0; t < length; ++t)
      if (ids(b, t) == 0)
        panel.marks.emplace_back(Note{.x = number(t),
                                      .y = number(b),
                                      .text = "0",
                                      .ink = series(4),  // light on the darkest of the map in every theme
                                      .size = 0.85,
                                      .numbers = true});
  return panel;
}

Panel one_hot_panel(const Matrix& hot, const Batch& batch, double marked) {
  Panel panel =
      map_panel(shape_text("One-hot", batch.length(), batch.vocabulary.size()),
                heatmap(hot, {.map = ColorMap::cividis, .range = Range{0, 1}, .bar = false}), "", "");
  name_words(panel.y, words_of(batch, 0));
  panel.x.label = "id";
  panel.marks.emplace_back(row_frame(marked, number(hot.cols())));
  panel.legend = LegendPlace::none;
  return panel;
}

Panel table_panel(const Matrix& table, const Batch& batch, double marked_id) {
  Panel panel =
      map_panel(shape_text("Table", batch.vocabulary.size(), static_cast<std::size_t>(table.cols())),
                heatmap(table, {.map = ColorMap::diverging, .bar = false, .group = 1}), "component", "");
  std::vector<std::string> names;
  for (std::size_t v = 0; v < batch.vocabulary.size(); ++v)
    names.push_back(std::to_string(v) + "  " + batch.vocabulary[v]);
  name_words(panel.y, names);
  panel.marks.emplace_back(row_frame(marked_id, number(table.cols())));
  panel.legend = LegendPlace::none;
  return panel;
}

Panel picked_panel(const Matrix& rows, const Batch& batch, double marked) {
  Panel panel =
      map_panel(shape_text("Product", batch.length(), static_cast<std::size_t>(rows.cols())),
                heatmap(rows, {.map = ColorMap::diverging, .bar = false, .group = 1}), "component", "");
  name_words(panel.y, words_of(batch, 0));
  panel.marks.emplace_back(row_frame(marked, number(rows.cols())));
  panel.legend = LegendPlace::none;
  return panel;
}

/// Of the whole batch, token by token.
Table tokens_table(const Batch& batch) {
  Table table{"tokens",
              {{.name = "sentence"}, {.name = "token"}, {.name = "word", .typed = true}, {.name = "id"}}};
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t t = 0; t < batch.length(); ++t) {
      const Index id = batch.ids[b][t];
      add_row(table, b, t, Called{as_typed(batch.vocabulary[static_cast<std::size_t>(id)]), number(id)}, id);
    }
  return table;
}

/// Multiply-adds of the product, and numbers that a look-up copies.
Table costs_table(double tokens, double words, double width) {
  Table table{"costs",
              {{.name = "tokens"},
               {.name = "words"},
               {.name = "width"},
               {.name = "multiply-adds"},
               {.name = "copies"}}};
  add_row(table, tokens, words, width, tokens * words * width, tokens * width);
  return table;
}

std::vector<Check> checks_of(const Run& run, const Batch& batch, const Matrix& table, const Matrix& hot,
                             const Matrix& rows) {
  // Adding up what one token passes back to the table adds up how often its word stands in the text.
  const Matrix counted_by_table = hot.transpose() * Matrix::Ones(hot.rows(), 1);
  double uncounted = 0;
  for (Index v = 0; v < table.rows(); ++v)
    uncounted += std::abs(counted_by_table(v, 0) - number(std::ranges::count(batch.ids[0], v)));
  // A sum of one product and zeros rounds nothing.
  return {
      {"the product with one-hot rows is the rows picked, bit by bit",
       (hot * table - rows).cwiseAbs().maxCoeff(), 0},
      {"the gradient of a row is summed over the places of its word: places that are missing", uncounted, 0},
      twin::equals_reference(run, {embedding::embedding_bound, embedding::embedding_gpu_bound},
                             [&](const Run& each) {
                               return twin::embedding(each, batch.ids[0], table, embedding::Scale::sqrt_d);
                             })};
}

StudyResult compute(const Settings& settings, const Run& run) {
  run.check();
  const Batch batch = batch_of(settings);
  const Matrix table = table_of(settings, batch.vocabulary.size());
  const Matrix rows = twin::embedding(run, batch.ids[0], table, embedding::Scale::none);
  const Matrix hot = one_hot(batch.ids[0], table.rows());
  const double tokens = number(batch.length()), words = number(table.rows()), width = number(table.cols());
  const auto marked = std::min(static_cast<std::size_t>(settings.integer("position")), batch.length() - 1);
  const double at = number(marked), id = number(batch.ids[0][marked]);
  Picture picture(
      "Picking " + amount(tokens, "row", "rows") + " copies " + amount(tokens * width, "number", "numbers") +
          "; the product would take " + amount(tokens * words * width, "multiplication", "multiplications"),
      "The ids of two sentences, the shorter one filled up. Below, the first sentence as one-hot rows, the table "
      "of all words, and the rows that their product is, which are those of the table that the ids name; one "
      "token is framed in all three.");
  picture.at({0, 0, 1, 3}, "ids", ids_panel(batch));
  picture.at({1, 0}, "matrices", one_hot_panel(hot, batch, at));
  picture.at({1, 1}, "matrices", table_panel(table, batch, id));
  picture.at({1, 2}, "matrices", picked_panel(rows, batch, at));
  const std::string T = std::to_string(batch.length()), V = std::to_string(table.rows()),
                    D = std::to_string(table.cols());
  return {std::move(picture).figure(settings, {.aspect = 1.45,
                                               .rows = {0.55, 1.5},
                                               .cols = {1, 1, 1},
                                               .aspect_alone = 2,
                                               .titles_alone = true,
                                               .telling = {"matrices", "ids"}}),
          {tokens_table(batch), key_table("table", table.transpose()), costs_table(tokens, words, width)},
          checks_of(run, batch, table, hot, rows),
          "T \\cdot V \\cdot D = " + T + " \\cdot " + V + " \\cdot " + D + " = " +
              parameter::shortest(tokens * words * width) + " \\quad T \\cdot D = " + T + " \\cdot " + D +
              " = " + parameter::shortest(tokens * width)};
}

constexpr auto tries = std::to_array<Try>({
    {"One word again and again: one row, copied.", "text='no no no no'",
     [](auto& now, auto&) {
       const auto& ids = column(now, "tokens", "id");
       return ids[0] == ids[1] && ids[1] == ids[2] && ids[2] == ids[3];
     }},
    {"The order changes, the rows are the same: positions are missing.", "text='the mat sat on the cat'",
     [](auto& now, auto& before) {
       auto a = column(now, "tokens", "id"), b = column(before, "tokens", "id");
       a.resize(6), b.resize(6);
       const bool moved = a != b;
       std::ranges::sort(a), std::ranges::sort(b);
       return moved && a == b;
     }},
    {"Wider rows: the table grows, the ids stay.", "width=32",
     [](auto& now, auto& before) {
       return column(now, "costs", "width").front() == 32 &&
              column(now, "tokens", "id") == column(before, "tokens", "id");
     }},
});

}  // namespace

extern const Study study{
    .id = "embedding/lookup",
    .title = "From ids to rows",
    .topic = "Embeddings and output",
    .summary = "a product with one-hot rows that nobody multiplies",
    .formula =
        R"(y_t = e_{\mathrm{id}_t} E = E_{\mathrm{id}_t}, \quad E \in \mathbb{R}^{V \times D}, \quad [B, T] \to [B, T, D])",
    .about =
        "Each token is a number, its place in the vocabulary, and picks a row of a learned table. Written as mathematics it "
        "is a product of one-hot rows with that table; computed, it is a copy. Filling tokens have a row too, which is "
        "kept at zero.",
    .source = "Bengio et al. 2003, JMLR 3, section 2; filling tokens: PyTorch's nn.Embedding, padding_idx",
    .parameters = parameters,
    .tries = tries,
    .compute = compute,
};

}  // namespace orrery::study::embedding_lookup
