// Queries, keys and values of one head out of files: as they lie there, or hidden states times what projects them.
//
//   content=files         q, k, v    tokens × (heads · d)  or  heads × tokens × d
//   content=projections   q = x W_qᵀ, k = x W_kᵀ, v = x W_vᵀ    x: tokens × D;  W: (heads · d) × D, as PyTorch's Linear keeps it
//
// All but W may stand behind an axis of 1, a batch of one text: three axes that begin with 1 are that batch, others are
// heads first. d is the head width that is asked for: an axis of one head is d itself, one of all heads a multiple of it.
// Keys and values may have fewer heads than queries: of H and H_kv heads, head h meets key head ⌊h H_kv / H⌋, as
// repeat_interleave lays them out. Nothing is added (no bias) and nothing is turned: that is for whoever asks.
//
// Of q and k one may be missing: then the other stands for both. A W that is missing leaves x as it is, cut into heads.
// Only headers and the head's rows of W are read here; vectors are read where rows of them are asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/figure/table.h"
#include "app/study/kit/declare.h"
#include "core/file/stored_plane.h"
#include "core/parameter/settings.h"

namespace orrery::study {

namespace head_files {

inline constexpr std::string_view takes = ".npy|.safetensors", of_vectors = "content=files",
                                  of_states = "content=projections", of_both = "content=files|projections";

inline constexpr Parameter q_file = file(
    "q_file", "File of queries", takes,
    "tokens × (heads · d), or heads × tokens × d: .npy, or .safetensors#NAME; where RoPE has turned them already, "
    "choose no position scheme",
    {.only_when = of_vectors});
inline constexpr Parameter k_file =
    file("k_file", "File of keys", takes,
         "as the queries; fewer heads are shared by several of theirs; without a file, the queries",
         {.only_when = of_vectors});
inline constexpr Parameter v_file =
    file("v_file", "File of values", takes, "of as many heads as the keys; without a file, values are drawn",
         {.only_when = of_vectors});
inline constexpr Parameter hidden =
    file("hidden", "Hidden states", takes,
         "x: tokens × D, as they enter the projections, behind their norm: .npy, or .safetensors#NAME",
         {.only_when = of_states});
inline constexpr Parameter wq =
    file("wq", "Projection of queries", takes,
         "q_proj.weight, (heads · d) × D, as PyTorch's Linear keeps it; no bias is "
         "added; without a file, x itself is cut into heads",
         {.only_when = of_states});
inline constexpr Parameter wk =
    file("wk", "Projection of keys", takes,
         "k_proj.weight: the same of keys; fewer heads are shared by several of the queries'",
         {.only_when = of_states});
inline constexpr Parameter wv =
    file("wv", "Projection of values", takes,
         "v_proj.weight: the same of values, as many heads as the keys; without a file, values are drawn",
         {.only_when = of_states});
inline constexpr Parameter layer =
    whole("layer", "Layer", "0", {0, 999}, "what {layer} stands for in the names of files and tensors",
          {.only_when = of_both});
inline constexpr Parameter head = whole(
    "head", "Head", "0", {0, 1023}, "of the queries; keys and values may have fewer", {.only_when = of_both});

}  // namespace head_files

/// Vectors of one head, token by token, where they lie.
class HeadVectors {
 public:
  HeadVectors(file::StoredPlane rows, tensor::Matrix<double> weight = {})
      : plane_(std::move(rows)), weight_(std::move(weight)) {}

  tensor::Index tokens() const { return plane_.rows; }
  tensor::Index width() const { return weight_.size() > 0 ? weight_.rows() : plane_.cols; }
  const file::StoredPlane& plane() const { return plane_; }
  /// tokens × d. Throws Failure, one line, for numbers that are not finite or beyond 1e9, those of a product too.
  tensor::Matrix<double> rows(tensor::Index first, tensor::Index count) const;

 private:
  file::StoredPlane plane_;        ///< of x where there is a weight
  tensor::Matrix<double> weight_;  ///< d × D; empty: none
};

/// What one file gave.
struct HeadFile {
  std::string parameter;     ///< that names it: "q_file"
  std::string file, tensor;  ///< without its folder
  std::string dtype, shape;
  tensor::Index heads = 0, head = 0;  ///< 0 heads: those of hidden states
  double bytes = 0;                   ///< of the tensor
  /// What is read of it: here, and where all its tokens are asked for, those of states for queries and for keys.
  double bytes_once = 0, bytes_per_token = 0;
  std::string state;  ///< tells it from what it was before: path, size, time
};

struct HeadFiles {
  HeadVectors q, k;
  std::optional<HeadVectors> v;
  std::optional<file::StoredPlane> states;  ///< x
  tensor::Index heads = 1, head = 0, key_heads = 1, key_head = 0;
  std::string keys;  ///< where they are from, in words: "keys of head 1 of 2"; empty: of the same head
  std::vector<HeadFile> files;

  std::string words() const;  ///< "Head 2 of 4, keys of head 1 of 2"

  tensor::Index tokens() const { return q.tokens(); }
};

/// Whether a file is chosen that these settings read.
bool has_head_files(const parameter::Settings&);
/// What stands in for files that are wanted and not chosen: StudyResult::remark. Empty: none are wanted, or there are some.
std::string without_head_files(const parameter::Settings&);
/// Of the parameters above and head_width. Throws Failure and InvalidArgument, one line, naming the file, its shape and what is
/// allowed; asks the disk.
HeadFiles open_head_files(const parameter::Settings&);

/// x: the first rows that are read as rows() reads them.
tensor::Matrix<double> read_states(const file::StoredPlane&, tensor::Index first, tensor::Index count);

/// A line for each file, and which of its tokens are looked at.
figure::Table head_files_table(const HeadFiles&, tensor::Index first, tensor::Index count);

}  // namespace orrery::study
