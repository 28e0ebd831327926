// What a command prints, as a file that may be full.
#pragma once

namespace wick::tools {

// Before anything is written: a file that may grow no further (RLIMIT_FSIZE) is an error, not a signal that ends the
// program.
void prepare_output();

// At the end, with the exit code so far: 1, and a line that says why, when what was printed could not be written.
int finish_output(int code);

}  // namespace wick::tools
