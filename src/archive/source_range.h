// Ranges of the original Python that a model was scripted from, as debug records (".debug_pkl") store them.
#pragma once

#include <string>
#include <vector>

#include "wick/ivalue.h"

namespace wick {

struct SourceRange {
  int64_t offset = 0;  // in the printed code; the range applies from here to the next one's offset
  int64_t tag = -1;    // by which other records refer to it
  IValue strings;      // the record's table of strings; None in the form without one
  IValue range;

  // "\n  file.py:12: text of the line"; empty when the range tells nothing. May throw on a bad record.
  std::string describe() const;
};

// The ranges of one debug record, in its order. Throws on what is no debug record.
std::vector<SourceRange> read_source_ranges(const IValue& record);

}  // namespace wick
