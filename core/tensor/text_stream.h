// Streams of text in memory that say when there is none. The standard's own catch std::bad_alloc, note it in a flag, and go on
// with less of the text: a file that was made so was whole to whoever wrote it.
#pragma once

#include <ios>
#include <sstream>
#include <utility>

namespace orrery::tensor {

/// Throws what is thrown within.
template <class Stream>
class Outspoken : public Stream {
 public:
  template <class... Text>
  explicit Outspoken(Text&&... text) : Stream(std::forward<Text>(text)...) {
    this->exceptions(std::ios::badbit);
  }
};
using TextWriter = Outspoken<std::ostringstream>;
using TextReader = Outspoken<std::istringstream>;

}  // namespace orrery::tensor
