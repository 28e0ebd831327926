// Random values of any type, for calling operators: mostly such that they fit together, often absurd.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "core/copy.h"
#include "core/operator.h"
#include "ops/quantize/quantize.h"
#include "wick/error.h"

namespace wick::hostile {

// Custom objects that operators take, made by the operators that make them.
inline std::vector<IValue> packed_weights() {
  const auto filled = [](IntSpan sizes) {
    const Tensor t = Tensor::empty(sizes, DType::kFloat);
    fill(t, Scalar(0.5));
    return t;
  };
  const auto ints = [](IntSpan values) { return IValue::int_list(values); };
  const IValue none;
  std::vector<IValue> packed;
  for (const int64_t groups : {1, 2}) {
    const Tensor weight = filled({2, 2 / groups, 3, 3});
    packed.push_back(call_operator("prepacked::conv2d_clamp_prepack", {weight, filled({2}), ints({1, 1}), ints({1, 1}),
                                                                       ints({1, 1}), groups, none, none})[0]);
    packed.push_back(
        call_operator("prepacked::conv2d_transpose_clamp_prepack",
                      {weight, none, ints({2, 2}), ints({1, 1}), ints({1, 1}), ints({1, 1}), groups, 0.0, 6.0})[0]);
  }
  packed.push_back(call_operator("prepacked::linear_clamp_prepack", {filled({2, 3}), filled({2}), none, none})[0]);
  return packed;
}

// Random numbers; the first ones may be given, so that a fuzzer chooses them.
class Entropy {
 public:
  explicit Entropy(unsigned seed) : random_(seed) {}
  Entropy(const uint8_t* data, size_t size) : data_(data), size_(size), random_(static_cast<unsigned>(size)) {}
  uint64_t operator()() {
    if (size_ == 0) return random_();
    --size_;
    return *data_++;
  }
  uint64_t element() { return random_(); }  // of a tensor; takes nothing from what is given

 private:
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  std::mt19937 random_;
};

class Wild {
 public:
  // `huge`: tensors of one element seen as very many, over which a loop does not end.
  Wild(unsigned seed, const std::vector<IValue>& packed, bool huge = false) : Wild(Entropy(seed), packed, huge) {}
  Wild(const Entropy& entropy, const std::vector<IValue>& packed, bool huge = false)
      : rng_(entropy), packed_(packed), huge_(huge), dtype_(one_in(2) ? DType::kFloat : any_dtype()) {
    // In some calls all extents are the same, so that operands of products and layers fit.
    if (one_in(3)) side_ = pick({1, 2, 3, 4, 5, 8, 17});
    for (int64_t n = pick({0, 1, 1, 2, 2, 3, 3, 4, 4, 5}); n > 0; --n) sizes_.push_back(extent());
  }

  // Arguments for one call.
  std::vector<IValue> arguments(const FunctionSchema& schema) {
    std::vector<IValue> args;
    for (const Argument& argument : schema.arguments) args.push_back(argument_value(argument));
    if (schema.is_vararg)
      for (int64_t n = pick({0, 1, 2, 3, 4}); n > 0; --n) args.push_back(anything());
    return args;
  }

 private:
  template <class T = int64_t>
  T pick(std::initializer_list<T> from) {
    return from.begin()[rng_() % from.size()];
  }
  bool one_in(unsigned n) { return rng_() % n == 0; }

  int64_t extent() {
    if (side_ > 0 && !one_in(20)) return side_;
    return pick({0, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 9, 17});
  }

  int64_t absurd() {
    return pick<int64_t>({-1, -2, -7, 33, 100, INT32_MAX, int64_t{INT32_MAX} + 1, INT32_MIN, int64_t{INT32_MIN} - 1,
                          int64_t{1} << 32, int64_t{1} << 45, -(int64_t{1} << 45), int64_t{1} << 61, int64_t{1} << 62,
                          -(int64_t{1} << 62), INT64_MAX, INT64_MAX - 1, INT64_MIN, INT64_MIN + 1});
  }
  int64_t number() { return one_in(10) ? absurd() : pick({-2, -1, -1, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5}); }
  double real() {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    if (one_in(6)) return pick({std::nan(""), kInf, -kInf, 1e300, -1e300, 1e-300, 1e19, -1e19, 4294967296.0, -0.0});
    return pick({0.0, 0.1, 0.5, 1.0, 1.0, 1.5, 2.0, -1.0, -0.5, 3.0});
  }
  std::string text() {
    return pick<const char*>({"mean",
                              "sum",
                              "none",
                              "prod",
                              "amax",
                              "amin",
                              "max",
                              "same",
                              "valid",
                              "constant",
                              "reflect",
                              "replicate",
                              "circular",
                              "nearest",
                              "bilinear",
                              "bicubic",
                              "area",
                              "linear",
                              "trunc",
                              "floor",
                              "tanh",
                              "fro",
                              "nuc",
                              "ij",
                              "xy",
                              "L",
                              "U",
                              "reduced",
                              "complete",
                              "i,j->ij",
                              "ij,jk->ik",
                              "...i,...i->...",
                              "ii->i",
                              "ij->ji,",
                              "abc",
                              "",
                              "{} %d %s %",
                              "\xff\n\t",
                              "cpu",
                              "cuda:99999999999",
                              "%9999999999d",
                              "{:99999999999}"});
  }

  DType any_dtype() {
    return pick<DType>(
        {DType::kByte,   DType::kChar,     DType::kShort,        DType::kInt,           DType::kLong,
         DType::kLong,   DType::kHalf,     DType::kFloat,        DType::kDouble,        DType::kComplexHalf,
         DType::kBool,   DType::kBool,     DType::kComplexFloat, DType::kComplexDouble, DType::kQInt8,
         DType::kQUInt8, DType::kQInt32,   DType::kBFloat16,     DType::kUInt16,        DType::kUInt32,
         DType::kUInt64, DType::kQUInt4x2, DType::kQUInt2x4,     DType::kFloat8_e5m2,   DType::kFloat8_e4m3fn});
  }

  IntVec shape(bool is_parameter) {
    IntVec sizes = sizes_;
    if (is_parameter && side_ > 0 && !one_in(5)) return {side_};
    const size_t n = sizes.size();
    switch (rng_() % 12) {
      case 0:
        if (n > 0) sizes[rng_() % n] = 1;
        break;
      case 1:
        if (n > 0) sizes[rng_() % n] = extent();
        break;
      case 2:
        if (n > 0) sizes = IntVec(IntSpan(sizes).subspan(1, n - 1));
        break;
      case 3:
        if (n > 0) sizes = IntVec(IntSpan(sizes).subspan(0, n - 1));
        break;
      case 4:
        if (n > 1) std::swap(sizes[n - 1], sizes[n - 2]);
        break;
      case 5:
        sizes.push_back(extent());
        break;
      case 6:
        if (n > 0) sizes = IntVec{sizes[rng_() % n]};
        break;
      case 7:
        sizes = IntVec();
        for (int64_t k = pick({0, 1, 2, 3, 4, 5}); k > 0; --k) sizes.push_back(extent());
        break;
      default:
        break;
    }
    int64_t numel = 1;
    for (int64_t& size : sizes) {
      if (numel * size > 1024) size = 1;
      numel *= std::max<int64_t>(size, 1);
    }
    return sizes;
  }

  Tensor blank(IntSpan sizes, DType dtype) {
    if (!is_quantized(dtype)) return Tensor::empty(sizes, dtype);
    const double scale = one_in(8) ? real() : 0.5;
    const int64_t zero_point = one_in(8) ? number() : 1;
    const auto axis = sizes.empty() ? 0 : static_cast<int64_t>(rng_() % sizes.size());
    try {
      if (sizes.empty() || !one_in(3)) return ops::empty_quantized(sizes, dtype, scale, zero_point);
      const Tensor scales = Tensor::empty({sizes[static_cast<size_t>(axis)]}, DType::kDouble);
      fill(scales, Scalar(scale));
      return ops::empty_quantized_per_channel(sizes, dtype, scales, Tensor::zeros(scales.sizes(), DType::kLong), axis);
    } catch (const Error&) {
      return Tensor::empty(sizes, DType::kFloat);
    }
  }

  template <class T>
  void fill_memory(const Tensor& t, bool wild) {
    T* to = static_cast<T*>(t.raw_data());
    for (int64_t i = 0; i < t.numel(); ++i) {
      if constexpr (std::is_floating_point_v<T>) {
        to[i] = static_cast<T>(wild ? real() : static_cast<double>(rng_.element() % 5));
      } else {
        to[i] = static_cast<T>(wild ? number() : static_cast<int64_t>(rng_.element() % 3));
      }
    }
  }
  void fill_randomly(const Tensor& t) {
    const bool wild = one_in(2);
    switch (t.dtype()) {
      case DType::kFloat:
        return fill_memory<float>(t, wild);
      case DType::kDouble:
        return fill_memory<double>(t, wild);
      case DType::kLong:
        return fill_memory<int64_t>(t, wild);
      case DType::kInt:
        return fill_memory<int32_t>(t, wild);
      case DType::kBool:
        return fill_memory<uint8_t>(t, false), clamp_bools(t);
      default:
        break;
    }
    // A pattern of bits is a value of every other dtype.
    auto* to = static_cast<uint8_t*>(t.raw_data());
    for (size_t i = 0; i < t.nbytes(); ++i) to[i] = static_cast<uint8_t>(wild ? rng_.element() : rng_.element() % 3);
  }
  static void clamp_bools(const Tensor& t) {
    auto* to = static_cast<uint8_t*>(t.raw_data());
    for (int64_t i = 0; i < t.numel(); ++i) to[i] &= 1;
  }

  // The same elements with other strides.
  Tensor laid_out(IntSpan sizes, DType dtype) {
    const size_t n = sizes.size();
    switch (rng_() % 8) {
      case 0:
        if (n >= 2) {
          IntVec swapped(sizes);
          const size_t a = rng_() % n, b = rng_() % n;
          std::swap(swapped[a], swapped[b]);
          const Tensor t = random(swapped, dtype);
          IntVec strides(t.strides());
          std::swap(strides[a], strides[b]);
          return t.as_strided(sizes, strides, 0);
        }
        break;
      case 1:
        if (n >= 1) {
          IntVec wider(sizes);
          for (int64_t& s : wider) s = s * 2 + 1;
          const Tensor t = random(wider, dtype);
          return t.as_strided(sizes, t.strides(), 1);
        }
        break;
      case 2:
        if (n >= 1) {
          IntVec narrow(sizes);
          const size_t d = rng_() % n;
          narrow[d] = 1;
          const Tensor t = random(narrow, dtype);
          IntVec strides(t.strides());
          strides[d] = 0;
          return sizes[d] == 0 ? t : t.as_strided(sizes, strides, 0);
        }
        break;
      case 3:
        if (n == 4 && !is_quantized(dtype)) return contiguous(random(sizes, dtype), MemoryFormat::kChannelsLast);
        if (n == 5 && !is_quantized(dtype)) return contiguous(random(sizes, dtype), MemoryFormat::kChannelsLast3d);
        break;
      default:
        break;
    }
    return random(sizes, dtype);
  }
  Tensor random(IntSpan sizes, DType dtype) {
    const Tensor t = blank(sizes, dtype);
    fill_randomly(t);
    return t;
  }

  Tensor tensor(bool is_index = false, bool is_parameter = false) {
    if (!made_.empty() && one_in(10)) {
      const Tensor& other = made_[rng_() % made_.size()];
      if (one_in(2)) return other;
      // Part of another argument, or the same elements in another order.
      IntVec sizes(other.sizes()), strides(other.strides());
      if (sizes.size() >= 2 && one_in(2)) {
        std::swap(sizes[0], sizes[sizes.size() - 1]);
        std::swap(strides[0], strides[sizes.size() - 1]);
      } else if (!sizes.empty() && sizes[0] > 1) {
        --sizes[0];
      }
      return other.as_strided(sizes, strides, other.storage_offset());
    }
    DType dtype = one_in(5) ? any_dtype() : dtype_;
    if (is_index && !one_in(5)) dtype = one_in(4) ? DType::kInt : DType::kLong;
    Tensor t;
    if (one_in(40)) {
      IntVec sizes(static_cast<size_t>(pick({1, 2, 3, 4})), pick({1, 2}));
      sizes[rng_() % sizes.size()] = int64_t{1} << pick({31, 32, 45, 61});
      t = blank(IntVec{1}, is_quantized(dtype) ? DType::kFloat : dtype);
      fill_randomly(t);
      if (!huge_) sizes.push_back(0);
      t = t.as_strided(sizes, IntVec(sizes.size(), 0), 0);
    } else {
      t = laid_out(shape(is_parameter), dtype);
    }
    made_.push_back(t);
    return t;
  }

  IValue ints(int64_t fixed_size) {
    const int64_t n = fixed_size >= 0 && !one_in(4) ? fixed_size
                      : one_in(3)                   ? pick({0, 1, 2, 3, 4, 5, 6, 70})
                                                    : static_cast<int64_t>(sizes_.size());
    if (one_in(3)) return IValue::int_list(shape(false));
    IntVec list;
    for (int64_t i = 0; i < n; ++i) list.push_back(one_in(3) ? number() : pick({0, 1, 1, 2, 3}));
    return IValue::int_list(list);
  }

  IValue list_of(const TypePtr& type, int64_t fixed_size) {
    if (type->is(TypeKind::kInt)) return ints(fixed_size);
    std::vector<IValue> items;
    for (int64_t n = pick({0, 1, 2, 2, 3, 4}); n > 0; --n) items.push_back(value_of(*type));
    return IValue::list(type, std::move(items));
  }

  IValue dict_of(const TypePtr& key, const TypePtr& value) {
    auto dict = make_ref<DictImpl>();
    dict->key_type = key;
    dict->value_type = value;
    try {
      for (int64_t n = pick({0, 1, 2, 3}); n > 0; --n) dict->set(value_of(*key), value_of(*value));
    } catch (const Error&) {
    }
    return dict;
  }

  IValue anything() {
    switch (rng_() % 14) {
      case 0:
        return {};
      case 1:
        return number();
      case 2:
        return real();
      case 3:
        return one_in(2);
      case 4:
        return text();
      case 5:
        return tensor();
      case 6:
        return ints(-1);
      case 7:
        return list_of(types::any(), -1);
      case 8:
        return IValue::tuple({number(), text()});
      case 9:
        return dict_of(types::string(), types::any());
      case 10:
        return Device{};
      case 11:
        return std::complex<double>(real(), real());
      case 12:
        return packed_[rng_() % packed_.size()];
      default:
        return IValue::uninitialized();
    }
  }

  IValue value_of(const Type& type, bool is_index = false, bool is_parameter = false, int64_t fixed_size = -1) {
    switch (type.kind()) {
      case TypeKind::kTensor:
        return tensor(is_index, is_parameter);
      case TypeKind::kInt:
        return number();
      case TypeKind::kFloat:
        return real();
      case TypeKind::kBool:
        return one_in(2);
      case TypeKind::kComplex:
        return std::complex<double>(real(), real());
      case TypeKind::kNumber:
        if (one_in(8)) return std::complex<double>(real(), real());
        return one_in(2) ? IValue(number()) : IValue(real());
      case TypeKind::kString:
        return text();
      case TypeKind::kDevice:
        return one_in(8) ? Device{1, 0} : Device{};
      case TypeKind::kNone:
        return {};
      case TypeKind::kOptional:
        return one_in(3) ? IValue() : value_of(*type.element(0), is_index, is_parameter, fixed_size);
      case TypeKind::kList:
        return list_of(type.element(0), fixed_size);
      case TypeKind::kDict:
        return dict_of(type.element(0), type.element(1));
      case TypeKind::kTuple: {
        std::vector<IValue> items;
        for (const TypePtr& element : type.elements()) items.push_back(value_of(*element));
        return IValue::tuple(std::move(items));
      }
      case TypeKind::kClass:
        return packed_[rng_() % packed_.size()];
      case TypeKind::kGenerator:
        return {};
      default:
        return anything();
    }
  }

  IValue argument_value(const Argument& argument) {
    if (one_in(60)) return anything();
    if (argument.has_default && one_in(2)) return argument.default_value;
    const std::string& name = argument.name;
    if (name.find("dtype") != std::string::npos && one_in(2)) return static_cast<int64_t>(any_dtype());
    if ((name == "layout" || name == "pin_memory") && !one_in(8)) return {};
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    const bool is_index = has("ind") || has("offsets") || has("target") || has("lengths");
    const bool is_parameter = has("bias") || has("running") || has("scale") || has("zero_point") || has("vec") ||
                              (has("weight") && one_in(3));
    return value_of(*argument.type, is_index, is_parameter, argument.fixed_size);
  }

  Entropy rng_;
  const std::vector<IValue>& packed_;
  bool huge_;
  int64_t side_ = 0;
  DType dtype_;
  IntVec sizes_;
  std::vector<Tensor> made_;
};

}  // namespace wick::hostile
