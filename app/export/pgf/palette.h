// The colours of a file, each defined once under a name that says what it is for.
#pragma once

#include <string>
#include <vector>

#include "app/figure/ink.h"
#include "app/figure/theme.h"

namespace orrery::exporter::pgf {

class Palette {
 public:
  explicit Palette(const figure::Theme&);

  /// "orrerySeries1": a colour without its transparency.
  std::string name(figure::Color);
  /// "draw=orreryAxis, draw opacity=0.5"
  std::string stroke(figure::Color);
  std::string fill(figure::Color);
  /// \definecolor lines of those that were used.
  std::string definitions() const;

 private:
  struct Entry {
    figure::Color color;
    std::string name;
    bool used = false;
  };
  std::string paint(const char* what, figure::Color);
  std::vector<Entry> entries_;
  int others_ = 0;
};

}  // namespace orrery::exporter::pgf
