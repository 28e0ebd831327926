// Ranges of the original Python that a model was scripted from, as debug records (".debug_pkl") store them.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "archive/line_index.h"
#include "wick/ivalue.h"

namespace wick {

struct SourceRange {
  int64_t offset = 0;  // in the printed code; the range applies from here to the next one's offset
  int64_t tag = -1;    // by which other records refer to it
  IValue strings;      // the record's table of strings; None in the form without one
  IValue range;
};

// The texts that ranges are in, put together and divided into lines once. The ranges described outlive it; not for two
// threads at once.
class SourceTexts {
 public:
  // "\n  file.py:12: text of the line"; empty when the range tells nothing. May throw on a bad record.
  std::string describe(const SourceRange& range);

 private:
  struct Text {
    explicit Text(std::string whole);
    std::string text;
    LineIndex lines;  // of text
  };
  const Text& text_of_source(const IValue& source, const IValue& strings);

  std::unordered_map<const RefCounted*, std::unique_ptr<Text>> texts_;  // by the string, or the list of strings
  size_t bytes_ = 0;                                                    // of all texts
};

// The ranges of one debug record, in its order. Throws on what is no debug record.
std::vector<SourceRange> read_source_ranges(const IValue& record);

}  // namespace wick
