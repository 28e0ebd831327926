// The page of `wick explain`: two models side by side.
#pragma once

#include <string>
#include <vector>

#include "passes/summary.h"

namespace wick::tools {

struct ExplainedModel {
  std::string name;
  const ir::Program& program;
  const passes::ModelSummary& summary;
};

// What the change did, a sentence a line.
std::vector<std::string> explanation(const passes::ModelSummary& before, const passes::ModelSummary& after);

// A page that needs nothing else: the sentences, the operators' counts, and both forward graphs drawn.
std::string explain_page(const ExplainedModel& before, const ExplainedModel& after,
                         const std::vector<std::string>& lines);

}  // namespace wick::tools
