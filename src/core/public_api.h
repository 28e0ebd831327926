// The public headers, visible outside of a library whose other symbols are hidden. Included before everything else in
// such a build (WICK_RUNTIME_ONLY).
#pragma once

#pragma GCC visibility push(default)
#include "wick/wick.h"
#pragma GCC visibility pop

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>

#include "core/check.h"
#include "core/schema.h"
