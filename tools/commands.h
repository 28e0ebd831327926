// The subcommands of `wick`. Each takes the words after its name and gives the exit code; errors are thrown.
#pragma once

namespace wick::tools {

int command_run(int argc, char** argv);
int command_info(int argc, char** argv);
int command_check(int argc, char** argv);
int command_bench(int argc, char** argv);
int command_profile(int argc, char** argv);
int command_convert(int argc, char** argv);
int command_bundle(int argc, char** argv);
int command_compare(int argc, char** argv);
int command_quantize(int argc, char** argv);
int command_trace(int argc, char** argv);
int command_optimize(int argc, char** argv);
int command_explain(int argc, char** argv);

}  // namespace wick::tools
