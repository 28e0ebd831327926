// wick::load: what kind of file it is, and which frontend reads it.
#include <cstring>

#include "api/load_source.h"
#include "api/module_access.h"
#include "api/restore.h"
#include "archive/archive.h"
#include "archive/other_formats.h"
#include "config/build.h"
#include "core/budget.h"
#include "core/callback.h"
#include "core/check.h"
#include "core/out_of_memory.h"
#include "frontend/bytecode/lite.h"
#include "frontend/flatbuffer/flatbuffer.h"
#ifdef WICK_WITH_TORCHSCRIPT
#include "frontend/script/torchscript.h"
#endif
#include "kernels/machine.h"
#include "wick/module.h"

namespace wick {
namespace {

Module load_any(Ref<ByteSource> source, const LoadOptions& options) {
  if constexpr (build::kTensors) {  // others have no kernels
    const char* lacks = kernels::missing_instructions();
    WICK_CHECK(!lacks, kUnsupported, "this build of Wick needs a processor with ", lacks);
  }
  const Bytes bytes = source->bytes();
  Restorer restorer(options, bytes.size());
  WICK_CHECK(!bytes.empty(), kCorruptFile, "the file is empty: not a model");
  if (bytes.size() >= 8 && std::memcmp(bytes.data() + 4, "PTMF", 4) == 0) {
    if constexpr (build::kFlatbuffer) {
      return make_module(load_flatbuffer(std::move(source), options, restorer.run_set_state()));
    }
    fail_with<ErrorCode::kUnsupported>("a flatbuffer model, which this selective build does not read");
  }
  if constexpr (!build::kIsSelective) {
    const char* other = describe_other_format(bytes);
    WICK_CHECK(!other, kUnsupported, "this is ", other);
  }
  WICK_CHECK(bytes.size() >= 4 && std::memcmp(bytes.data(), "PK", 2) == 0, kCorruptFile,
             "not a PyTorch model: expected a zip archive (PK) or a flatbuffer (PTMF) at the start of the file");
  const ZipReader zip(std::move(source), options.max_inflated);
  if (!zip.has("bytecode.pkl") && zip.has("constants.pkl") && zip.has("data.pkl")) {
#ifdef WICK_WITH_TORCHSCRIPT
    return make_module(load_torchscript(zip, options, restorer.run_set_state()));
#endif
  }
  return make_module(load_lite(zip, options, restorer.run_set_state()));
}

Module load_bounded(Ref<ByteSource> source, const LoadOptions& options) {
  if constexpr (!build::kLimits) {
    fail_with<ErrorCode::kUnsupported>("this selective build has no bounds of loads: build it with WICK_LIMITS");
  } else {
    const BoundedWork bounded(
        "loading the model",
        {.timeout = options.timeout, .max_memory = options.max_memory, .cancellation = options.cancellation});
    check_budget();
    Module module = load_any(std::move(source), options);
    if (options.max_plan_memory > 0) set_max_plan_memory(module, options.max_plan_memory);
    return module;
  }
}

bool is_bounded(const LoadOptions& options) {
  return options.timeout.count() > 0 || options.max_memory > 0 || options.max_plan_memory > 0 || options.cancellation;
}

// From the source that `open` gives; its argument says whether to copy the file.
Module load_opened(const LoadOptions& options, const Callback<Ref<ByteSource>(bool)>& open) {
  try {
    Ref<ByteSource> source = open(options.copy);
    return is_bounded(options) ? load_bounded(std::move(source), options) : load_any(std::move(source), options);
  } catch (...) {
    rethrow_out_of_memory("not enough memory to load the model");
  }
}

}  // namespace

Module load(const std::string& path, const LoadOptions& options) {
  bool is_open = false;
  try {
    return load_opened(options, [&](bool copy) {
      Ref<ByteSource> source = ByteSource::open_file(path, copy);
      is_open = true;
      return source;
    });
  } catch (Error& error) {
    if (!is_open) throw;  // it names the file itself
    throw with_memory_errors([&] { return Error(error.code(), cat(path, ": ", error.message())); });
  }
}

Module load(std::span<const uint8_t> bytes, const LoadOptions& options) {
  return load_opened(options, [bytes](bool) { return ByteSource::copy_of(bytes); });
}

Module api::load_source(Ref<ByteSource> source, const LoadOptions& options) {
  return load_opened(options, [&source](bool) { return std::move(source); });
}

Module load(int fd, uint64_t offset, uint64_t length, const LoadOptions& options) {
  return load_opened(options, [=](bool copy) { return ByteSource::open_fd(fd, offset, length, copy); });
}

}  // namespace wick
