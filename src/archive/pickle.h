// The pickle subset of model files, read into IValues. Nothing in a pickle is executed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "archive/archive.h"
#include "core/callback.h"
#include "core/tensor_impl.h"
#include "wick/ivalue.h"

namespace wick {

// What a pickle refers to outside itself. Unset members refuse what they would resolve; what they refer to must live
// until the pickle is read.
struct PickleEnvironment {
  // Bytes of storage `key` with at least `nbytes` bytes (nbytes 0: may be missing). Called once per key and pickle.
  Callback<Storage(const std::string& key, uint64_t nbytes, size_t itemsize)> storage;
  // An instance of class `qualified_name` ("__torch__.M") with its pickled state.
  Callback<IValue(const std::string& qualified_name, const IValue& state)> object;
  // An enum member from its raw value; called for REDUCE on a "__torch__" class.
  Callback<IValue(const std::string& qualified_name, const IValue& value)> enumeration;
  // Resolves a "__torch__" name inside a type tag to a named tuple; may be null.
  Callback<TypePtr(const std::string& qualified_name)> named_type;
  // Storages hold big-endian elements; they are copied and swapped (see is_big_endian in container.h).
  bool swap_bytes = false;
  // In a selective build: set to the first thing that the build does not read ("tensors"). Such values stay
  // uninitialized then; they are refused when this is null.
  std::string* unread = nullptr;
};

// Throws kCorruptFile with `record`, the offset and the reason; kUnsupported for a global it does not know.
// Container nesting is limited (limits.h); memory used is proportional to the input.
IValue read_pickle(Bytes pickle, const std::string& record, const PickleEnvironment& environment);

// Reads what torch.save wrote: a zip container, or the old non-zip form.
IValue load_saved(Ref<ByteSource> source);
IValue load_saved(const std::string& path);

}  // namespace wick
