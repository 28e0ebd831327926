// Rebuilds the tensors of a pickle from checked storages and strides.
#include "archive/pickle_tensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/copy.h"
#include "core/limits.h"
#include "core/selection.h"
#include "core/tensor_impl.h"

namespace wick {
namespace {

// Bytes of the unit whose order of bytes matters: a complex number has two.
size_t component_size(DType dtype) { return is_complex(dtype) ? itemsize(dtype) / 2 : itemsize(dtype); }

bool requires_grad_of(const IValue& value) { return value.is_bool() && value.to_bool(); }

// Flips the sign of every `step`-th component from `first` on; all float formats keep the sign in the top bit.
void flip_signs(uint8_t* data, size_t component, size_t count, size_t first, size_t step) {
  for (size_t i = first; i < count; i += step) data[i * component + component - 1] ^= 0x80;
}

int64_t values_per_byte(DType dtype) { return dtype == DType::kQUInt4x2 ? 2 : dtype == DType::kQUInt2x4 ? 4 : 1; }

}  // namespace

void TensorBuilder::expect_args(const GlobalRef& function, const std::vector<IValue>& args, size_t least, size_t most) {
  if (args.size() < least || args.size() > most) {
    context_.bad(function.name, " is called with ", args.size(), " arguments");
  }
}

Ref<StorageRef> TensorBuilder::storage(const IValue& persistent_id) {
  if (!persistent_id.is_tuple()) context_.bad("a persistent id is not a tuple");
  const std::vector<IValue>& id = persistent_id.to_tuple().items;
  if (id.empty() || !id[0].is_string() || id[0].to_string() != "storage") {
    context_.unsupported("a persistent id does not name a storage");
  }
  if (id.size() < 5 || id.size() > 6 || !id[2].is_string() || !id[4].is_int() || !id[1].is_custom()) {
    context_.bad("a storage needs ('storage', class, key, location, number of elements)");
  }
  const auto* cls = cast_to<const GlobalRef>(&id[1].to_custom());
  if (!cls) context_.bad("a storage has no class");
  if (cls->global.kind != GlobalKind::kStorage && cls->global.kind != GlobalKind::kUntypedStorage) {
    context_.unsupported("storages of class ", cls->name, " are not supported");
  }
  auto ref = make_ref<StorageRef>();
  ref->key = id[2].to_string();
  ref->name = cat("storage '", ref->key, "'");
  ref->untyped = cls->global.kind == GlobalKind::kUntypedStorage;
  ref->dtype = cls->global.dtype;
  const uint64_t element = itemsize(ref->dtype);
  const int64_t numel = id[4].to_int();
  if (numel < 0 || __builtin_mul_overflow(static_cast<uint64_t>(numel), element, &ref->nbytes)) {
    context_.bad(ref->name, " has ", numel, " elements");
  }
  load(ref->key, ref->nbytes, ref->dtype);
  if (id.size() == 6 && !id[5].is_none()) {
    const bool shaped = id[5].is_tuple() && id[5].to_tuple().items.size() == 3;
    if (!shaped) context_.bad("the view of ", ref->name, " is not (key, offset, size)");
    const std::vector<IValue>& view = id[5].to_tuple().items;
    if (!view[1].is_int() || !view[2].is_int() || view[1].to_int() < 0 || view[2].to_int() < 0 ||
        view[1].to_int() > numel || view[2].to_int() > numel - view[1].to_int()) {
      context_.bad("the view of ", ref->name, " is outside of it");
    }
    ref->begin = static_cast<uint64_t>(view[1].to_int()) * element;
    ref->nbytes = static_cast<uint64_t>(view[2].to_int()) * element;
  }
  return ref;
}

TensorBuilder::Loaded& TensorBuilder::load(const std::string& key, uint64_t nbytes, DType dtype) {
  context_.charge_work(key.size());
  const auto [it, fresh] = loaded_.try_emplace(key);
  Loaded& loaded = it->second;
  if (!fresh) {
    if (nbytes > loaded.nbytes) {
      context_.bad("storage '", key, "' has ", nbytes, " bytes here but ", loaded.nbytes, " elsewhere");
    }
    return loaded;
  }
  if (!environment_.storage) context_.unsupported("the pickle holds tensors, which are not expected here");
  loaded.storage = environment_.storage(key, nbytes, itemsize(dtype));
  if (!loaded.storage) loaded.storage = make_ref<StorageImpl>(0);
  if (loaded.storage->nbytes() < nbytes) {
    context_.bad("storage '", key, "' has ", loaded.storage->nbytes(), " bytes, not ", nbytes);
  }
  loaded.nbytes = nbytes;
  context_.allow_copies(loaded.storage->nbytes());
  if (environment_.swap_bytes) swap_bytes(loaded, dtype);
  return loaded;
}

void TensorBuilder::swap_bytes(Loaded& loaded, DType dtype) {
  const size_t unit = component_size(dtype);
  if (unit == 1) return;
  auto swapped = make_ref<StorageImpl>(loaded.storage->nbytes());
  const auto* from = static_cast<const uint8_t*>(loaded.storage->data());
  auto* to = static_cast<uint8_t*>(swapped->data());
  for (size_t at = 0; at + unit <= swapped->nbytes(); at += unit)
    std::reverse_copy(from + at, from + at + unit, to + at);
  loaded.storage = std::move(swapped);
}

const StorageRef& TensorBuilder::storage_ref(const IValue& value) {
  const StorageRef* ref = value.is_custom() ? cast_to<const StorageRef>(&value.to_custom()) : nullptr;
  if (!ref) context_.bad("a tensor needs a storage, not a ", value.tag_name());
  return *ref;
}

IntVec TensorBuilder::integers(const IValue& value, const char* what) {
  if (!value.is_tuple() && !value.is_list()) context_.bad("the ", what, " of a tensor are a ", value.tag_name());
  const std::vector<IValue>& items = value.is_tuple() ? value.to_tuple().items : value.to_list().items;
  if (items.size() > limits::kMaxTensorDims) {
    context_.too_much("a tensor has ", items.size(), " dimensions; at most ", limits::kMaxTensorDims, " are supported");
  }
  IntVec out;
  for (const IValue& item : items) {
    if (!item.is_int() || item.to_int() < 0) context_.bad("the ", what, " of a tensor must be integers >= 0");
    out.push_back(item.to_int());
  }
  return out;
}

// Sets sizes, strides and numel of the tensor. Returns how many elements it needs from the start of its storage;
// for an empty tensor 0.
uint64_t TensorBuilder::set_shape(TensorImpl& impl, const IValue& offset, const IValue& sizes, const IValue& strides) {
  impl.sizes = integers(sizes, "sizes");
  impl.strides = integers(strides, "strides");
  if (!offset.is_int() || offset.to_int() < 0) context_.bad("the offset of a tensor must be an integer >= 0");
  if (impl.sizes.size() != impl.strides.size()) context_.bad("a tensor has as many strides as sizes");
  impl.offset = offset.to_int();

  // Sizes of empty tensors must not overflow either: operators multiply them.
  bool overflow = false, empty = false;
  int64_t numel = 1, end = impl.offset;
  for (size_t d = 0; d < impl.sizes.size() && !overflow; ++d) {
    const int64_t size = std::max<int64_t>(impl.sizes[d], 1);
    int64_t spread;
    empty |= impl.sizes[d] == 0;
    overflow = __builtin_mul_overflow(numel, size, &numel) || __builtin_mul_overflow(impl.strides[d], size, &spread) ||
               __builtin_add_overflow(end, spread - impl.strides[d], &end);
  }
  int64_t bytes;
  overflow = overflow || __builtin_mul_overflow(numel, static_cast<int64_t>(itemsize(impl.dtype)), &bytes) ||
             __builtin_add_overflow(end, 1, &end);
  if (overflow) context_.bad("sizes ", impl.sizes.span(), " with strides ", impl.strides.span(), " overflow");
  impl.numel = checked_numel(impl.sizes.span());
  return empty ? 0 : static_cast<uint64_t>(end);
}

Tensor TensorBuilder::strided(const IValue& storage, DType dtype, const IValue& offset, const IValue& sizes,
                              const IValue& strides) {
  const StorageRef& ref = storage_ref(storage);
  auto impl = make_ref<TensorImpl>();
  impl->dtype = dtype;
  const uint64_t needed = set_shape(*impl, offset, sizes, strides);
  Loaded& loaded = loaded_.at(ref.key);
  if constexpr (build::kQuantized) {
    if (values_per_byte(dtype) > 1) return sub_byte(loaded, ref, std::move(impl));
  }

  const uint64_t element = itemsize(dtype);
  if (ref.begin % element != 0) context_.bad("the view of a storage splits an element");
  const uint64_t available = ref.nbytes / element;
  if (needed > available) {
    context_.bad("a tensor of sizes ", impl->sizes.span(), ", strides ", impl->strides.span(), " and offset ",
                 impl->offset, " needs ", needed, " elements; ", ref.name, " has ", available);
  }
  prepare(loaded, dtype);
  impl->storage = loaded.storage;
  // An empty tensor may point anywhere in PyTorch; here it points into its storage.
  if (static_cast<uint64_t>(impl->offset) > available) impl->offset = 0;
  impl->offset += static_cast<int64_t>(ref.begin / element);
  return Tensor(std::move(impl));
}

// Makes the storage fit to be read as elements of the dtype: aligned, and bools that are 0 or 1.
void TensorBuilder::prepare(Loaded& loaded, DType dtype) {
  const uint64_t alignment = std::min<uint64_t>(component_size(dtype), 8);
  if (reinterpret_cast<uintptr_t>(loaded.storage->data()) % alignment != 0) {
    auto aligned = make_ref<StorageImpl>(loaded.storage->nbytes());
    std::memcpy(aligned->data(), loaded.storage->data(), aligned->nbytes());
    loaded.storage = std::move(aligned);
  }
  if (dtype == DType::kBool && !loaded.are_bools) {
    auto* bytes = static_cast<uint8_t*>(loaded.storage->data());
    for (size_t i = 0; i < loaded.storage->nbytes(); ++i) {
      if (bytes[i] > 1) bytes[i] = 1;
    }
    loaded.are_bools = true;
  }
}

// Two or four values share a byte, each row of the last dimension begins a new one. The storage is padded to
// one byte an element, which is what the rest of the library may assume of any tensor.
Tensor TensorBuilder::sub_byte(Loaded& loaded, const StorageRef& ref, Ref<TensorImpl> impl) {
  Tensor tensor(impl);
  if (impl->offset != 0) context_.unsupported("views of 4-bit and 2-bit tensors are not supported");
  if (!(impl->strides == contiguous_strides(impl->sizes).span())) {
    context_.unsupported("4-bit and 2-bit tensors must be contiguous");
  }
  const int64_t per_byte = values_per_byte(impl->dtype);
  const int64_t columns = impl->sizes.empty() ? 1 : impl->sizes.back();
  const int64_t packed_columns = columns / per_byte + (columns % per_byte != 0 ? 1 : 0);
  const int64_t packed = impl->numel == 0 ? 0 : impl->numel / columns * packed_columns;
  if (static_cast<uint64_t>(packed) > ref.nbytes) {
    context_.bad("a tensor of sizes ", impl->sizes.span(), " needs ", packed, " bytes; ", ref.name, " has ",
                 ref.nbytes);
  }
  context_.charge_copy(static_cast<uint64_t>(impl->numel));
  impl->storage = make_ref<StorageImpl>(static_cast<size_t>(impl->numel));
  if (impl->numel != 0) {
    const size_t n = std::min<size_t>(ref.nbytes, static_cast<size_t>(impl->numel));
    auto* to = static_cast<uint8_t*>(impl->storage->data());
    std::memcpy(to, static_cast<const uint8_t*>(loaded.storage->data()) + ref.begin, n);
    std::memset(to + n, 0, static_cast<size_t>(impl->numel) - n);
  }
  return tensor;
}

Tensor TensorBuilder::with_metadata(Tensor tensor, const IValue& metadata) {
  if (metadata.is_none()) return tensor;
  if (!metadata.is_dict()) context_.bad("the metadata of a tensor is not a dict");
  bool conjugate = false, negative = false;
  for (const auto& [key, value] : metadata.to_dict().entries()) {
    const bool set = value.is_bool() && value.to_bool();
    if (key.is_string() && key.to_string() == "conj") conjugate = set && is_complex(tensor.dtype());
    if (key.is_string() && key.to_string() == "neg") negative = set;
  }
  if (!conjugate && !negative) return tensor;
  if (!is_complex(tensor.dtype()) && !is_floating(tensor.dtype())) {
    context_.bad("a tensor of dtype ", name_of(tensor.dtype()), " cannot be negated lazily");
  }
  context_.charge_copy(tensor.nbytes());
  Tensor copy = clone(tensor);
  copy.impl()->requires_grad = tensor.requires_grad();
  if (copy.numel() == 0) return copy;
  auto* data = static_cast<uint8_t*>(copy.raw_data());
  const size_t component = component_size(copy.dtype());
  const size_t count = copy.nbytes() / component;
  if (negative) flip_signs(data, component, count, 0, 1);
  if (conjugate) flip_signs(data, component, count, 1, 2);
  return copy;
}

// PyTorch 1.4 wrote the scales and zero points of channels as lists of numbers.
Tensor TensorBuilder::listed_parameter(const std::vector<IValue>& numbers) {
  const bool integers = !numbers.empty() && numbers[0].is_int();
  for (const IValue& n : numbers) {
    if (integers ? !n.is_int() : !n.is_double()) return Tensor();
  }
  context_.charge_copy(numbers.size() * sizeof(double));
  std::vector<int64_t> whole;
  std::vector<double> floats;
  for (const IValue& n : numbers) {
    if (integers) {
      whole.push_back(n.to_int());
    } else {
      floats.push_back(n.to_double());
    }
  }
  return integers ? Tensor::from_values<int64_t>(whole) : Tensor::from_values<double>(floats);
}

Tensor TensorBuilder::channel_parameter(const IValue& value, int64_t channels, const char* what) {
  const Tensor t = value.is_list()     ? listed_parameter(value.to_list().items)
                   : value.is_tensor() ? value.to_tensor()
                                       : Tensor();
  if (!t.defined()) context_.bad("the ", what, " of a quantized tensor are not a tensor");
  if (t.dim() != 1 || t.numel() != channels) {
    context_.bad("a quantized tensor of ", channels, " channels has ", what, " of sizes ", t.sizes());
  }
  if (!t.is_contiguous()) context_.charge_copy(t.nbytes());
  return contiguous(t);
}

Tensor TensorBuilder::converted(const Tensor& tensor, DType dtype) {
  if (tensor.dtype() == dtype) return tensor;
  context_.charge_copy(static_cast<uint64_t>(tensor.numel()) * itemsize(dtype));
  return to_dtype(tensor, dtype);
}

Tensor TensorBuilder::quantized(const std::vector<IValue>& args) {
  const StorageRef& ref = storage_ref(args[0]);
  if (!is_quantized(ref.dtype)) context_.bad("a quantized tensor has a storage of dtype ", name_of(ref.dtype));
  Tensor tensor = strided(args[0], ref.dtype, args[1], args[2], args[3]);
  if (!args[4].is_tuple()) context_.bad("the quantizer of a tensor is not a tuple");
  const std::vector<IValue>& parts = args[4].to_tuple().items;
  if (parts.empty() || !parts[0].is_int()) context_.bad("the quantizer of a tensor has no scheme");
  auto quantizer = std::make_shared<Quantizer>();
  const int64_t scheme = parts[0].to_int();
  if (scheme == static_cast<int64_t>(QScheme::kPerTensorAffine)) {
    if (parts.size() != 3 || !(parts[1].is_double() || parts[1].is_int()) || !parts[2].is_int()) {
      context_.bad("per_tensor_affine needs a scale and a zero point");
    }
    quantizer->scale = parts[1].to_double();
    quantizer->zero_point = parts[2].to_int();
  } else if (scheme == static_cast<int64_t>(QScheme::kPerChannelAffine) ||
             scheme == static_cast<int64_t>(QScheme::kPerChannelAffineFloatQParams)) {
    if (parts.size() != 4 || !parts[3].is_int()) {
      context_.bad("per_channel_affine needs scales, zero points and an axis");
    }
    quantizer->axis = parts[3].to_int();
    if (quantizer->axis < 0 || quantizer->axis >= tensor.dim()) {
      context_.bad("axis ", quantizer->axis, " is not one of the ", tensor.dim(), " dimensions of a quantized tensor");
    }
    const int64_t channels = tensor.sizes()[static_cast<size_t>(quantizer->axis)];
    quantizer->scales = channel_parameter(parts[1], channels, "scales");
    quantizer->zero_points = channel_parameter(parts[2], channels, "zero points");
    // Python writes per_channel_affine for both schemes; the dtype of the scales tells them apart.
    const bool floating = quantizer->scales.dtype() == DType::kFloat && quantizer->zero_points.dtype() == DType::kFloat;
    quantizer->scheme = floating ? QScheme::kPerChannelAffineFloatQParams : QScheme::kPerChannelAffine;
    if (!floating) {
      if (!is_floating(quantizer->scales.dtype()) || !is_integral(quantizer->zero_points.dtype(), false)) {
        context_.bad("the scales of a quantized tensor must be floating and its zero points integers");
      }
      quantizer->scales = converted(quantizer->scales, DType::kDouble);
      quantizer->zero_points = converted(quantizer->zero_points, DType::kLong);
    }
  } else {
    context_.unsupported("quantization scheme ", scheme, " is not supported");
  }
  tensor.impl()->quantizer = std::move(quantizer);
  tensor.impl()->requires_grad = requires_grad_of(args[5]);
  return tensor;
}

Tensor TensorBuilder::parameter(const GlobalRef& function, const std::vector<IValue>& args) {
  expect_args(function, args, 1, 4);
  if (!args[0].is_tensor()) context_.bad(function.name, " needs a tensor, not a ", args[0].tag_name());
  Tensor tensor = args[0].to_tensor().alias();
  tensor.impl()->requires_grad = args.size() < 2 || requires_grad_of(args[1]);
  return tensor;
}

// Copies each value, a run of elements, to its coordinates in a dense tensor.
void TensorBuilder::scatter_values(const Tensor& where, const Tensor& values, const Tensor& dense) const {
  const int64_t dims = where.sizes()[0], count = where.sizes()[1];
  const size_t run = values.nbytes() / static_cast<size_t>(count);
  int64_t last = -1;
  for (int64_t k = 0; k < count; ++k) {
    int64_t index = 0;
    for (int64_t i = 0; i < dims; ++i) {
      const int64_t at = where.data_ptr<int64_t>()[i * count + k], size = dense.sizes()[static_cast<size_t>(i)];
      if (at < 0 || at >= size) context_.bad("coordinate ", at, " of a sparse tensor is not in a dimension of ", size);
      index = index * size + at;
    }
    if (index <= last) context_.unsupported("a sparse tensor whose values are not in order (coalesce it)");
    last = index;
    std::memcpy(static_cast<uint8_t*>(dense.raw_data()) + static_cast<size_t>(index) * run,
                static_cast<const uint8_t*>(values.raw_data()) + static_cast<size_t>(k) * run, run);
  }
}

// A sparse tensor of coordinates becomes the dense tensor it stands for. TorchScript writes it as its layout, sizes,
// requires_grad, coordinates (a column for each value) and values.
Tensor TensorBuilder::sparse(const GlobalRef& function, const std::vector<IValue>& args) {
  constexpr int64_t kCoordinates = 1;
  if (args.size() < 5 || !args[0].is_int() || args[0].to_int() != kCoordinates || !args[3].is_tensor() ||
      !args[4].is_tensor()) {
    context_.unsupported(
        function.name,
        ": nested, meta and mkldnn tensors are not supported, nor sparse ones but coordinates in a model");
  }
  const IntVec sizes = integers(args[1], "sizes");
  const Tensor where = args[3].to_tensor(), values = args[4].to_tensor();
  const int64_t dims = where.dim() == 2 ? where.sizes()[0] : -1, count = dims < 0 ? 0 : where.sizes()[1];
  bool fits = dims >= 0 && sizes.size() <= limits::kMaxTensorDims && dims <= static_cast<int64_t>(sizes.size()) &&
              where.dtype() == DType::kLong && !is_quantized(values.dtype()) &&
              values.dim() == static_cast<int64_t>(sizes.size()) - dims + 1 && values.sizes()[0] == count;
  for (size_t i = static_cast<size_t>(dims); fits && i < sizes.size(); ++i) {
    fits = values.sizes()[i - static_cast<size_t>(dims) + 1] == sizes[i];
  }
  int64_t numel = 1;
  for (int64_t size : sizes) fits = fits && !__builtin_mul_overflow(numel, size, &numel);
  uint64_t nbytes = 0;
  fits = fits && !__builtin_mul_overflow(static_cast<uint64_t>(numel), itemsize(values.dtype()), &nbytes);
  if (!fits) context_.bad("the coordinates and values of a sparse tensor of sizes ", sizes.span(), " do not fit it");
  context_.charge_copy(nbytes);
  context_.charge_copy(where.nbytes() + values.nbytes());
  Tensor dense = Tensor::zeros(sizes, values.dtype());
  if (values.numel() != 0) scatter_values(contiguous(where), contiguous(values), dense);
  dense.impl()->requires_grad = requires_grad_of(args[2]);
  return dense;
}

Tensor TensorBuilder::rebuild(const GlobalRef& function, const std::vector<IValue>& args) {
  const auto plain_dtype = [&](DType dtype) {
    if (is_quantized(dtype)) context_.bad("a tensor of dtype ", name_of(dtype), " has no quantizer");
    return dtype;
  };
  switch (function.global.kind) {
    case GlobalKind::kRebuildTensor:
      expect_args(function, args, 4, 4);
      return strided(args[0], plain_dtype(storage_ref(args[0]).dtype), args[1], args[2], args[3]);
    case GlobalKind::kRebuildTensorV2: {
      expect_args(function, args, 5, 7);
      Tensor tensor = strided(args[0], plain_dtype(storage_ref(args[0]).dtype), args[1], args[2], args[3]);
      tensor.impl()->requires_grad = requires_grad_of(args[4]);
      return args.size() > 6 ? with_metadata(std::move(tensor), args[6]) : tensor;
    }
    case GlobalKind::kRebuildTensorV3: {
      expect_args(function, args, 7, 8);
      if (!args[6].is_int() || !is_valid_dtype(args[6].to_int())) context_.unsupported("a tensor has an unknown dtype");
      const DType dtype = plain_dtype(static_cast<DType>(args[6].to_int()));
      Tensor tensor = strided(args[0], dtype, args[1], args[2], args[3]);
      tensor.impl()->requires_grad = requires_grad_of(args[4]);
      return args.size() > 7 ? with_metadata(std::move(tensor), args[7]) : tensor;
    }
    case GlobalKind::kRebuildQTensor:
      expect_args(function, args, 6, 7);
      if constexpr (build::kQuantized) {
        return quantized(args);
      } else {
        context_.unsupported("quantized tensors, which this selective build does not have", advice_on_missing());
      }
    case GlobalKind::kRebuildParameter:
    case GlobalKind::kTensorType:
      return parameter(function, args);
    default:
      if constexpr (build::kAllOps) {
        return sparse(function, args);
      } else {
        context_.unsupported(function.name, ": selective builds have dense tensors only");
      }
  }
}

Ref<StorageRef> NoTensors::storage(const IValue&) {
  if (!environment_.unread) context_.unsupported("tensors, which this build does not have", advice_on_missing());
  *environment_.unread = "tensors";
  return make_ref<StorageRef>();
}
Tensor NoTensors::rebuild(const GlobalRef&, const std::vector<IValue>&) { return {}; }

}  // namespace wick
