// Reads the tensors of a flatbuffer module over storages in the file.
#include "frontend/flatbuffer/tensors.h"

#include "core/limits.h"
#include "core/tensor_impl.h"
#include "frontend/flatbuffer/schema.h"

namespace wick::flatbuffer {

namespace {

constexpr size_t kAlignment = 16;

IntVec dims(const Table& table, int slot) {
  const Vector items = table.vector(slot, 4);
  WICK_CHECK(items.count <= limits::kMaxTensorDims, kCorruptFile, "flatbuffer: a tensor has ", items.count,
             " dimensions, more than ", limits::kMaxTensorDims);
  IntVec out;
  for (size_t i = 0; i < items.count; ++i) out.push_back(items.at<int32_t>(i));
  return out;
}

}  // namespace

TensorReader::TensorReader(Ref<ByteSource> source, const Table& module)
    : source_(std::move(source)),
      module_(module),
      entries_(module.vector(ModuleFields::kStorages, 4)),
      storages_(entries_.count) {}

Storage TensorReader::storage(uint32_t index) {
  WICK_CHECK(index < storages_.size(), kCorruptFile, "flatbuffer: storage ", index, " does not exist, there are ",
             storages_.size());
  Storage& out = storages_[index];
  if (out) return out;
  const Vector data = module_.table_of(entries_, index).vector(0, 1);
  const uint8_t* bytes = source_->bytes().data() + data.begin;
  if (reinterpret_cast<uintptr_t>(bytes) % kAlignment == 0) {
    // A source is a private copy or mapping: tensors may be written in place.
    out = source_->storage_of({bytes, data.count});
  } else {
    out = make_ref<StorageImpl>(data.count);
    if (data.count > 0) std::memcpy(out->data(), bytes, data.count);
  }
  return out;
}

Tensor TensorReader::read(const Table& tensor) {
  try {
    return read_checked(tensor, 0);
  } catch (const Error& e) {
    if (e.code() != ErrorCode::kInvalidArgument && e.code() != ErrorCode::kOutOfMemory) throw;
    fail_with<ErrorCode::kCorruptFile>("flatbuffer: a tensor is not valid: ", e.message());
  }
}

Tensor TensorReader::read_checked(const Table& tensor, int depth) {
  const int64_t dtype{tensor.number<int8_t>(TensorFields::kDType, 0)};
  WICK_CHECK(is_valid_dtype(dtype), kCorruptFile, "flatbuffer: a tensor has unknown dtype ", dtype);
  Ref<TensorImpl> whole = make_ref<TensorImpl>();
  whole->storage = storage(tensor.number<uint32_t>(TensorFields::kStorage, 0));
  whole->sizes = IntVec{0};
  whole->strides = IntVec{1};
  whole->dtype = static_cast<DType>(dtype);
  whole->requires_grad = tensor.number<uint8_t>(TensorFields::kRequiresGrad, 0) != 0;
  const std::optional<Table> quantization = tensor.table(TensorFields::kQuantizer);
  WICK_CHECK(quantization.has_value() == is_quantized(whole->dtype), kCorruptFile, "flatbuffer: a tensor of dtype ",
             name_of(whole->dtype), quantization ? " has" : " lacks", " quantization parameters");
  if (quantization) whole->quantizer = quantizer(*quantization, depth);
  Tensor out = Tensor(whole).as_strided(dims(tensor, TensorFields::kSizes), dims(tensor, TensorFields::kStrides),
                                        tensor.number<int32_t>(TensorFields::kOffset, 0));
  if (quantization && out.quantizer().scales.defined()) {
    const Quantizer& q = out.quantizer();
    WICK_CHECK(q.axis >= 0 && q.axis < out.dim() && q.scales.dim() == 1 && q.zero_points.dim() == 1 &&
                   q.scales.numel() == out.size(q.axis) && q.zero_points.numel() == out.size(q.axis),
               kCorruptFile, "flatbuffer: the channels of a quantized tensor do not fit its scales");
  }
  return out;
}

std::shared_ptr<const Quantizer> TensorReader::quantizer(const Table& table, int depth) {
  auto out = std::make_shared<Quantizer>();
  const int scheme{table.number<int8_t>(QuantizerFields::kScheme, 0)};
  WICK_CHECK(scheme >= 0 && scheme <= static_cast<int>(QScheme::kPerChannelAffineFloatQParams), kCorruptFile,
             "flatbuffer: unknown quantization scheme ", scheme);
  out->scheme = static_cast<QScheme>(scheme);
  out->scale = table.number<double>(QuantizerFields::kScale, 0);
  out->zero_point = table.number<int32_t>(QuantizerFields::kZeroPoint, 0);
  out->axis = table.number<int32_t>(QuantizerFields::kAxis, 0);
  const bool per_channel = out->scheme != QScheme::kPerTensorAffine && out->scheme != QScheme::kPerTensorSymmetric;
  if (!per_channel) return out;
  const std::optional<Table> scales = table.table(QuantizerFields::kScales);
  const std::optional<Table> zero_points = table.table(QuantizerFields::kZeroPoints);
  WICK_CHECK(depth == 0 && scales && zero_points, kCorruptFile,
             "flatbuffer: a tensor quantized per channel lacks its scales or zero points");
  out->scales = read_checked(*scales, depth + 1);
  out->zero_points = read_checked(*zero_points, depth + 1);
  const DType scale = out->scales.dtype();
  const DType zero_point = out->zero_points.dtype();
  WICK_CHECK((scale == DType::kDouble && zero_point == DType::kLong) ||
                 (scale == DType::kFloat && zero_point == DType::kFloat),
             kCorruptFile, "flatbuffer: scales and zero points of a quantized tensor are ", name_of(scale), " and ",
             name_of(zero_point));
  WICK_CHECK(out->scales.is_contiguous() && out->zero_points.is_contiguous(), kCorruptFile,
             "flatbuffer: scales or zero points of a quantized tensor are not contiguous");
  return out;
}

}  // namespace wick::flatbuffer
