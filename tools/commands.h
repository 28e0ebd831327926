// The subcommands of `wick`. Each takes the words after its name and gives the exit code; errors are thrown. The specs
// are the one table of options: help, man pages and completions of shells are made of them.
#pragma once

#include "arguments.h"

namespace wick::tools {

int command_run(int argc, char** argv);
CommandSpec spec_run();
int command_info(int argc, char** argv);
CommandSpec spec_info();
int command_check(int argc, char** argv);
CommandSpec spec_check();
int command_bench(int argc, char** argv);
CommandSpec spec_bench();
int command_profile(int argc, char** argv);
CommandSpec spec_profile();
int command_convert(int argc, char** argv);
CommandSpec spec_convert();
int command_bundle(int argc, char** argv);
CommandSpec spec_bundle();
int command_compare(int argc, char** argv);
CommandSpec spec_compare();
int command_quantize(int argc, char** argv);
CommandSpec spec_quantize();
int command_trace(int argc, char** argv);
CommandSpec spec_trace();
int command_optimize(int argc, char** argv);
CommandSpec spec_optimize();
int command_explain(int argc, char** argv);
CommandSpec spec_explain();

}  // namespace wick::tools
