// Words as a panel of their own, below the pictures that they are about.
#pragma once

#include <string>
#include <vector>

#include "app/figure/figure.h"

namespace orrery::study {

struct Paragraph {
  std::string text;
  figure::Ink ink;
};

/// One below the other in a panel without axes: as much as the page has room for.
figure::Panel paragraph_panel(std::vector<Paragraph>);
/// About how many lines that is on a page of the usual width: what the panel's row has to be worth.
double paragraph_lines(const figure::Panel&);

}  // namespace orrery::study
