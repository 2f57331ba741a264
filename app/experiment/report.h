// How well a trained model does at each length: of all, by position, and beside the best that can be known. As JSON it is
// what `orrery evaluate --json` prints and what a cell of a sweep keeps in result.json:
//
//   {task, steps, of_steps, left_out, parameters, trained, window, rule,
//    text: {bytes, trained, held_out, without_context, known} or null,
//    lengths: [{length, sequences, loss, accuracy, floor, by_place: {place: […], loss: […], accuracy: […], floor: […]}}]}
//
// loss and floor are means of −ln p; floor is null where none is known. Places count the tokens that a model has read, and only
// those that have a target are listed. text.known is the loss on some sequences of what was trained on: how much of it is known
// by heart.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/experiment/run_folder.h"

namespace orrery::experiment {

struct LengthReport {
  Index length = 0, sequences = 0;
  training::Score score;
  std::optional<double> floor;
  std::vector<double> floor_by_place;  ///< empty where none is known
};

struct TextReport {
  std::size_t bytes = 0, trained = 0, held_out = 0;
  double without_context = 0, known = 0;
};

struct Report {
  std::string task, rule;
  std::int64_t steps = 0, of_steps = 0, left_out = 0;
  Index parameters = 0, trained = 0, window = 0;
  std::optional<TextReport> text;
  std::vector<LengthReport> lengths;
};

/// `between` is called before each pass of the model with the share that is done, and may throw.
Report report_of(const training::Trainer&, const Plan&, const std::function<void(double)>& between = {});

/// What the model says of the first test sequence of the first length, a row for each token, and the tokens. Where a window
/// slides, of what it holds.
struct Said {
  std::vector<Index> tokens;
  tensor::Matrix<float> logits;
};
Said first_said(const training::Trainer&, const Plan&);

nlohmann::ordered_json to_json(const Report&);
std::string to_text(const Report&);  ///< the JSON with every digit, for result.json

}  // namespace orrery::experiment
