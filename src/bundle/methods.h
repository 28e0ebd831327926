// The methods a model with bundled inputs has, as graphs and as source.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"

namespace wick::bundle {

// What makes an argument of what is stored for it.
enum class Inflate { kNothing, kContiguous, kChannelsLast, kRandn };

struct BundledMethod {
  std::string class_name;  // of the root module
  std::string name;        // of the method the inputs are for
  std::string attribute;   // that holds what is stored
  size_t slot = 0;
  TypePtr type;                                // List[Tuple[...]]
  std::vector<std::vector<Inflate>> inflates;  // of each argument of each input
};

// Method name -> lines for people, of every method with bundled inputs.
using Info = std::vector<std::pair<std::string, std::vector<std::string>>>;

// get_all_bundled_inputs_for_<name> and what goes with it.
std::vector<std::unique_ptr<ir::Function>> getters(const BundledMethod& method);
std::string getters_source(const BundledMethod& method);

// get_bundled_inputs_functions_and_info.
std::unique_ptr<ir::Function> info_getter(const std::string& class_name, const Info& info);
std::string info_source(const std::string& class_name, const Info& info);

}  // namespace wick::bundle
