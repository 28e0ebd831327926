// wick: the command line.
#include "command.h"

int main(int argc, char** argv) { return wick::tools::run_command(argc, argv); }
