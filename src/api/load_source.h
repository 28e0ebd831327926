// wick::load of bytes that somebody else owns.
#pragma once

#include "archive/archive.h"
#include "wick/module.h"

namespace wick::api {

// In place: the model keeps the source as long as it needs its bytes, and may write to them.
Module load_source(Ref<ByteSource> source, const LoadOptions& options);

}  // namespace wick::api
