// Which typefaces this machine has for those that a theme names.
#pragma once

#include <string>
#include <vector>

namespace orrery::exporter {

struct Face {
  std::string wanted;  ///< the family
  std::string found;   ///< the family that fontconfig gives for it: another one where it is not installed
  std::string file;
  bool letters = false;  ///< it has those of ASCII, and its digits
  bool installed() const { return wanted == found; }
};

Face face_for(const std::string& family);

}  // namespace orrery::exporter
