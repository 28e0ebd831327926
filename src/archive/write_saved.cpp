// save_tensors: values as a torch.save container.
#include <map>
#include <unordered_map>

#include "archive/write_pickle.h"
#include "archive/writer.h"
#include "core/check.h"
#include "core/limits.h"
#include "core/out_of_memory.h"
#include "core/stack.h"
#include "core/tensor_impl.h"

namespace wick {
namespace {

// torch has storage classes only for the dtypes it had before 2.0; others are written as bytes plus a dtype.
bool has_storage_class(DType dtype) { return dtype <= DType::kQUInt2x4; }

class SavedWriter {
 public:
  std::vector<uint8_t> write(const IValue& value, const std::string& root) {
    collect(value, 0);
    visited_.clear();
    emit(value);
    pickle_.stop();
    ZipWriter zip(root);
    zip.add("data.pkl", pickle_.bytes());
    for (const Window* window : in_order_) zip.add(cat("data/", window->key), window->bytes);
    constexpr uint8_t kVersion[] = {'3', '\n'};
    zip.add("version", kVersion);
    return zip.finish();
  }

 private:
  // The part of a storage that tensors of one dtype use; it is what the file holds of the storage.
  struct Window {
    uint64_t begin = UINT64_MAX;  // in elements
    uint64_t end = 0;
    std::string key;
    Bytes bytes;
  };
  enum class Visit : uint8_t { kOpen, kDone };

  Window& window_of(const Tensor& t) { return windows_[{t.storage().get(), t.dtype()}]; }

  // First pass: what of each storage is needed, and whether the value can be written at all.
  void collect(const IValue& value, size_t depth) {
    WICK_CHECK(depth <= limits::kMaxPickleDepth, kLimitExceeded, "values nested deeper than ", limits::kMaxPickleDepth,
               " cannot be saved");
    check_stack("values");
    if (value.is_tensor()) {
      collect_tensor(value.to_tensor());
      return;
    }
    if (!value.is_list() && !value.is_tuple() && !value.is_dict()) {
      check_leaf(value);
      return;
    }
    const auto [it, fresh] = visited_.try_emplace(value.ref_or_null(), Visit::kOpen);
    WICK_CHECK(fresh || it->second == Visit::kDone, kUnsupported, "a value that contains itself cannot be saved");
    if (!fresh) return;
    if (value.is_dict()) {
      for (const auto& [key, item] : value.to_dict().entries()) {
        collect(key, depth + 1);
        collect(item, depth + 1);
      }
    } else {
      const auto& items = value.is_list() ? value.to_list().items : value.to_tuple().items;
      for (const IValue& item : items) collect(item, depth + 1);
    }
    visited_[value.ref_or_null()] = Visit::kDone;
  }

  static void check_leaf(const IValue& value) {
    const bool plain = value.is_none() || value.is_number() || value.is_string() || value.is_device();
    WICK_CHECK(plain, kUnsupported, "a ", value.tag_name(),
               " cannot be saved; tensors, tuples, lists, dicts, strings, numbers, devices and None can");
  }

  void collect_tensor(const Tensor& t) {
    Window& window = window_of(t);
    if (window.key.empty()) {
      window.key = cat(in_order_.size());
      in_order_.push_back(&window);
    }
    if (t.numel() != 0) {
      uint64_t end = static_cast<uint64_t>(t.storage_offset()) + 1;
      for (size_t d = 0; d < t.sizes().size(); ++d) end += static_cast<uint64_t>((t.sizes()[d] - 1) * t.strides()[d]);
      WICK_CHECK(end <= t.storage()->nbytes() / t.itemsize(), kInvalidArgument, "a tensor of sizes ", t.sizes(),
                 " is larger than its storage");
      window.begin = std::min(window.begin, static_cast<uint64_t>(t.storage_offset()));
      window.end = std::max(window.end, end);
      window.bytes = Bytes(static_cast<const uint8_t*>(t.storage()->data()) + window.begin * t.itemsize(),
                           (window.end - window.begin) * t.itemsize());
    }
    if (t.is_quantized() && t.quantizer().scales.defined()) {
      collect_tensor(t.quantizer().scales);
      collect_tensor(t.quantizer().zero_points);
    }
  }

  // Second pass: the pickle. Containers and tensors are remembered, so that what was shared stays shared.
  void emit(const IValue& value) {
    check_stack("values");
    if (const RefCounted* ref = value.ref_or_null()) {
      if (const auto it = memo_.find(ref); it != memo_.end()) {
        pickle_.get(it->second);
        return;
      }
    }
    switch (value.tag()) {
      case IValue::Tag::kNone:
        pickle_.none();
        break;
      case IValue::Tag::kBool:
        pickle_.boolean(value.to_bool());
        break;
      case IValue::Tag::kInt:
        pickle_.integer(value.to_int());
        break;
      case IValue::Tag::kDouble:
        pickle_.floating(value.to_double());
        break;
      case IValue::Tag::kString:
        pickle_.text(value.to_string());
        break;
      case IValue::Tag::kComplex:
        pickle_.complex(value.to_complex());
        break;
      case IValue::Tag::kDevice:
        pickle_.global("torch", "device");
        pickle_.mark();
        pickle_.text(value.to_device().str());
        pickle_.tuple();
        pickle_.reduce();
        break;
      case IValue::Tag::kTensor:
        emit_tensor(value.to_tensor());
        break;
      case IValue::Tag::kTuple:
        emit_tuple(value);
        break;
      case IValue::Tag::kList:
        emit_list(value);
        break;
      default:
        emit_dict(value);
        break;
    }
  }

  void emit_tuple(const IValue& value) {
    const auto& items = value.to_tuple().items;
    if (items.empty()) {
      pickle_.empty_tuple();
      return;
    }
    pickle_.mark();
    for (const IValue& item : items) emit(item);
    pickle_.tuple();
    memo_[value.ref_or_null()] = pickle_.put();
  }

  void emit_list(const IValue& value) {
    pickle_.empty_list();
    memo_[value.ref_or_null()] = pickle_.put();
    if (value.to_list().items.empty()) return;
    pickle_.mark();
    for (const IValue& item : value.to_list().items) emit(item);
    pickle_.appends();
  }

  void emit_dict(const IValue& value) {
    pickle_.empty_dict();
    memo_[value.ref_or_null()] = pickle_.put();
    if (value.to_dict().size() == 0) return;
    pickle_.mark();
    for (const auto& [key, item] : value.to_dict().entries()) {
      emit(key);
      emit(item);
    }
    pickle_.set_items();
  }

  void emit_tensor(const Tensor& t) {
    const bool classic = has_storage_class(t.dtype());
    const char* function = t.is_quantized() ? "_rebuild_qtensor"
                           : classic        ? "_rebuild_tensor_v2"
                                            : "_rebuild_tensor_v3";
    pickle_.global("torch._utils", function);
    pickle_.mark();
    emit_storage(t, classic);
    pickle_.integer(t.numel() == 0 ? 0 : t.storage_offset() - static_cast<int64_t>(window_of(t).begin));
    emit_integers(t.sizes());
    emit_integers(t.strides());
    if (t.is_quantized()) emit_quantizer(t.quantizer());
    pickle_.boolean(t.requires_grad());
    pickle_.global("collections", "OrderedDict");
    pickle_.empty_tuple();
    pickle_.reduce();
    if (!classic) pickle_.global("torch", torch_name_of(t.dtype()));
    pickle_.tuple();
    pickle_.reduce();
    memo_[t.impl()] = pickle_.put();
  }

  void emit_storage(const Tensor& t, bool classic) {
    const Window& window = window_of(t);
    pickle_.mark();
    pickle_.shared_text("storage");
    if (classic) {
      pickle_.global("torch", cat(name_of(t.dtype()), "Storage"));
    } else {
      pickle_.global("torch.storage", "UntypedStorage");
    }
    pickle_.text(window.key);
    pickle_.shared_text("cpu");
    pickle_.integer(static_cast<int64_t>(classic ? window.bytes.size() / t.itemsize() : window.bytes.size()));
    pickle_.tuple();
    pickle_.persistent_id();
  }

  void emit_integers(IntSpan values) {
    pickle_.mark();
    for (int64_t v : values) pickle_.integer(v);
    pickle_.tuple();
  }

  void emit_quantizer(const Quantizer& quantizer) {
    pickle_.mark();
    if (quantizer.scales.defined()) {
      pickle_.global("torch", "per_channel_affine");
      emit(quantizer.scales);
      emit(quantizer.zero_points);
      pickle_.integer(quantizer.axis);
    } else {
      pickle_.global("torch", "per_tensor_affine");
      pickle_.floating(quantizer.scale);
      pickle_.integer(quantizer.zero_point);
    }
    pickle_.tuple();
  }

  std::map<std::pair<const StorageImpl*, DType>, Window> windows_;
  std::vector<const Window*> in_order_;
  std::unordered_map<const RefCounted*, Visit> visited_;
  std::unordered_map<const RefCounted*, uint32_t> memo_;
  PickleWriter pickle_;
};

}  // namespace

std::string archive_root_of(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (const size_t dot = name.find_last_of('.'); dot != std::string::npos) name.resize(dot);
  return name.empty() ? "archive" : name;
}

std::vector<uint8_t> save_tensors(const IValue& value) {
  return with_memory_errors([&] { return SavedWriter().write(value, "archive"); });
}

void save_tensors(const IValue& value, const std::string& path) {
  with_memory_errors([&] { write_file(path, SavedWriter().write(value, archive_root_of(path))); });
}

}  // namespace wick
