// Runs a model by the interpreter and by plans; the two must agree.
#pragma once

#include <functional>
#include <string>

#include "wick/module.h"

namespace wick::parity {

// Runs the method, or with an empty name the model and its hooks, plainly and gives its result or throws its error,
// after a planned module has run it twice (which records, then uses the plan) with the same outcome; throws kInternal
// naming the difference otherwise. `load_module` and `make_args` are called for every run that needs a fresh state.
// Where either way ends with an error that `is_beyond` names, nothing is compared: what was done until then may differ.
IValue run_both(const std::function<Module()>& load_module, const std::string& method,
                const std::function<std::vector<IValue>()>& make_args, uint64_t seed,
                const std::function<bool(const Error&)>& is_beyond = nullptr);

// Empty when the results are equal within rounding; else what differs. Of values that are deep, or hold themselves, the
// first parts are compared.
std::string difference(const IValue& a, const IValue& b);

}  // namespace wick::parity
