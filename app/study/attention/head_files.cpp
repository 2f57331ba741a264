#include "app/study/attention/head_files.h"
#include "app/study/kit/read_numbers.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "app/study/kit/numbers.h"
#include "app/study/kit/words.h"
#include "app/study/text.h"
#include "core/file/tensor_files.h"
#include "core/tensor/array.h"
#include "core/tensor/error.h"

namespace orrery::study {
namespace {

using file::StoredArray;
using file::StoredPlane;
using parameter::Settings;
using tensor::Index;
using Rows = tensor::Matrix<double>;

constexpr Index widest_states = 16384;

bool has_reach(const Rows& x) {
  return within_reach(x.reshaped());
}
void check_numbers(const Rows& x, const StoredArray& from) {
  if (!has_reach(x)) from.fail(beyond_reach());
}

Complaint about_shape(const StoredArray& array) {
  const std::string shape = tensor::shape_text(array.shape);
  return Complaint().found(shape).fault("shape {}", shape);
}

/// Not every study asks for values.
bool is_given(const Settings& settings, std::string_view name) {
  return has(settings, name) && !settings.file(name).empty();
}

std::string path_of(const Settings& settings, std::string_view name) {
  constexpr std::string_view place = "{layer}";
  std::string path = settings.file(name);
  for (std::size_t at = path.find(place); at != std::string::npos; at = path.find(place, at))
    path.replace(at, place.size(), settings.text("layer"));
  return path;
}

StoredArray opened(const Settings& settings, std::string_view name) {
  return file::open_tensor(file::tensor_path_on_disk(path_of(settings, name)));
}

/// Without the axis of a batch of one text.
struct Axes {
  std::vector<Index> shape;
  std::vector<std::uint64_t> steps;
};

Axes axes_of(const StoredArray& array) {
  Axes axes{array.shape, file::steps_of(array)};
  if (axes.shape.size() < 3 || axes.shape.front() != 1) return axes;
  axes.shape.erase(axes.shape.begin());
  axes.steps.erase(axes.steps.begin());
  return axes;
}

/// All heads of a file.
struct Heads {
  StoredArray array{};
  Axes axes;
  Index count = 0, tokens = 0, width = 0;

  bool first() const { return axes.shape.size() == 3; }
  HeadVectors vectors(Index head) const {
    const std::uint64_t apart = first() ? axes.steps[0] : static_cast<std::uint64_t>(width) * axes.steps[1];
    return StoredPlane{.array = array,
                       .rows = tokens,
                       .cols = width,
                       .first = static_cast<std::uint64_t>(head) * apart,
                       .row_step = axes.steps[first() ? 1 : 0],
                       .col_step = axes.steps[first() ? 2 : 1]};
  }
};

Heads heads_in(StoredArray array, Index width) {
  Heads heads{.axes = axes_of(array), .width = width};
  const std::vector<Index>& shape = heads.axes.shape;
  const bool side_by_side = shape.size() == 2 && shape[1] % width == 0,
             one_by_one = shape.size() == 3 && shape[2] == width;
  if (array.count == 0 || (!side_by_side && !one_by_one))
    array.fail(about_shape(array).allowed(
        "tokens × (heads · {}) or heads × tokens × {}, behind an axis of 1 too; {} is head_width", width,
        width, width));
  heads.count = side_by_side ? shape[1] / width : shape[0];
  heads.tokens = side_by_side ? shape[0] : shape[1];
  heads.array = std::move(array);
  return heads;
}

StoredPlane states_in(StoredArray array) {
  const Axes axes = axes_of(array);
  if (array.count == 0 || axes.shape.size() != 2 || axes.shape[1] > widest_states)
    array.fail(about_shape(array).allowed("tokens × width, behind an axis of 1 too, no wider than {}",
                                          widest_states));
  return {.array = std::move(array),
          .rows = axes.shape[0],
          .cols = axes.shape[1],
          .first = 0,
          .row_step = axes.steps[0],
          .col_step = axes.steps[1]};
}

/// What makes heads of hidden states: a projection in a file, or their own columns.
struct Maker {
  std::optional<StoredPlane> weight;
  Index count = 0;
};

Maker projection(const Settings& settings, std::string_view name, const StoredPlane& states, Index width) {
  if (!is_given(settings, name)) {
    if (states.cols % width != 0)
      throw InvalidArgument(
          about("head_width")
              .found(width)
              .allowed("a divisor of {}, the width of the hidden states, where no projection "
                       "makes heads of them",
                       states.cols));
    return {.weight = {}, .count = states.cols / width};
  }
  StoredArray array = opened(settings, name);
  const std::vector<Index> shape = array.shape;
  const auto steps = file::steps_of(array);
  if (array.count == 0 || shape.size() != 2 || shape[1] != states.cols || shape[0] % width != 0)
    array.fail(about_shape(array).allowed(
        "(heads · {}) × {}, as PyTorch's Linear keeps it; {} is head_width, {} the width of the hidden states",
        width, states.cols, width, states.cols));
  return {.weight = StoredPlane{.array = std::move(array),
                                .rows = shape[0],
                                .cols = shape[1],
                                .first = 0,
                                .row_step = steps[0],
                                .col_step = steps[1]},
          .count = shape[0] / width};
}

HeadVectors projected(const StoredPlane& states, const Maker& by, Index head, Index width) {
  if (!by.weight) {
    StoredPlane own = states;
    own.first += static_cast<std::uint64_t>(head * width) * own.col_step;
    own.cols = width;
    return own;
  }
  Rows weight = by.weight->read(head * width, width);
  check_numbers(weight, by.weight->array);
  return {states, std::move(weight)};
}

void check_head(const HeadFiles& files) {
  if (files.head >= files.heads)
    throw InvalidArgument(
        about("head").found(files.head).allowed("below {}, the number of heads in the file", files.heads));
}

/// Which head of the keys a head of the queries meets.
Index shared_head(Index head, Index heads, Index key_heads, std::string_view name) {
  if (heads % key_heads != 0)
    throw InvalidArgument(about(name)
                              .found(key_heads)
                              .fault("{} heads of keys", key_heads)
                              .allowed("a divisor of {}, the number of heads of queries", heads));
  return head / (heads / key_heads);
}

std::string words_of_keys(const HeadFiles& files) {
  if (files.key_heads == files.heads) return {};
  return "keys of head " + std::to_string(files.key_head) + " of " + std::to_string(files.key_heads);
}

/// What tells a file from what it was before.
std::string state_of(const StoredArray& array) {
  std::error_code ignored;
  const auto time = std::filesystem::last_write_time(array.origin, ignored).time_since_epoch().count();
  return array.origin + '\n' + array.tensor + '\n' + std::to_string(time) + '\n' +
         std::to_string(array.data_bytes.value_or(0)) + '\n';
}

HeadFile told(const char* parameter, const StoredArray& array, Index heads, Index head) {
  return {.parameter = parameter,
          .file = std::filesystem::path(array.origin).filename().string(),
          .tensor = array.tensor.empty() ? "\u2212" : array.tensor,
          .dtype = array.dtype,
          .shape = tensor::shape_text(array.shape),
          .heads = heads,
          .head = head,
          .bytes = static_cast<double>(array.bytes()),
          .state = state_of(array)};
}

/// Vectors that are read so many times.
HeadFile told(const char* parameter, const Heads& heads, Index head, int times) {
  HeadFile file = told(parameter, heads.array, heads.count, head);
  file.bytes_per_token = number(times * heads.width) * heads.array.type.bytes;
  return file;
}

HeadFile told(const char* parameter, const Maker& maker, Index head, Index width) {
  HeadFile file = told(parameter, maker.weight->array, maker.count, head);
  file.bytes_once = number(width * maker.weight->cols) * maker.weight->array.type.bytes;
  return file;
}

void check_tokens(Index found, Index wanted, std::string_view name) {
  if (found != wanted)
    throw InvalidArgument(
        about(name).found(found).fault("{} tokens", found).allowed("{}, as many as the queries", wanted));
}

void check_values(Index found, Index wanted, std::string_view name) {
  if (found != wanted)
    throw InvalidArgument(about(name)
                              .found(found)
                              .fault("{} heads of values", found)
                              .allowed("{}, as many as of keys", wanted));
}

HeadFiles open_vectors(const Settings& settings, Index width) {
  const bool with_q = is_given(settings, "q_file"), with_k = is_given(settings, "k_file");
  if (!with_q && !with_k)
    throw InvalidArgument(about("q_file").fault("is not chosen").allowed("a file of queries, or k_file"));
  const Heads q = heads_in(opened(settings, with_q ? "q_file" : "k_file"), width);
  const Heads k = with_q && with_k ? heads_in(opened(settings, "k_file"), width) : q;
  HeadFiles all{.q = q.vectors(0), .k = k.vectors(0), .v = {}, .states = {}, .keys = {}, .files = {}};
  all.heads = q.count;
  all.head = settings.integer("head");
  check_head(all);
  check_tokens(k.tokens, q.tokens, "k_file");
  all.key_heads = k.count;
  all.key_head = shared_head(all.head, all.heads, all.key_heads, "k_file");
  all.q = q.vectors(all.head);
  all.k = k.vectors(all.key_head);
  if (with_q) all.files.push_back(told("q_file", q, all.head, with_k ? 1 : 2));
  if (with_k) all.files.push_back(told("k_file", k, all.key_head, with_q ? 1 : 2));
  all.keys = !with_k ? "the queries as keys" : !with_q ? "the keys as queries" : words_of_keys(all);
  if (!is_given(settings, "v_file")) return all;
  const Heads v = heads_in(opened(settings, "v_file"), width);
  check_tokens(v.tokens, q.tokens, "v_file");
  check_values(v.count, k.count, "v_file");
  all.v = v.vectors(all.key_head);
  all.files.push_back(told("v_file", v, all.key_head, 0));
  return all;
}

HeadFiles open_projections(const Settings& settings, Index width) {
  if (!is_given(settings, "hidden"))
    throw InvalidArgument(
        about("hidden").fault("is not chosen").allowed("a file of hidden states, which wq and wk project"));
  const StoredPlane x = states_in(opened(settings, "hidden"));
  const Maker q = projection(settings, "wq", x, width), k = projection(settings, "wk", x, width);
  HeadFiles all{.q = x, .k = x, .v = {}, .states = x, .keys = {}, .files = {}};
  all.heads = q.count;
  all.head = settings.integer("head");
  check_head(all);
  all.key_heads = k.count;
  all.key_head = shared_head(all.head, all.heads, all.key_heads, "wk");
  all.q = projected(x, q, all.head, width);
  all.k = projected(x, k, all.key_head, width);
  all.files.push_back(told("hidden", x.array, 0, 0));
  const Index columns = (q.weight ? x.cols : width) + (k.weight ? x.cols : width);
  all.files.back().bytes_per_token = number(columns) * x.array.type.bytes;
  if (q.weight) all.files.push_back(told("wq", q, all.head, width));
  if (k.weight) all.files.push_back(told("wk", k, all.key_head, width));
  all.keys = !q.weight && !k.weight ? "the hidden states as queries and keys"
             : !q.weight            ? "the hidden states as queries"
             : !k.weight            ? "the hidden states as keys"
                                    : words_of_keys(all);
  if (!is_given(settings, "wv")) return all;
  const Maker v = projection(settings, "wv", x, width);
  check_values(v.count, k.count, "wv");
  all.v = projected(x, v, all.key_head, width);
  all.files.push_back(told("wv", v, all.key_head, width));
  return all;
}

}  // namespace

std::string HeadFiles::words() const {
  const std::string text = "Head " + grouped(number(head)) + " of " + grouped(number(heads));
  return keys.empty() ? text : text + ", " + keys;
}

Rows HeadVectors::rows(Index first, Index count) const {
  Rows x = plane_.read(first, count);
  check_numbers(x, plane_.array);
  if (weight_.size() == 0) return x;
  Rows y = x * weight_.transpose();
  if (!has_reach(y)) plane_.array.fail(wrong("its projections are beyond {}", "1e9"));
  return y;
}

Rows read_states(const StoredPlane& states, Index first, Index count) {
  Rows x = states.read(first, count);
  check_numbers(x, states.array);
  return x;
}

bool has_head_files(const Settings& settings) {
  const std::string& content = settings.choice("content");
  const auto chosen = [&](std::string_view name) { return is_given(settings, name); };
  if (content == "files") return chosen("q_file") || chosen("k_file") || chosen("v_file");
  return content == "projections" && (chosen("hidden") || chosen("wq") || chosen("wk") || chosen("wv"));
}

std::string without_head_files(const Settings& settings) {
  const std::string& content = settings.choice("content");
  const bool wanted = content == "files" || content == "projections";
  return wanted && !has_head_files(settings) ? "no file yet: vectors by chance" : std::string();
}

HeadFiles open_head_files(const Settings& settings) {
  const Index width = settings.integer("head_width");
  return settings.choice("content") == "files" ? open_vectors(settings, width)
                                               : open_projections(settings, width);
}

figure::Table head_files_table(const HeadFiles& files, Index first, Index count) {
  figure::Table table{"files",
                      {{.name = "parameter", .typed = true},
                       {.name = "file", .typed = true},
                       {.name = "tensor", .typed = true},
                       {.name = "type", .typed = true},
                       {.name = "shape", .typed = true},
                       {.name = "heads"},
                       {.name = "head"},
                       {.name = "tokens", .digits = 12},
                       {.name = "first token", .digits = 12},
                       {.name = "tokens shown", .digits = 12}}};
  for (const HeadFile& each : files.files)
    add_row(table, each.parameter, as_typed(each.file), as_typed(each.tensor), each.dtype, each.shape,
            each.heads, each.head, files.tokens(), first, count);
  return table;
}

}  // namespace orrery::study
