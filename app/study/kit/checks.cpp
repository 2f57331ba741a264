#include "app/study/kit/checks.h"

namespace orrery::study {

Check known_answer(std::string statement, double value, double bound) {
  return {std::move(statement), value, bound, true};
}

Check named(const std::string& what, Check check) {
  check.statement = what + ": " + check.statement;
  return check;
}

double slack(const Run& run, const twin::Bounds& bounds, const twin::Matrix& result, double terms) {
  const double largest = result.cwiseAbs().maxCoeff();
  if (run.device == DeviceChoice::ref) return 0x1p-53 * terms * largest;
  const tensor::Bound& bound = run.device == DeviceChoice::gpu ? bounds.gpu : bounds.cpu;
  return bound.abs + (bound.rel + bound.row) * largest;
}

}  // namespace orrery::study
