// tests/mutations.toml as the tests read it: the lines that ./dev mutate breaks, and the checks that must fall with each.
#pragma once

#include <toml++/toml.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/source.h"

namespace orrery::study {

/// One question to a study: "rope/layout part=0.5 on ref".
struct Asked {
  std::string study;
  std::vector<std::string> settings;  ///< NAME=VALUE
  std::set<std::string> falls;        ///< statements that must fall, digits as they were
};

inline std::vector<Asked> asked_by_mutations() {
  std::vector<Asked> all;
  const toml::table list = toml::parse_file(support::source("tests/mutations.toml"));
  for (const toml::node& mutation : *list["mutation"].as_array())
    for (const auto& [request, statements] : *(*mutation.as_table())["falls"].as_table()) {
      Asked asked;
      std::istringstream words{std::string(request.str())};
      words >> asked.study;
      for (std::string word; words >> word && word != "on";) asked.settings.push_back(word);
      for (const toml::node& statement : *statements.as_array())
        asked.falls.insert(statement.value<std::string>().value());
      all.push_back(std::move(asked));
    }
  return all;
}

}  // namespace orrery::study
