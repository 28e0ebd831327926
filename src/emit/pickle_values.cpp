// Pickles values as TorchScript does: typed containers, objects with state, tensors in records.
#include "emit/pickle_values.h"

#include "core/check.h"
#include "core/limits.h"
#include "core/stack.h"
#include "core/tensor_impl.h"

namespace wick::emit {

namespace {

constexpr const char* kHelpers = "torch.jit._pickle";

// Function that rebuilds a list of a type that has one; null for others.
const char* list_builder(const Type& element) {
  switch (element.kind()) {
    case TypeKind::kInt:
      return "build_intlist";
    case TypeKind::kFloat:
      return "build_doublelist";
    case TypeKind::kBool:
      return "build_boollist";
    case TypeKind::kTensor:
      return "build_tensorlist";
    default:
      return nullptr;
  }
}

bool all_of_kind(const std::vector<IValue>& items, const Type& element) {
  for (const IValue& item : items) {
    const bool fits = element.is(TypeKind::kInt)     ? item.is_int()
                      : element.is(TypeKind::kFloat) ? item.is_double()
                      : element.is(TypeKind::kBool)  ? item.is_bool()
                                                     : item.is_tensor();
    if (!fits) return false;
  }
  return true;
}

const char* scheme_name(QScheme scheme) {
  switch (scheme) {
    case QScheme::kPerChannelAffine:
    case QScheme::kPerChannelSymmetric:
      return "per_channel_affine";
    case QScheme::kPerChannelAffineFloatQParams:
      return "per_channel_affine_float_qparams";
    default:
      return "per_tensor_affine";
  }
}

}  // namespace

std::vector<uint8_t> ValuePickler::run(const IValue& value) {
  emit(value, 0);
  pickle_.stop();
  return pickle_.bytes();
}

void ValuePickler::emit(const IValue& value, size_t depth) {
  WICK_CHECK(depth <= limits::kMaxPickleDepth, kLimitExceeded, "values nested deeper than ", limits::kMaxPickleDepth,
             " cannot be saved");
  check_stack("values");
  const RefCounted* ref = value.is_string() ? nullptr : value.ref_or_null();
  if (!ref || ref->use_count() == 1) return emit_new(value, depth);
  if (const auto it = memo_.find(ref); it != memo_.end()) return pickle_.get(it->second);
  bool& open = open_[ref];
  WICK_CHECK(!open, kUnsupported, "a value that contains itself cannot be saved");
  open = true;
  emit_new(value, depth);
  open_[ref] = false;
  memo_[ref] = pickle_.put();
}

void ValuePickler::emit_new(const IValue& value, size_t depth) {
  switch (value.tag()) {
    case IValue::Tag::kNone:
    case IValue::Tag::kUninitialized:
      return pickle_.none();
    case IValue::Tag::kBool:
      return pickle_.boolean(value.to_bool());
    case IValue::Tag::kInt:
      return pickle_.integer(value.to_int());
    case IValue::Tag::kDouble:
      return pickle_.floating(value.to_double());
    case IValue::Tag::kString:
      return pickle_.shared_text(value.to_string());
    case IValue::Tag::kComplex:
      return pickle_.complex(value.to_complex());
    case IValue::Tag::kDevice:
      pickle_.global("torch", "device");
      pickle_.mark();
      pickle_.shared_text(value.to_device().str());
      pickle_.tuple();
      return pickle_.reduce();
    case IValue::Tag::kTensor:
      return emit_tensor(value.to_tensor(), depth);
    case IValue::Tag::kTuple:
      return emit_tuple(value.to_tuple().items, depth);
    case IValue::Tag::kList:
      return emit_list(value, depth);
    case IValue::Tag::kDict:
      return emit_dict(value, depth);
    case IValue::Tag::kObject:
      return emit_object(value, depth);
    case IValue::Tag::kEnum:
      emit_class(value.to_enum().type_name);
      emit(value.to_enum().value, depth + 1);
      return pickle_.reduce();
    case IValue::Tag::kCustom: {
      kept_.push_back(value.to_custom().get_state());
      return emit_with_state(value.to_custom().class_name(), IValue(kept_.back()), depth);
    }
    default:
      fail_with<ErrorCode::kUnsupported>("a ", value.tag_name(), " cannot be saved in a model file");
  }
}

void ValuePickler::begin_tagged() {
  pickle_.global(kHelpers, "restore_type_tag");
  pickle_.mark();
}

void ValuePickler::end_tagged(const Type& type) {
  pickle_.shared_text(type.str());
  pickle_.tuple();
  pickle_.reduce();
}

void ValuePickler::emit_list(const IValue& value, size_t depth) {
  const ListImpl& list = value.to_list();
  const char* builder = list_builder(*list.element_type);
  if (builder && !all_of_kind(list.items, *list.element_type)) builder = nullptr;
  if (builder) {
    pickle_.global(kHelpers, builder);
    pickle_.mark();
  } else {
    begin_tagged();
  }
  pickle_.empty_list();
  pickle_.mark();
  for (const IValue& item : list.items) emit(item, depth + 1);
  pickle_.appends();
  if (!builder) return end_tagged(*types::list(list.element_type));
  pickle_.tuple();
  pickle_.reduce();
}

void ValuePickler::emit_dict(const IValue& value, size_t depth) {
  DictImpl& dict = value.to_dict();
  begin_tagged();
  pickle_.empty_dict();
  pickle_.mark();
  for (const auto& [key, item] : dict.entries()) {
    emit(key, depth + 1);
    emit(item, depth + 1);
  }
  pickle_.set_items();
  end_tagged(*types::dict(dict.key_type, dict.value_type));
}

void ValuePickler::emit_tuple(const std::vector<IValue>& items, size_t depth) {
  if (items.empty()) return pickle_.empty_tuple();
  pickle_.mark();
  for (const IValue& item : items) emit(item, depth + 1);
  pickle_.tuple();
}

void ValuePickler::emit_class(std::string_view class_name) {
  const size_t dot = class_name.rfind('.');
  WICK_CHECK(dot != std::string_view::npos && class_name.find('\n') == std::string_view::npos, kUnsupported, "'",
             class_name, "' is not the qualified name of a class and cannot be saved");
  pickle_.global(class_name.substr(0, dot), class_name.substr(dot + 1));
}

void ValuePickler::emit_with_state(std::string_view class_name, const IValue& state, size_t depth) {
  emit_class(class_name);
  pickle_.empty_tuple();
  pickle_.new_object();
  emit(state, depth + 1);
  pickle_.build();
}

void ValuePickler::emit_object(const IValue& value, size_t depth) {
  const ObjectImpl& object = value.to_object();
  if (custom_state_) {
    if (std::optional<IValue> state = custom_state_(value)) {
      kept_.push_back(std::move(*state));
      return emit_with_state(object.cls->name, IValue(kept_.back()), depth);
    }
  }
  emit_class(object.cls->name);
  pickle_.empty_tuple();
  pickle_.new_object();
  pickle_.empty_dict();
  pickle_.mark();
  const size_t slots = std::max(object.slot_count(), object.cls->attributes.size());
  for (size_t i = 0; i < slots; ++i) {
    // A slot that only __setstate__ or the bytecode knows has no name.
    pickle_.shared_text(i < object.cls->attributes.size() ? object.cls->attributes[i] : cat("_slot", i));
    emit(i < object.slot_count() ? object.get(i) : IValue(), depth + 1);
  }
  pickle_.set_items();
  pickle_.build();
}

void ValuePickler::emit_tensor(const Tensor& tensor, size_t depth) {
  WICK_CHECK(!tensor.impl()->row_lengths, kUnsupported, "a nested tensor cannot be saved in a model file");
  pickle_.global("torch._utils", tensor.is_quantized() ? "_rebuild_qtensor" : "_rebuild_tensor_v2");
  pickle_.mark();
  emit_storage(tensor);
  pickle_.integer(tensor.storage_offset());
  emit_integers(tensor.sizes());
  emit_integers(tensor.strides());
  if (tensor.is_quantized()) emit_quantizer(tensor.quantizer(), depth);
  pickle_.boolean(tensor.requires_grad());
  pickle_.global("collections", "OrderedDict");
  pickle_.empty_tuple();
  pickle_.reduce();
  pickle_.tuple();
  pickle_.reduce();
}

void ValuePickler::emit_storage(const Tensor& tensor) {
  const std::string& key = storages_.key_of(tensor);
  const std::string known = cat(name_of(tensor.dtype()), " ", key);
  if (const auto it = storage_memo_.find(known); it != storage_memo_.end()) return pickle_.get(it->second);
  pickle_.mark();
  pickle_.shared_text("storage");
  pickle_.global("torch", cat(name_of(tensor.dtype()), "Storage"));
  pickle_.shared_text(key);
  pickle_.shared_text("cpu");
  pickle_.integer(static_cast<int64_t>(tensor.storage()->nbytes() / tensor.itemsize()));
  pickle_.tuple();
  pickle_.persistent_id();
  storage_memo_[known] = pickle_.put();
}

void ValuePickler::emit_quantizer(const Quantizer& quantizer, size_t depth) {
  pickle_.mark();
  pickle_.global("torch", scheme_name(quantizer.scheme));
  if (quantizer.scales.defined()) {
    emit(quantizer.scales, depth + 1);
    emit(quantizer.zero_points, depth + 1);
    pickle_.integer(quantizer.axis);
  } else {
    pickle_.floating(quantizer.scale);
    pickle_.integer(quantizer.zero_point);
  }
  pickle_.tuple();
}

void ValuePickler::emit_integers(IntSpan values) {
  pickle_.mark();
  for (int64_t v : values) pickle_.integer(v);
  pickle_.tuple();
}

}  // namespace wick::emit
