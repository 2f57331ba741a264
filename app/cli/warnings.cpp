#include "app/cli/warnings.h"

#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "app/cli/speech.h"

namespace orrery::cli {

nlohmann::ordered_json warnings_json(std::span<const position::RopeWarning> warnings) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const position::RopeWarning& w : warnings)
    list.push_back({{"field", w.field}, {"message", w.message}});
  return list;
}

std::string warning_text(const position::RopeWarning& w) {
  return single_line(say("{}: {}", w.field, translated(w.message)));
}

}  // namespace orrery::cli
