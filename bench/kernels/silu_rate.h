// The rate of activations, measured.
#pragma once

namespace wick::bench {

// Billions of x * sigmoid(x) in a second, of values in the first-level cache: an exponential and a division each.
double silu_rate();

}  // namespace wick::bench
