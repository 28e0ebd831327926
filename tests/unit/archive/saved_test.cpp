// Reading torch.save files: the zip form and the legacy form, mapped tensors, and damaged files.
#include <random>
#include <set>

#include "archive/container.h"
#include "archive/writer.h"
#include "core/tensor_impl.h"
#include "unit/archive/archive_util.h"
#include "unit/archive/pickle_text.h"
#include "wick/module.h"
#include "wick/save.h"

namespace wick::test {
namespace {

IValue load_bytes(const std::vector<uint8_t>& bytes) { return load_saved(ByteSource::copy_of(bytes)); }

const IValue& item(const IValue& dict, const IValue& key) {
  const IValue* found = dict.to_dict().find(key);
  EXPECT_NE(found, nullptr);
  return *found;
}

void expect_tuple_file(const IValue& v) {
  const auto& items = v.to_tuple().items;
  ASSERT_EQ(items.size(), 6u);
  const Tensor a = items[0].to_tensor(), t = items[1].to_tensor();
  EXPECT_EQ(a.sizes().vec(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(t.strides().vec(), (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(a.storage(), t.storage());
  for (int i = 0; i < 6; ++i) EXPECT_EQ(a.data<float>()[i], i);
  EXPECT_EQ(items[2].to_tensor().data<int64_t>()[2], 3);
  EXPECT_EQ(static_cast<float>(items[3].to_tensor().data<BFloat16>()[1]), 2.5f);
  EXPECT_EQ(items[4].to_tensor().data<bool>()[0], true);
  EXPECT_EQ(*items[5].to_tensor().data<std::complex<float>>(), std::complex<float>(1, 2));
}

TEST(Saved, TupleOfTensors) { expect_tuple_file(load_tensors(data_path("tuple.pt"))); }

TEST(Saved, DeflatedAndRenamedArchive) { expect_tuple_file(load_tensors(data_path("rezipped.pt"))); }

TEST(Saved, TensorsPointIntoTheMapping) {
  const auto source = ByteSource::open_file(data_path("tuple.pt"));
  const IValue v = load_saved(source);
  const auto* data = static_cast<const uint8_t*>(v.to_tuple().items[0].to_tensor().raw_data());
  EXPECT_GE(data, source->bytes().data());
  EXPECT_LT(data, source->bytes().data() + source->bytes().size());
}

TEST(Saved, PlainValues) {
  const IValue v = load_tensors(data_path("dict.pt"));
  EXPECT_EQ(item(v, "list").to_list().items[2].to_string(), "text");
  EXPECT_EQ(item(v, "ints").type()->str(), "List[int]");
  EXPECT_EQ(item(v, "tuple").to_tuple().items[1].to_tuple().items[0].to_int(), 2);
  const auto& shared = item(v, "shared").to_list().items;
  EXPECT_EQ(&shared[0].to_list(), &shared[1].to_list());
  EXPECT_EQ(item(v, "size").to_int_vec(), (IntVec{1, 2}));
  EXPECT_EQ(item(v, "dtype").to_int(), 5);
  EXPECT_EQ(item(v, "device").to_device().str(), "cuda:1");
  EXPECT_EQ(item(v, "complex").to_complex(), std::complex<double>(1, 2));
  EXPECT_EQ(item(v, "big").to_int(), int64_t{1} << 40);
  EXPECT_EQ(item(v, "negative").to_int(), -(int64_t{1} << 33));
  EXPECT_EQ(item(v, "smallest").to_int(), INT64_MIN);
  EXPECT_TRUE(item(v, "parameter").to_tensor().requires_grad());
  EXPECT_EQ(item(v, "slice").to_tensor().storage(), item(v, "parameter").to_tensor().storage());
  EXPECT_EQ(item(v, "slice").to_tensor().storage_offset(), 3);
  EXPECT_EQ(item(v, "empty").to_tensor().sizes().vec(), (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(item(v, "far_empty").to_tensor().sizes().vec(), (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(item(v, "expanded").to_tensor().strides().vec(), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(item(v, "long").to_list().items[2499].to_int(), 2499);
  EXPECT_EQ(static_cast<float>(*item(v, "half").to_tensor().data<Half>()), 0.5f);
  EXPECT_EQ(item(v, "ordered").type()->str(), "Dict[str, int]");
  EXPECT_EQ(item(v, 5).to_int(), 6);
}

TEST(Saved, StateDict) {
  const IValue v = load_tensors(data_path("state_dict.pt"));
  EXPECT_EQ(v.type()->str(), "Dict[str, Tensor]");
  EXPECT_EQ(v.to_dict().entries()[0].first.to_string(), "weight");
  EXPECT_EQ(item(v, "weight").to_tensor().sizes().vec(), (std::vector<int64_t>{3, 2}));
}

TEST(Saved, QuantizedTensors) {
  const IValue v = load_tensors(data_path("quantized.pt"));
  const auto& items = v.to_tuple().items;
  EXPECT_EQ(items[0].to_tensor().dtype(), DType::kQUInt8);
  EXPECT_EQ(items[0].to_tensor().quantizer().scale, 0.1);
  EXPECT_EQ(items[0].to_tensor().quantizer().zero_point, 3);
  EXPECT_EQ(items[1].to_tensor().quantizer().scales.data<double>()[1], 0.25);
  EXPECT_EQ(items[1].to_tensor().quantizer().zero_points.data<int64_t>()[1], 1);
  EXPECT_EQ(items[2].to_tensor().dtype(), DType::kQUInt4x2);
  EXPECT_EQ(items[2].to_tensor().quantizer().scheme, QScheme::kPerChannelAffineFloatQParams);
  EXPECT_EQ(items[3].to_tensor().dtype(), DType::kQInt32);
}

TEST(Saved, LegacyForm) {
  const IValue v = load_tensors(data_path("legacy.pt"));
  const auto& items = v.to_list().items;
  ASSERT_EQ(items.size(), 4u);
  EXPECT_EQ(items[1].to_tensor().data<float>()[0], 3);
  EXPECT_EQ(items[0].to_tensor().storage(), items[1].to_tensor().storage());
  EXPECT_EQ(items[0].to_tensor().storage(), item(items[2], "x").to_tensor().storage());
  EXPECT_TRUE(items[3].to_tensor().data<bool>()[0]);
}

TEST(Saved, ClearErrors) {
  expect_error(ErrorCode::kUnsupported, "sparse", [] { load_tensors(data_path("sparse.pt")); });
  expect_error(ErrorCode::kUnsupported, "numpy.core.multiarray._reconstruct",
               [] { load_tensors(data_path("numpy.pt")); });
  expect_error(ErrorCode::kInvalidArgument, "holds a model", [] { load_tensors(data_path("everything.pt")); });
  expect_error(ErrorCode::kNotFound, "missing.pt", [] { load_tensors(data_path("missing.pt")); });
  expect_error(ErrorCode::kCorruptFile, "make.py", [] { load_tensors(data_path("make.py")); });
  expect_error(ErrorCode::kUnsupportedVersion, "before 1.0",
               [] { load_saved(ByteSource::copy_of(bytes_of("PYTORCH1abc"))); });
  expect_error(ErrorCode::kInvalidArgument, "flatbuffer",
               [] { load_saved(ByteSource::copy_of(bytes_of("1234PTMF"))); });
  expect_error(ErrorCode::kCorruptFile, "empty", [] { load_saved(ByteSource::copy_of({})); });
  const auto with = [](const std::string& version, const std::string& record) {
    ZipWriter zip("m");
    zip.add("data.pkl", bytes_of(pickled("N")));
    if (!record.empty()) zip.add(record, bytes_of(version));
    return zip.finish();
  };
  EXPECT_TRUE(load_bytes(with("3\n", "version")).is_none());
  EXPECT_TRUE(load_bytes(with("6\n", ".data/version")).is_none());
  expect_error(ErrorCode::kCorruptFile, "no record 'version'", [&] { load_bytes(with("", "")); });
  expect_error(ErrorCode::kCorruptFile, "not a number", [&] { load_bytes(with("x", "version")); });
  expect_error(ErrorCode::kUnsupportedVersion, "version 11", [&] { load_bytes(with("11", "version")); });
  expect_error(ErrorCode::kUnsupportedVersion, "version 0", [&] { load_bytes(with("0", "version")); });
}

TEST(Saved, BigEndianFile) {
  const auto file = [](const std::string& order) {
    ZipWriter zip("m");
    zip.add("data.pkl", bytes_of(pickled(tensor(storage("FloatStorage", "0", 1), 0, {}, {}))));
    zip.add("byteorder", bytes_of(order));
    zip.add("data/0", bytes_of("\x3f\x80\0\0"s));
    zip.add("version", bytes_of("3\n"));
    return zip.finish();
  };
  EXPECT_EQ(*load_bytes(file("big")).to_tensor().data<float>(), 1);
  EXPECT_NE(*load_bytes(file("little")).to_tensor().data<float>(), 1);
  expect_error(ErrorCode::kCorruptFile, "byteorder", [&] { load_bytes(file("middle")); });
}

// The records and calls that PyTorch 2 adds.
TEST(Saved, FileOfPyTorch2) {
  const std::string bytes =
      tuple(str("storage") + global("torch.storage", "UntypedStorage") + str("1") + str("cpu") + integer(4)) + "Q";
  const std::string v3 =
      call("torch._utils", "_rebuild_tensor_v3",
           bytes + integer(1) + integers({1}) + integers({1}) + "\x89" + hooks() + global("torch", "uint16") + "}");
  const std::string conjugate = tensor(storage("ComplexFloatStorage", "0", 1), 0, {1}, {1}, dict(str("conj") + "\x88"));
  ZipWriter zip("archive");
  zip.add("data.pkl", bytes_of(pickled(tuple(conjugate + v3))));
  zip.add(".format_version", bytes_of("1"));
  zip.add(".storage_alignment", bytes_of("64"));
  zip.add("byteorder", bytes_of("little"));
  const float complex[] = {1, 2};
  zip.add("data/0", {reinterpret_cast<const uint8_t*>(complex), sizeof(complex)});
  zip.add("data/1", bytes_of("\x01\0\x02\0"s));
  zip.add("version", bytes_of("3\n"));
  zip.add(".data/serialization_id", bytes_of(std::string(40, '7')));
  const auto items = load_bytes(zip.finish()).to_tuple().items;
  EXPECT_EQ(items[0].to_tensor().data<std::complex<float>>()[0], std::complex<float>(1, -2));
  EXPECT_EQ(items[1].to_tensor().dtype(), DType::kUInt16);
  EXPECT_EQ(*static_cast<const uint16_t*>(items[1].to_tensor().raw_data()), 2);
}

TEST(Saved, MissingAndShortStorages) {
  const auto file = [](const std::string& data) {
    ZipWriter zip("m");
    zip.add("data.pkl", bytes_of(pickled(tensor(storage("FloatStorage", "0", 2), 0, {2}, {1}))));
    if (!data.empty()) zip.add("data/0", bytes_of(data));
    zip.add("version", bytes_of("3\n"));
    return zip.finish();
  };
  expect_error(ErrorCode::kCorruptFile, "no record 'data/0'", [&] { load_bytes(file("")); });
  expect_error(ErrorCode::kCorruptFile, "has 7 bytes", [&] { load_bytes(file("1234567")); });
  EXPECT_EQ(load_bytes(file("12345678")).to_tensor().numel(), 2);
}

TEST(Saved, LegacyStorageViews) {
  const auto file = [](int offset, int size) {
    const std::string id = tuple(str("storage") + global("torch", "FloatStorage") + str("9") + str("cpu") + integer(4) +
                                 tuple(str("v") + integer(offset) + integer(size)));
    const float data[] = {0, 1, 2, 3};
    return "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19." + pickled("M\xe9\x03") + pickled("}") +
           pickled(tensor(id + "Q", 1, {1}, {1})) + pickled("]" + str("9") + "a") + "\x04\0\0\0\0\0\0\0"s +
           std::string(reinterpret_cast<const char*>(data), sizeof(data));
  };
  const auto load = [&](int offset, int size) { return load_saved(ByteSource::copy_of(bytes_of(file(offset, size)))); };
  EXPECT_EQ(*load(2, 2).to_tensor().data<float>(), 3);
  expect_error(ErrorCode::kCorruptFile, "elements", [&] { load(2, 1); });
  expect_error(ErrorCode::kCorruptFile, "outside", [&] { load(3, 2); });
  expect_error(ErrorCode::kCorruptFile, "outside", [&] { load(-1, 2); });
}

// What TorchScript's own pickler writes.
TEST(Saved, ModulePickle) {
  const ZipReader zip(ByteSource::open_file(data_path("everything.pt")));
  std::set<std::string> classes;
  PickleEnvironment environment;
  environment.storage = storage_records(zip, "data");
  environment.object = [&](const std::string& name, IValue state) {
    classes.insert(name);
    return state;
  };
  environment.enumeration = [](const std::string& name, IValue value) {
    auto member = make_ref<EnumImpl>();
    member->type_name = name;
    member->value = std::move(value);
    return IValue(member);
  };
  const IValue m = read_pickle(zip.read("data.pkl").bytes, "data.pkl", environment);
  EXPECT_EQ(classes.size(), 2u);
  EXPECT_EQ(item(m, "names").type()->str(), "List[str]");
  EXPECT_EQ(item(m, "ints").to_int_vec(), (IntVec{1, 2, 300, -5, int64_t{1} << 40}));
  EXPECT_EQ(item(m, "floats").to_double_vec(), (std::vector<double>{1.5, -2.0}));
  EXPECT_EQ(item(m, "bools").type()->str(), "List[bool]");
  EXPECT_EQ(item(m, "tensors").to_tensor_vec()[1].storage(), item(m, "buf").to_tensor().storage());
  EXPECT_EQ(item(m, "nested").type()->str(), "List[List[int]]");
  EXPECT_EQ(item(m, "nested").to_list().items[1].type()->str(), "List[int]");
  EXPECT_EQ(item(m, "table").type()->str(), "Dict[str, List[float]]");
  EXPECT_TRUE(item(m, "maybe").is_none());
  EXPECT_EQ(item(m, "pair").to_tuple().items[2].to_double(), 2.5);
  EXPECT_EQ(item(m, "empty").type()->str(), "List[str]");
  EXPECT_EQ(item(m, "numbered").to_dict().entries()[0].first.to_int(), 3);
  EXPECT_EQ(item(m, "color").to_enum().value.to_int(), 2);
  EXPECT_EQ(item(m, "device").to_device().str(), "cpu");
  EXPECT_EQ(item(m, "number").to_complex(), std::complex<double>(1, 2));
  EXPECT_EQ(item(m, "quantized").to_tensor().quantizer().scale, 0.5);
  EXPECT_EQ(item(m, "by_channel").to_tensor().quantizer().scales.data<double>()[1], 0.25);
  EXPECT_TRUE(item(item(m, "again"), "weight").is_same(item(item(m, "inner"), "weight")));
  EXPECT_TRUE(item(item(m, "inner"), "weight").to_tensor().requires_grad());
}

TEST(Saved, RefusesEveryTruncation) {
  for (const char* name : {"tuple.pt", "legacy.pt", "rezipped.pt", "quantized.pt"}) {
    const std::vector<uint8_t> whole = read_whole(data_path(name));
    for (size_t n = 0; n < whole.size(); ++n) {
      const std::vector<uint8_t> part(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(n));
      ASSERT_TRUE(error_of([&] { load_bytes(part); }).has_value()) << name << " cut to " << n;
    }
  }
}

TEST(Saved, SurvivesFlippedBytes) {
  std::mt19937 random(3);
  for (const char* name : {"tuple.pt", "legacy.pt", "rezipped.pt", "quantized.pt", "dict.pt", "state_dict.pt"}) {
    const std::vector<uint8_t> whole = read_whole(data_path(name));
    for (int i = 0; i < 3000; ++i) {
      std::vector<uint8_t> bytes = whole;
      for (unsigned k = 0; k < 1 + random() % 3; ++k)
        bytes[random() % bytes.size()] ^= static_cast<uint8_t>(1 + random() % 255);
      error_of([&] {
        const IValue v = load_bytes(bytes);
        save_tensors(v);
      });
    }
  }
}

}  // namespace
}  // namespace wick::test
