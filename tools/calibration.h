// What a model is calibrated with, from the command line.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "arguments.h"
#include "wick/module.h"

namespace wick::tools {

// The lists of arguments that --calibrate names, each of which `forward` is run on. Throws UsageError and Error.
std::vector<std::vector<IValue>> calibration_inputs(const Module& module, const Arguments& arguments);

// A folder's .png and .jpg images and those of its folders, by name; throws kNotFound when there are none.
std::vector<std::string> images_of(const std::string& folder);
// The numbers of --mean or --std: one for all channels, or three; throws UsageError.
std::array<float, 3> three_numbers(const Arguments& arguments, const char* option, std::array<float, 3> fallback);
// A picture as a normalized tensor by --mean and --std.
IValue normalized_image(const std::string& path, const std::string& size, const Arguments& arguments);

}  // namespace wick::tools
