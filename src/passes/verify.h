// Whether a changed program still gives the original's outputs.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/program.h"
#include "wick/optimize.h"

namespace wick::passes {

using Inputs = std::vector<std::vector<IValue>>;

// Answers of the original, kept to compare others with.
class Reference {
 public:
  // Runs the methods of a copy of the program on their inputs, in order. Throws what the program throws. The program
  // must outlive the reference and stay as it is.
  Reference(const ir::Program& program, std::map<std::string, Inputs> inputs, const OptimizeOptions& options);

  bool empty() const { return inputs_.empty(); }
  // The largest difference of each output over all inputs. Throws kUnsupported when the program fails, or
  // answers with other types, dtypes, shapes or numbers than within the tolerance, where the original's own output is
  // stable or the options are strict; `pass` is named.
  std::vector<OutputDifference> compare(const ir::Program& program, const std::string& pass);

 private:
  bool is_stable(const std::string& output);

  const ir::Program& program_;
  std::map<std::string, Inputs> inputs_;
  std::map<std::string, std::vector<IValue>> answers_;
  double tolerance_;
  bool strict_;
  uint64_t seed_;
  std::set<std::string> unstable_;  // outputs that changed in the runs with noise so far
  int noisy_runs_ = 0;
};

// Numbers about a millionth off: floating tensors of the program's modules and matrices among its constants, and those
// of the inputs. The tensors themselves are left alone. The same `draw` gives the same numbers.
void add_noise(ir::Program& program, int draw);
IValue with_noise(const IValue& value, int draw);

}  // namespace wick::passes
