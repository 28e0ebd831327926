// Whether a changed program still answers as the original.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/program.h"
#include "wick/optimize.h"

namespace wick::passes {

using Inputs = std::vector<std::vector<IValue>>;

// Answers of the original, kept to compare others with.
class Reference {
 public:
  // Runs the methods of a copy of the program on their inputs, in order. Throws what the program throws.
  Reference(const ir::Program& program, std::map<std::string, Inputs> inputs, uint64_t seed);

  bool empty() const { return inputs_.empty(); }
  // The largest difference of each output over all inputs. Throws kUnsupported when the program fails, or
  // answers with other types, dtypes, shapes or numbers than within `tolerance`; `pass` is named.
  std::vector<OutputDifference> compare(const ir::Program& program, const std::string& pass, double tolerance) const;

 private:
  std::map<std::string, Inputs> inputs_;
  std::map<std::string, std::vector<IValue>> answers_;
  uint64_t seed_;
};

}  // namespace wick::passes
