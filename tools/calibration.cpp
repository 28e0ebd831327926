// Calibration inputs from images, saved tensors and bundled inputs.
#include "calibration.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "core/check.h"
#include "image.h"
#include "inputs.h"

namespace wick::tools {

namespace {

namespace fs = std::filesystem;

bool is_image(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

void add_images(const std::string& folder, const Arguments& arguments, std::vector<std::vector<IValue>>& out) {
  std::vector<std::string> paths = images_of(folder);
  const size_t limit = static_cast<size_t>(arguments.get_number("--limit", 1 << 20, 1));
  if (paths.size() > limit) paths.resize(limit);
  for (const std::string& path : paths) {
    out.push_back({normalized_image(path, arguments.get("--image-size", "224"), arguments)});
  }
}

// A tuple is one list of arguments; a list holds several inputs, each a tuple or one argument.
void add_saved(const std::string& path, std::vector<std::vector<IValue>>& out) {
  const IValue value = load_tensors(path);
  auto add = [&](const IValue& item) {
    if (item.is_tuple()) {
      out.push_back(item.to_tuple().items);
    } else {
      out.push_back({item});
    }
  };
  if (value.is_list()) {
    for (const IValue& item : value.to_list().items) add(item);
  } else {
    add(value);
  }
}

}  // namespace

std::array<float, 3> three_numbers(const Arguments& arguments, const char* option, std::array<float, 3> fallback) {
  if (!arguments.has(option)) return fallback;
  const std::vector<std::string> parts = split(arguments.get(option), ',');
  std::array<float, 3> out{};
  for (size_t i = 0; i < 3; ++i) {
    const std::string& text = parts.size() == 1 ? parts[0] : i < parts.size() ? parts[i] : std::string();
    char* end = nullptr;
    out[i] = std::strtof(text.c_str(), &end);
    if (text.empty() || *end != '\0' || parts.size() > 3) {
      throw UsageError(cat(option, " needs one number or three, got '", arguments.get(option), "'"));
    }
  }
  return out;
}

std::vector<std::string> images_of(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && is_image(entry.path())) paths.push_back(entry.path().string());
  }
  WICK_CHECK(!paths.empty(), kNotFound, "the folder ", folder, " has no .png or .jpg images");
  std::sort(paths.begin(), paths.end());
  return paths;
}

IValue normalized_image(const std::string& path, const std::string& size, const Arguments& arguments) {
  const std::array<float, 3> mean = three_numbers(arguments, "--mean", image::kImageNetMean);
  const std::array<float, 3> deviation = three_numbers(arguments, "--std", image::kImageNetDeviation);
  for (float d : deviation) {
    if (!(d > 0)) throw UsageError("--std needs numbers above zero");
  }
  return to_normalized_tensor(sized_image(path, size), mean, deviation);
}

std::vector<std::vector<IValue>> calibration_inputs(const Module& module, const Arguments& arguments) {
  std::vector<std::vector<IValue>> out;
  for (const std::string& data : arguments.all("--calibrate")) {
    if (data == "bundled") {
      std::vector<std::vector<IValue>> inputs = module.bundled_inputs("forward");
      WICK_CHECK(!inputs.empty(), kNotFound,
                 "the model has no bundled inputs for 'forward'; calibrate with a folder of images or .pt files");
      for (auto& input : inputs) out.push_back(std::move(input));
    } else if (std::error_code error; fs::is_directory(data, error)) {
      add_images(data, arguments, out);
    } else {
      WICK_CHECK(fs::exists(data, error), kNotFound, "there is no calibration file or folder ", data);
      add_saved(data, out);
    }
  }
  const size_t limit = static_cast<size_t>(arguments.get_number("--limit", 1 << 20, 1));
  if (out.size() > limit) out.resize(limit);
  return out;
}

}  // namespace wick::tools
