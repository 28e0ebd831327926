// Tensors in pickles: views, storage classes, quantized and sparse forms, and views outside of their storage.
#include <cstring>
#include <map>

#include "core/copy.h"
#include "core/tensor_impl.h"
#include "unit/archive/archive_util.h"
#include "unit/archive/pickle_text.h"

namespace wick::test {
namespace {

// Storages by key: as many float elements 0, 1, 2 ... as asked for.
struct Floats {
  std::map<std::string, int> calls;
  PickleEnvironment environment;
  Floats() {
    environment.storage = [this](const std::string& key, uint64_t nbytes, size_t) {
      ++calls[key];
      EXPECT_LT(nbytes, 1u << 20);
      auto storage = make_ref<StorageImpl>(static_cast<size_t>(nbytes));
      for (size_t i = 0; i < nbytes / 4; ++i) static_cast<float*>(storage->data())[i] = static_cast<float>(i);
      return storage;
    };
  }
  IValue read(const std::string& body) { return read_pickle(bytes_of(pickled(body)), "test.pkl", environment); }
  void expect_refused(const std::string& body, const std::string& reason, ErrorCode code = ErrorCode::kCorruptFile) {
    SCOPED_TRACE(reason);
    expect_error(code, reason, [&] { read(body); });
  }
};

const std::string kSix = storage("FloatStorage", "0", 6);

TEST(PickleTensor, ViewsShareTheirStorage) {
  Floats f;
  const IValue v =
      f.read(tuple(tensor(kSix, 0, {2, 3}, {3, 1}) + tensor(kSix, 3, {3}, {1}) + tensor(kSix, 0, {3, 2}, {1, 3})));
  const Tensor a = v.to_tuple().items[0].to_tensor(), b = v.to_tuple().items[1].to_tensor(),
               c = v.to_tuple().items[2].to_tensor();
  EXPECT_EQ(a.storage(), b.storage());
  EXPECT_EQ(a.storage(), c.storage());
  EXPECT_EQ(f.calls["0"], 1);
  EXPECT_EQ(*b.data_ptr<float>(), 3);
  EXPECT_EQ(c.strides().vec(), (std::vector<int64_t>{1, 3}));
  EXPECT_FALSE(a.requires_grad());
}

TEST(PickleTensor, EveryRebuildFunction) {
  Floats f;
  const std::string shape = integer(1) + integers({2}) + integers({2});
  EXPECT_EQ(f.read(call("torch._utils", "_rebuild_tensor", kSix + shape)).to_tensor().storage_offset(), 1);
  const std::string bytes =
      tuple(str("storage") + global("torch.storage", "UntypedStorage") + str("0") + str("cpu") + integer(24)) + "Q";
  const Tensor v3 =
      f.read(call("torch._utils", "_rebuild_tensor_v3",
                  bytes + integer(1) + integers({2}) + integers({2}) + "\x88" + hooks() + global("torch", "float32")))
          .to_tensor();
  EXPECT_EQ(v3.dtype(), DType::kFloat);
  EXPECT_EQ(v3.data_ptr<float>()[2], 3);
  EXPECT_TRUE(v3.requires_grad());
  const std::string plain = tensor(kSix, 0, {6}, {1});
  EXPECT_TRUE(f.read(call("torch._utils", "_rebuild_parameter", plain + "\x88" + hooks())).to_tensor().requires_grad());
  EXPECT_FALSE(
      f.read(call("torch._utils", "_rebuild_parameter", plain + "\x89" + hooks())).to_tensor().requires_grad());
  EXPECT_TRUE(f.read(call("torch.nn.parameter", "Parameter", plain)).to_tensor().requires_grad());
  EXPECT_EQ(
      f.read(call("torch._utils", "_rebuild_parameter_with_state", plain + "\x88" + hooks() + "N")).to_tensor().numel(),
      6);
  const std::string args = tuple(kSix + integer(0) + integers({6}) + integers({1}) + "\x89" + hooks());
  EXPECT_EQ(f.read(call("torch._tensor", "_rebuild_from_type_v2",
                        global("torch._utils", "_rebuild_tensor_v2") + global("torch", "Tensor") + args + "}"))
                .to_tensor()
                .numel(),
            6);
  f.expect_refused(call("torch._utils", "_rebuild_sparse_tensor", "N"), "sparse", ErrorCode::kUnsupported);
  f.expect_refused(call("torch._utils", "_rebuild_meta_tensor_no_storage", "N"), "meta", ErrorCode::kUnsupported);
}

TEST(PickleTensor, SparseTensorsBecomeDense) {
  Floats f;
  f.environment.storage = [](const std::string& key, uint64_t nbytes, size_t) {
    auto storage = make_ref<StorageImpl>(static_cast<size_t>(nbytes));
    const int64_t places[] = {0, 1, 1, 2, 0, 1};  // (0, 2), (1, 0), (1, 1)
    const float values[] = {5, 6, 7, 8, 9, 10};
    std::memcpy(storage->data(), key == "places" ? static_cast<const void*>(places) : values,
                std::min<size_t>(nbytes, key == "places" ? sizeof places : sizeof values));
    return storage;
  };
  const std::string places = tensor(storage("LongStorage", "places", 6), 0, {2, 3}, {3, 1});
  const auto sparse = [&](int layout, const std::vector<int32_t>& sizes, const std::string& where,
                          const std::string& values) {
    return call("torch._utils", "_rebuild_sparse_tensor",
                integer(layout) + integers(sizes) + "\x89" + where + values + hooks());
  };
  const std::string three = tensor(storage("FloatStorage", "values", 6), 0, {3}, {1});
  const Tensor dense = f.read(sparse(1, {2, 3}, places, three)).to_tensor();
  EXPECT_EQ(dense.sizes().vec(), (std::vector<int64_t>{2, 3}));
  const float* p = dense.data_ptr<float>();
  EXPECT_EQ(std::vector<float>(p, p + 6), (std::vector<float>{0, 0, 5, 6, 7, 0}));
  const std::string pairs = tensor(storage("FloatStorage", "values", 6), 0, {3, 2}, {2, 1});
  EXPECT_EQ(f.read(sparse(1, {2, 3, 2}, places, pairs)).to_tensor().data_ptr<float>()[5], 6);
  f.expect_refused(sparse(2, {2, 3}, places, three), "sparse", ErrorCode::kUnsupported);
  f.expect_refused(sparse(1, {2, 2}, places, three), "coordinate 2");
  f.expect_refused(sparse(1, {2, 3, 3}, places, pairs), "do not fit");
  f.expect_refused(sparse(1, {2, 3}, places, pairs), "do not fit");
  f.expect_refused(sparse(1, {2, 3}, three, three), "do not fit");
  f.expect_refused(sparse(1, {-2, 3}, places, three), "integers >= 0");
  f.expect_refused(sparse(1, {1 << 30, 1 << 30, 1 << 30}, places, three), "do not fit");
  f.expect_refused(sparse(1, {1 << 30, 3}, places, three), "far more data", ErrorCode::kLimitExceeded);
  const std::string again = tensor(storage("LongStorage", "places", 6), 0, {2, 3}, {3, 0});
  f.expect_refused(sparse(1, {2, 3}, again, three), "coalesce", ErrorCode::kUnsupported);
}

TEST(PickleTensor, StorageClasses) {
  Floats f;
  for (int code = 0; code <= 29; ++code) {
    if (!is_valid_dtype(code) || is_quantized(static_cast<DType>(code))) continue;
    const DType dtype = static_cast<DType>(code);
    const Tensor t = f.read(tensor(storage(std::string(name_of(dtype)) + "Storage", "k", 4), 0, {4}, {1})).to_tensor();
    EXPECT_EQ(t.dtype(), dtype);
  }
  f.expect_refused(storage("StringStorage", "0", 1), "torch.StringStorage", ErrorCode::kUnsupported);
  f.expect_refused(storage("QInt8Storage", "0", 1) + "0" + tensor(storage("QInt8Storage", "0", 1), 0, {1}, {1}),
                   "no quantizer");
  f.expect_refused(kSix, "storage '0'", ErrorCode::kUnsupported);
}

TEST(PickleTensor, EmptyAndScalarTensors) {
  Floats f;
  const std::string none = storage("FloatStorage", "e", 0);
  EXPECT_EQ(f.read(tensor(none, 0, {0, 3}, {3, 1})).to_tensor().numel(), 0);
  const Tensor far = f.read(tensor(none, 2, {0, 3}, {5, 1})).to_tensor();
  EXPECT_EQ(far.storage_offset(), 0);
  EXPECT_EQ(f.read(tensor(kSix, 5, {}, {})).to_tensor().dim(), 0);
  f.environment.storage = [](const std::string&, uint64_t, size_t) { return Storage(); };
  EXPECT_EQ(f.read(tensor(none, 0, {0}, {1})).to_tensor().numel(), 0);
  f.expect_refused(tensor(kSix, 0, {6}, {1}), "has 0 bytes");
}

TEST(PickleTensor, RefusesViewsOutsideTheStorage) {
  Floats f;
  f.expect_refused(tensor(kSix, 0, {7}, {1}), "needs 7 elements");
  f.expect_refused(tensor(kSix, 1, {6}, {1}), "needs 7 elements");
  f.expect_refused(tensor(kSix, 6, {}, {}), "needs 7 elements");
  f.expect_refused(tensor(kSix, 0, {2, 3}, {4, 1}), "needs 7 elements");
  f.expect_refused(tensor(kSix, 0, {2}, {2147483647}), "elements");
  f.expect_refused(tensor(kSix, -1, {1}, {1}), "offset");
  f.expect_refused(tensor(kSix, 0, {-1}, {1}), "sizes");
  f.expect_refused(tensor(kSix, 0, {2}, {-1}), "strides");
  f.expect_refused(tensor(kSix, 0, {2}, {}), "as many strides as sizes");
  f.expect_refused(tensor(kSix, 0, std::vector<int32_t>(65, 1), std::vector<int32_t>(65, 0)), "65 dimensions",
                   ErrorCode::kLimitExceeded);
  f.expect_refused(tensor(kSix, 0, {2147483647, 2147483647, 2147483647}, {0, 0, 0}), "overflow");
  f.expect_refused(tensor(kSix, 0, {0, 2147483647, 2147483647, 2147483647}, {0, 0, 0, 0}), "overflow");
  const std::string huge = "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f";
  const auto raw = [&](const std::string& offset, const std::string& sizes, const std::string& strides) {
    return call("torch._utils", "_rebuild_tensor", kSix + offset + tuple(sizes) + tuple(strides));
  };
  f.expect_refused(raw(huge, integer(1), integer(1)), "overflow");
  f.expect_refused(raw(integer(0), integer(2), huge), "overflow");
  f.expect_refused(raw(integer(0), huge, integer(0)), "overflow");
  f.expect_refused(raw(integer(0), huge, integer(1)), "overflow");
  f.expect_refused(raw(integer(0), str("x"), integer(1)), "must be integers");
  f.expect_refused(raw("N", integer(1), integer(1)), "offset");
  f.expect_refused(tensor("N", 0, {1}, {1}), "needs a storage");
  f.expect_refused(storage("FloatStorage", "0", -1), "-1 elements");
  f.expect_refused(tuple(str("storage") + global("torch", "DoubleStorage") + str("0") + str("cpu") + huge) + "Q",
                   "elements");
  // A second reference may not claim more than the first.
  f.expect_refused(kSix + "0" + tensor(storage("FloatStorage", "0", 7), 0, {7}, {1}), "24 elsewhere");
  f.expect_refused(kSix + "0" + tensor(storage("DoubleStorage", "0", 6), 0, {6}, {1}), "24 elsewhere");
}

TEST(PickleTensor, ExpandedTensorsAreViews) {
  Floats f;
  const Tensor t = f.read(tensor(storage("FloatStorage", "1", 1), 0, {1000000, 1000000}, {0, 0})).to_tensor();
  EXPECT_EQ(t.numel(), 1000000000000);
  EXPECT_EQ(t.storage()->nbytes(), 4u);
}

TEST(PickleTensor, MisalignedStoragesAreCopied) {
  alignas(8) static char memory[64] = {};
  PickleEnvironment environment;
  environment.storage = [](const std::string&, uint64_t nbytes, size_t) {
    return make_ref<StorageImpl>(memory + 1, static_cast<size_t>(nbytes), nullptr);
  };
  const std::string body = pickled(tuple(tensor(kSix, 0, {6}, {1}) + tensor(kSix, 0, {1}, {1})));
  const IValue v = read_pickle(bytes_of(body), "r", environment);
  const Tensor t = v.to_tuple().items[0].to_tensor();
  EXPECT_EQ(reinterpret_cast<uintptr_t>(t.raw_data()) % 4, 0u);
  EXPECT_EQ(t.storage(), v.to_tuple().items[1].to_tensor().storage());
}

TEST(PickleTensor, BoolsAreZeroOrOne) {
  static uint8_t memory[] = {0, 1, 2, 255};
  PickleEnvironment environment;
  environment.storage = [](const std::string&, uint64_t nbytes, size_t) {
    return make_ref<StorageImpl>(memory, static_cast<size_t>(nbytes), nullptr);
  };
  const std::string body = pickled(tensor(storage("BoolStorage", "0", 4), 0, {4}, {1}));
  const Tensor t = read_pickle(bytes_of(body), "r", environment).to_tensor();
  const auto* bytes = static_cast<const uint8_t*>(t.raw_data());
  EXPECT_EQ(std::vector<int>(bytes, bytes + 4), (std::vector<int>{0, 1, 1, 1}));
}

TEST(PickleTensor, LazyConjugateAndNegativeAreMaterialized) {
  Floats f;
  const std::string complex = storage("ComplexFloatStorage", "0", 3);
  const auto flag = [](const std::string& name) { return dict(str(name) + "\x88"); };
  const Tensor conj = f.read(tensor(complex, 1, {2}, {1}, flag("conj"))).to_tensor();
  EXPECT_EQ(conj.data_ptr<std::complex<float>>()[0], std::complex<float>(2, -3));
  EXPECT_EQ(conj.data_ptr<std::complex<float>>()[1], std::complex<float>(4, -5));
  const Tensor neg = f.read(tensor(kSix, 1, {2}, {2}, flag("neg"))).to_tensor();
  EXPECT_EQ(neg.data_ptr<float>()[1], -3);
  const Tensor both =
      f.read(tensor(complex, 0, {3}, {1}, dict(str("conj") + "\x88" + str("neg") + "\x88"))).to_tensor();
  EXPECT_EQ(both.data_ptr<std::complex<float>>()[1], std::complex<float>(-2, 3));
  EXPECT_EQ(f.read(tensor(kSix, 0, {6}, {1}, dict(str("conj") + "\x89"))).to_tensor().data_ptr<float>()[5], 5);
  f.expect_refused(tensor(storage("LongStorage", "0", 3), 0, {3}, {1}, flag("neg")), "negated");
  f.expect_refused(tensor(kSix, 0, {100000, 100000}, {0, 0}, flag("neg")), "copies", ErrorCode::kLimitExceeded);
}

std::string qtensor(const std::string& storage, const std::vector<int32_t>& sizes, const std::vector<int32_t>& strides,
                    const std::string& quantizer) {
  return call("torch._utils", "_rebuild_qtensor",
              storage + integer(0) + integers(sizes) + integers(strides) + quantizer + "\x89" + hooks());
}

TEST(PickleTensor, Quantized) {
  Floats f;
  const std::string eight = storage("QInt8Storage", "q", 6);
  const std::string per_tensor = tuple(global("torch", "per_tensor_affine") + "G\x3f\xe0\0\0\0\0\0\0"s + integer(3));
  const Tensor t = f.read(qtensor(eight, {2, 3}, {3, 1}, per_tensor)).to_tensor();
  EXPECT_EQ(t.quantizer().scale, 0.5);
  EXPECT_EQ(t.quantizer().zero_point, 3);

  const std::string scales = tensor(storage("DoubleStorage", "s", 4), 0, {2}, {1});
  const std::string zeros = tensor(storage("LongStorage", "z", 4), 0, {2}, {1});
  const auto per_channel = [](const std::string& s, const std::string& z, int axis) {
    return tuple(global("torch", "per_channel_affine") + s + z + integer(axis));
  };
  const Tensor c = f.read(qtensor(eight, {2, 3}, {3, 1}, per_channel(scales, zeros, 0))).to_tensor();
  EXPECT_EQ(c.quantizer().scheme, QScheme::kPerChannelAffine);
  EXPECT_EQ(c.quantizer().scales.numel(), 2);
  const std::string float_scales = tensor(kSix, 0, {2}, {1});
  EXPECT_EQ(
      f.read(qtensor(eight, {2, 3}, {3, 1}, per_channel(float_scales, float_scales, 0))).to_tensor().quantizer().scheme,
      QScheme::kPerChannelAffineFloatQParams);
  EXPECT_EQ(f.read(qtensor(eight, {2, 3}, {3, 1}, per_channel(float_scales, zeros, 0)))
                .to_tensor()
                .quantizer()
                .scales.dtype(),
            DType::kDouble);

  f.expect_refused(qtensor(eight, {2, 3}, {3, 1}, per_channel(scales, zeros, 1)), "3 channels");
  f.expect_refused(qtensor(eight, {2, 3}, {3, 1}, per_channel(scales, zeros, 2)), "axis 2");
  f.expect_refused(qtensor(eight, {2, 3}, {3, 1}, per_channel(scales, zeros, -1)), "axis -1");
  f.expect_refused(qtensor(eight, {2, 3}, {3, 1}, per_channel(zeros, zeros, 0)), "must be floating");
  f.expect_refused(qtensor(eight, {2, 3}, {3, 1}, per_channel("N", zeros, 0)), "not a tensor");
  f.expect_refused(qtensor(kSix, {2, 3}, {3, 1}, per_tensor), "storage of dtype Float");
  f.expect_refused(qtensor(eight, {2, 3}, {3, 1}, "N"), "quantizer");
  f.expect_refused(qtensor(eight, {2, 3}, {3, 1}, tuple(global("torch", "per_tensor_symmetric"))), "scheme 2",
                   ErrorCode::kUnsupported);
}

TEST(PickleTensor, FourBitTensorsArePadded) {
  Floats f;
  const std::string quantizer = tuple(global("torch", "per_tensor_affine") + "G\x3f\xe0\0\0\0\0\0\0"s + integer(0));
  const std::string packed = storage("QUInt4x2Storage", "p", 4);
  const Tensor t = f.read(qtensor(packed, {2, 3}, {3, 1}, quantizer)).to_tensor();
  EXPECT_GE(t.storage()->nbytes(), t.nbytes());
  f.expect_refused(qtensor(packed, {2, 5}, {5, 1}, quantizer), "needs 6 bytes");
  f.expect_refused(qtensor(packed, {2, 3}, {1, 2}, quantizer), "contiguous", ErrorCode::kUnsupported);
}

TEST(PickleTensor, BigEndianStoragesAreSwapped) {
  Floats f;
  f.environment.swap_bytes = true;
  f.environment.storage = [](const std::string&, uint64_t nbytes, size_t) {
    static uint8_t bytes[] = {0x3f, 0x80, 0, 0, 0x40, 0, 0, 0};
    return make_ref<StorageImpl>(bytes, static_cast<size_t>(nbytes), nullptr);
  };
  const Tensor real = f.read(tensor(storage("FloatStorage", "0", 2), 0, {2}, {1})).to_tensor();
  EXPECT_EQ(real.data_ptr<float>()[0], 1);
  EXPECT_EQ(real.data_ptr<float>()[1], 2);
  const Tensor complex = f.read(tensor(storage("ComplexFloatStorage", "0", 1), 0, {}, {})).to_tensor();
  EXPECT_EQ(complex.data_ptr<std::complex<float>>()[0], std::complex<float>(1, 2));
}

}  // namespace
}  // namespace wick::test
