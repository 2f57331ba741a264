#include "app/study/block/placement_series.h"

namespace orrery::study::block_placement {
namespace {

/// Over the seeds that there are.
double mean_of(const std::vector<Measured>& models, auto of) {
  double sum = 0;
  for (const Measured& model : models) sum += of(model);
  return sum / number(models.size());
}

}  // namespace

Series squares_series(const Asked& asked, const Sweep& sweep) {
  const std::size_t layers = sweep.at(asked.followed).back().front().squares.size();
  Series squares("variance", {"layer", "", counted(static_cast<Index>(layers))});
  for (const NormPlace* place : asked.places) {
    std::vector<double> means;
    for (std::size_t l = 0; l < layers; ++l)
      means.push_back(
          mean_of(sweep.at(place).back(), [&](const Measured& model) { return model.squares[l]; }));
    squares.add(std::string(place->name), std::move(means));
  }
  return squares;
}

Series gradients_series(const Asked& asked, const Sweep& sweep) {
  const std::size_t layers = sweep.at(asked.followed).back().front().gradients.size();
  Series gradients("gradients", {"layer", "", numbered(static_cast<Index>(layers))});
  for (const NormPlace* place : asked.places) {
    std::vector<double> means;
    for (std::size_t l = 0; l < layers; ++l)
      means.push_back(
          mean_of(sweep.at(place).back(), [&](const Measured& model) { return model.gradients[l]; }));
    gradients.add(std::string(place->name), std::move(means));
  }
  return gradients;
}

Series depths_series(const Asked& asked, const Sweep& sweep) {
  std::vector<double> depths;
  for (std::size_t i = 0; i < sweep.at(asked.followed).size(); ++i)
    depths.push_back(number(asked.depths()[i]));
  Series by_depth("depths", {"layers", "", std::move(depths)});
  for (const NormPlace* place : asked.places) {
    std::vector<double> means;
    for (const auto& models : sweep.at(place)) means.push_back(mean_of(models, last_gradient));
    by_depth.add(std::string(place->name), std::move(means));
  }
  return by_depth;
}

Series law_series(const Asked& asked, const Series& squares) {
  const Law law = law_of(asked, *asked.followed, std::ssize(squares.x()) - 1);
  return Series("law", {"layer", "", squares.x()})
      .add("at least", law.least)
      .add("at most", law.most)
      .add("deviation", law.deviation);
}

Table branches_table(const Asked& asked) {
  Table table{"branches",
              {{.name = "placement"},
               {.name = "the network's part"},
               {.name = "attention's part at most"},
               {.name = "$\\alpha$"},
               {.name = "$\\beta$"}}};
  for (const NormPlace* place : asked.places) {
    const Branches part = branches_of(asked, *place, asked.layers);
    add_row(table, place->name, part.network, part.attention, part.alpha, part.beta);
  }
  return table;
}

Table models_table(const Asked& asked, const Sweep& sweep) {
  Table table{"models",
              {{.name = "placement"}, {.name = "layers"}, {.name = "seed"}, {.name = "last gradient"}}};
  for (const NormPlace* place : asked.places)
    for (std::size_t i = 0; i < sweep.at(place).size(); ++i)
      for (std::size_t s = 0; s < sweep.at(place)[i].size(); ++s)
        add_row(table, place->name, asked.depths()[i], number(asked.seed) + number(s),
                last_gradient(sweep.at(place)[i][s]));
  return table;
}

}  // namespace orrery::study::block_placement
