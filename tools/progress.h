// How far long work is, on a terminal.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace wick::tools {

// A line on standard error that is written over, from the second second of the work on; nothing when that is no
// terminal, and with --quiet. A thread draws it, so that time goes on while a single step takes long.
//
//   Progress progress("loading model.pt");                         // "loading model.pt  3 s"
//   for (size_t i = 0; i < n; ++i) progress.show("running", i, n), run(i);  // "running [##..] 2/9  1.5/s, 5 s left"
class Progress {
 public:
  explicit Progress(const std::string& what = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `total` 0: it is not known, and the time so far is shown alone.
  void show(const std::string& what, size_t done, size_t total);
  // Takes the line away until something is shown again: to be called before anything else is printed.
  void clear();

 private:
  class Line;
  std::unique_ptr<Line> line_;  // null where nothing is shown
};

}  // namespace wick::tools
