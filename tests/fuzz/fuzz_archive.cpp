// Zip archives, pickles and torch.save files: any bytes give a value or a wick::Error, and a value that was
// read can be written and read again.
#include <cstdint>
#include <cstdlib>

#include "archive/archive.h"
#include "archive/pickle.h"
#include "core/tensor_impl.h"
#include "wick/error.h"
#include "wick/save.h"

namespace {

// Reads every element's byte range the way a kernel would: any overrun is the sanitizer's to find.
void touch(const wick::Tensor& t) {
  if (t.numel() == 0) return;
  size_t last = 0;
  for (size_t d = 0; d < t.sizes().size(); ++d) last += static_cast<size_t>((t.sizes()[d] - 1) * t.strides()[d]);
  const auto* p = static_cast<const uint8_t*>(t.raw_data());
  [[maybe_unused]] volatile uint8_t sink = p[0];
  sink = p[(last + 1) * t.itemsize() - 1];
}

void touch(const wick::IValue& value, int depth) {
  if (depth > 20) return;
  if (value.is_tensor()) touch(value.to_tensor());
  if (value.is_tuple()) {
    for (const wick::IValue& item : value.to_tuple().items) touch(item, depth + 1);
  }
  if (value.is_dict() && value.to_dict().size() < 100) {
    for (const auto& [key, item] : value.to_dict().entries()) touch(item, depth + 1);
  }
}

void load_and_save(wick::Bytes bytes) {
  const wick::IValue value = wick::load_saved(wick::ByteSource::copy_of(bytes));
  touch(value, 0);
  const auto saved = wick::save_tensors(value);
  try {
    wick::load_saved(wick::ByteSource::copy_of(saved));
  } catch (const wick::Error&) {
    std::abort();  // what was loaded and saved must load again
  }
}

// A pickle alone, with objects and storages from thin air.
void read_alone(wick::Bytes bytes) {
  wick::PickleEnvironment environment;
  environment.storage = [](const std::string&, uint64_t nbytes, size_t) {
    constexpr uint64_t kMost = 1 << 16;
    return wick::make_ref<wick::StorageImpl>(static_cast<size_t>(nbytes < kMost ? nbytes : kMost));
  };
  environment.object = [](const std::string& name, wick::IValue state) {
    return wick::IValue::tuple({wick::IValue(name), std::move(state)});
  };
  environment.enumeration = environment.object;
  touch(wick::read_pickle(bytes, "input", environment), 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const wick::Bytes bytes(data, size);
  for (const auto action : {load_and_save, read_alone}) {
    try {
      action(bytes);
    } catch (const wick::Error&) {
    }
  }
  return 0;
}
