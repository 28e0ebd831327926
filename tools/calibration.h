// What a model is calibrated with, from the command line; and how far the work is.
#pragma once

#include <vector>

#include "arguments.h"
#include "wick/module.h"

namespace wick::tools {

// The lists of arguments that --calibrate names, each of which `forward` is run on. Throws UsageError and Error.
std::vector<std::vector<IValue>> calibration_inputs(const Module& module, const Arguments& arguments);

// One line on a terminal that is written over; nothing when stderr is not a terminal.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar() { clear(); }
  void show(const char* what, size_t done, size_t total);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace wick::tools
