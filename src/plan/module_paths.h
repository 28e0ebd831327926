// ModulePaths: which layer of the model a node belongs to, for profiles.
#pragma once

#include <string>
#include <vector>

#include "core/word_map.h"
#include "ir/program.h"
#include "plan/record/inline.h"

namespace wick::plan {

class ModulePaths {
 public:
  // `inlined`: a method of the program, which outlives this.
  ModulePaths(const ir::Program& program, const Inlined& inlined);

  // "backbone.body.layer1.0.conv1": the module whose method the node came from; where the file does not tell (lite
  // files hold no calls) the module whose parameters it reads; "" when neither is known, and for the root's own code.
  std::string of(const ir::Node& node) const;

 private:
  void note_attributes();
  void note(const void* key, const std::string& path);
  const std::string* find(const void* key) const;  // null: not known

  const ir::Program& program_;
  const Inlined& inlined_;
  WordMap path_of_;  // by object, tensor and packed parameters: one more than a place in paths_
  std::vector<std::string> paths_;
};

}  // namespace wick::plan
