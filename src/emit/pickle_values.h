// Values as TorchScript's pickles hold them: typed lists and dicts, objects with their state, tensors in records of
// their own.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>

#include "archive/write_pickle.h"
#include "emit/storages.h"
#include "wick/ivalue.h"

namespace wick::emit {

class ValuePickler {
 public:
  // What an object is restored from when not from its attributes: what its __getstate__ gives.
  using CustomState = std::function<std::optional<IValue>(const IValue& object)>;

  explicit ValuePickler(StorageTable& storages, CustomState custom_state = nullptr)
      : storages_(storages), custom_state_(std::move(custom_state)) {}

  // One pickle. What is shared within the value stays shared. Throws kUnsupported for values no file can hold,
  // kLimitExceeded for values nested too deeply.
  std::vector<uint8_t> run(const IValue& value);

 private:
  void emit(const IValue& value, size_t depth);
  void emit_new(const IValue& value, size_t depth);
  void emit_list(const IValue& value, size_t depth);
  void emit_dict(const IValue& value, size_t depth);
  void emit_tuple(const std::vector<IValue>& items, size_t depth);
  void emit_object(const IValue& value, size_t depth);
  void emit_with_state(std::string_view class_name, const IValue& state, size_t depth);
  void emit_class(std::string_view class_name);
  void emit_tensor(const Tensor& tensor, size_t depth);
  void emit_storage(const Tensor& tensor);
  void emit_quantizer(const Quantizer& quantizer, size_t depth);
  void emit_integers(IntSpan values);
  // restore_type_tag(<the value between>, "List[str]")
  void begin_tagged();
  void end_tagged(const Type& type);

  StorageTable& storages_;
  CustomState custom_state_;
  PickleWriter pickle_;
  std::unordered_map<const RefCounted*, uint32_t> memo_;
  std::unordered_map<const RefCounted*, bool> open_;
  std::unordered_map<std::string, uint32_t> storage_memo_;
  std::vector<IValue> kept_;  // states made while pickling: what is in the memo must not be freed
};

}  // namespace wick::emit
