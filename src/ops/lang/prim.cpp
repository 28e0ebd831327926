// Operators of the language: identity, printing, exceptions, tuples, devices, enums.
#include "ops/lang/prim.h"

#include <cstdio>
#include <functional>

#include "core/check.h"
#include "core/copy.h"
#include "core/lengths.h"
#include "core/limits.h"
#include "core/shape.h"
#include "core/tensor_impl.h"
#include "core/value_walk.h"
#include "ops/lang/printed.h"

namespace wick::ops::lang {

bool is_same_value(const IValue& a, const IValue& b) { return a.is_same(b); }
bool is_other_value(const IValue& a, const IValue& b) { return !a.is_same(b); }
IValue same_value(const IValue& v) { return v; }

IValue unwrap_optional(const IValue& v) {
  WICK_CHECK(!v.is_none(), kInvalidArgument, "Unwrapping null optional");
  return v;
}

IValue tuple_item(const TupleImpl& tuple, int64_t i) {
  const int64_t size = static_cast<int64_t>(tuple.items.size());
  const int64_t at = i < 0 ? i + size : i;
  WICK_CHECK(at >= 0 && at < size, kIndexOutOfRange, "Tuple list index out of range");
  return tuple.items[static_cast<size_t>(at)];
}

IValue if_then_else(bool condition, const IValue& a, const IValue& b) { return condition ? a : b; }

void print(Args args) {
  std::string line;
  for (size_t i = 0; i < args.count; ++i) {
    if (i > 0) line += ' ';
    line += repr(args[i]);
  }
  line += '\n';
  write_printed(line);
}

void warn(std::string_view message, int64_t) {
  const std::string line = cat("Warning: ", message, "\n");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void raise_exception(std::string_view message, const std::optional<std::string>& cls) {
  std::string text;
  if (cls) {
    text = cls->starts_with("builtins.") ? cls->substr(9) : *cls;
    if (!message.empty()) text += ": ";
  }
  text += message;
  fail(ErrorCode::kModelException, text.empty() ? "the model raised an exception" : std::move(text));
}

namespace {

// The values are libstdc++'s, as PyTorch's are on Linux.
uint64_t hash_of(const IValue& v, Descent& descent) {
  switch (v.tag()) {
    case IValue::Tag::kNone:
      return 0;
    case IValue::Tag::kBool:
      return std::hash<bool>()(v.to_bool());
    case IValue::Tag::kInt:
      return std::hash<int64_t>()(v.to_int());
    case IValue::Tag::kDouble:
      return std::hash<double>()(v.to_double());
    case IValue::Tag::kString:
      return std::hash<std::string>()(v.to_string());
    case IValue::Tag::kTensor:
      return std::hash<const void*>()(v.to_tensor().impl());
    case IValue::Tag::kDevice: {
      const Device d = v.to_device();
      return static_cast<uint64_t>(static_cast<uint8_t>(d.type)) << 16 | static_cast<uint8_t>(d.index);
    }
    case IValue::Tag::kEnum: {
      const Descent::Level level(descent, 1);
      return hash_of(v.to_enum().value, descent);
    }
    case IValue::Tag::kTuple: {
      const Descent::Level level(descent, v.to_tuple().items.size());
      uint64_t seed = 0;
      for (const IValue& item : v.to_tuple().items) {
        seed ^= hash_of(item, descent) + 0x9e3779b9 + (seed << 6) + (seed >> 2);
      }
      return seed;
    }
    default:
      fail_with<ErrorCode::kTypeMismatch>("unhashable type: '", v.type()->str(), "'");
  }
}

}  // namespace

int64_t hash(const IValue& v) {
  Descent descent("hashed");
  return static_cast<int64_t>(hash_of(v, descent));
}

int64_t object_id(const IValue& v) { return static_cast<int64_t>(reinterpret_cast<intptr_t>(v.ref_or_null())); }

std::string enum_name(const IValue& v) { return v.to_enum().name; }
IValue enum_value(const IValue& v) { return v.to_enum().value; }

IValue module_item(const ObjectImpl& container, int64_t i) {
  const int64_t size = static_cast<int64_t>(container.cls->attributes.size());
  return container.attr(cat(i < 0 ? i + size : i));
}
IValue module_entry(const ObjectImpl& container, std::string_view name) { return container.attr(name); }

Device device_of_text(std::string_view text) { return Device::parse(text); }
std::string device_type(Device device) {
  device.index = -1;
  return device.str();
}
std::optional<int64_t> device_index(Device device) {
  return device.index < 0 ? std::nullopt : std::optional<int64_t>(device.index);
}

IValue wait(const IValue& future) { return future.to_future().wait(); }

namespace {

enum ElementType : int64_t { kIntElement = 0, kFloatElement = 1, kBoolElement = 2, kComplexElement = 3 };
constexpr const char* kElementNames[] = {"Long", "Float", "Bool", "ComplexFloat"};

bool matches(DType dtype, int64_t element) {
  switch (element) {
    case kIntElement:
      return dtype == DType::kLong;
    case kFloatElement:
      return is_floating(dtype);
    case kBoolElement:
      return dtype == DType::kBool;
    default:
      return is_complex(dtype);
  }
}

TypePtr type_of_element(int64_t element) {
  switch (element) {
    case kIntElement:
      return types::integer();
    case kFloatElement:
      return types::floating();
    case kBoolElement:
      return types::boolean();
    default:
      return types::complex();
  }
}

// Elements of a contiguous tensor of long, double, bool or complex double.
IValue element_at(const Tensor& t, int64_t i) {
  switch (t.dtype()) {
    case DType::kLong:
      return IValue(t.data_ptr<int64_t>()[i]);
    case DType::kDouble:
      return IValue(t.data_ptr<double>()[i]);
    case DType::kBool:
      return IValue(t.data_ptr<bool>()[i]);
    default:
      return IValue(t.data_ptr<std::complex<double>>()[i]);
  }
}

IValue nested_list(const Tensor& t, size_t dim, int64_t& position, const TypePtr& type) {
  if (dim == static_cast<size_t>(t.dim())) return element_at(t, position++);
  const TypePtr& element = type->element(0);
  std::vector<IValue> items;
  const int64_t size = t.sizes()[dim];
  items.reserve(static_cast<size_t>(size));
  for (int64_t i = 0; i < size; ++i) items.push_back(nested_list(t, dim + 1, position, element));
  return IValue::list(element, std::move(items));
}

}  // namespace

IValue to_list(Args args) {
  WICK_CHECK(args.count == 3, kInvalidArgument, "prim::tolist takes 3 arguments, got ", args.count);
  const Tensor& t = args[0].to_tensor();
  const int64_t dim = args[1].to_int(), element = args[2].to_int();
  WICK_CHECK(element >= kIntElement && element <= kComplexElement, kInvalidArgument, "unsupported element type ",
             element, " for tolist()");
  WICK_CHECK(dim == t.dim(), kTypeMismatch,
             "Output annotation list dimension and runtime tensor dimension must match for tolist()");
  WICK_CHECK(matches(t.dtype(), element), kTypeMismatch,
             "Output annotation element type and runtime tensor element type must match for tolist(): ",
             kElementNames[element], " vs ", name_of(t.dtype()));
  const DType wide = element == kFloatElement     ? DType::kDouble
                     : element == kComplexElement ? DType::kComplexDouble
                                                  : t.dtype();
  uint64_t count = 1;  // of lists, then of elements: dims before an empty one count too
  for (const int64_t n : t.sizes()) {
    count *= static_cast<uint64_t>(n);
    WICK_CHECK(count <= limits::kMaxListLength, kLimitExceeded, "a tensor of sizes ", t.sizes(),
               " is too large for tolist()");
    check_list_length(count);
  }
  TypePtr type = type_of_element(element);
  for (int64_t d = 0; d < dim; ++d) type = types::list(type);
  int64_t position = 0;
  return nested_list(contiguous(to_dtype(t, wide)), 0, position, type);
}

Tensor tensor_of_number(const Scalar& v) { return Tensor::scalar(v, v.dtype()); }

// PyTorch names the second shape first when they do not fit.
IntVec broadcast_sizes(IntSpan a, IntSpan b) { return broadcast_shapes(b, a); }

std::optional<IntVec> size_if_not_equal(IntSpan a, IntSpan b) {
  return a == b ? std::nullopt : std::optional<IntVec>(IntVec(a));
}

IntVec squeezed_sizes(IntSpan sizes) {
  IntVec out;
  for (const int64_t n : sizes) {
    if (n != 1) out.push_back(n);
  }
  return out;
}
IntVec squeezed_sizes_dim(IntSpan sizes, int64_t dim) {
  const int64_t rank = static_cast<int64_t>(sizes.size());
  const int64_t at = dim < 0 ? dim + rank : dim;
  IntVec out(sizes);
  if (at >= 0 && at < rank && sizes[static_cast<size_t>(at)] == 1) out.erase(static_cast<size_t>(at));
  return out;
}
IntVec unsqueezed_sizes(IntSpan sizes, int64_t dim) {
  const int64_t at = wrap_dim(dim, static_cast<int64_t>(sizes.size()) + 1);
  IntVec out(sizes);
  out.insert(static_cast<size_t>(at), 1);
  return out;
}

}  // namespace wick::ops::lang
