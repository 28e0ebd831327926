// The `wick` command as a function: for its program, and for packages of other languages that bring it.
#pragma once

namespace wick::tools {

// Exit code 0: done; 1: the model or the machine refused; 2: the command line is wrong.
int run_command(int argc, char** argv);

}  // namespace wick::tools
