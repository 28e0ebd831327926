// Writing torch.save files: sharing, views, dtypes, and files that are written whole or not at all.
#include <dirent.h>
#include <sys/stat.h>

#include <cmath>

#include "archive/pickle.h"
#include "archive/writer.h"
#include "core/tensor_impl.h"
#include "unit/archive/archive_util.h"
#include "wick/module.h"
#include "wick/save.h"

namespace wick::test {
namespace {

IValue round_trip(const IValue& value) { return load_saved(ByteSource::copy_of(save_tensors(value))); }

Tensor arange(int64_t n) {
  Tensor t = Tensor::empty({n});
  for (int64_t i = 0; i < n; ++i) t.data_ptr<float>()[i] = static_cast<float>(i);
  return t;
}

TEST(Save, PlainValues) {
  auto dict = make_ref<DictImpl>();
  dict->key_type = types::string();
  dict->value_type = types::any();
  for (int i = 0; i < 300; ++i) dict->set(std::to_string(i), IValue::tuple({IValue(i), IValue(i * 0.5)}));
  for (int64_t v : {int64_t{0}, int64_t{255}, int64_t{256}, int64_t{65536}, int64_t{-1}, INT64_MIN, INT64_MAX}) {
    EXPECT_EQ(round_trip(v).to_int(), v);
  }
  EXPECT_TRUE(std::isnan(round_trip(std::nan("")).to_double()));
  EXPECT_TRUE(round_trip(IValue()).is_none());
  EXPECT_TRUE(round_trip(true).is_bool());
  EXPECT_EQ(round_trip("t\xc3\xa4xt").to_string(), "t\xc3\xa4xt");
  EXPECT_EQ(round_trip(std::complex<double>(1, -2)).to_complex(), std::complex<double>(1, -2));
  EXPECT_EQ(round_trip(Device{1, 2}).to_device().str(), "cuda:2");
  EXPECT_TRUE(round_trip(IValue::tuple({})).to_tuple().items.empty());
  EXPECT_TRUE(equal(round_trip(dict), dict));
  const IValue lists = IValue::list(types::any(), {IValue::int_list({1, 2}), IValue::list(types::any(), {})});
  EXPECT_TRUE(equal(round_trip(lists), lists));
}

TEST(Save, SharingIsKept) {
  const IValue inner = IValue::int_list({1});
  const Tensor t = arange(3);
  const IValue v = round_trip(IValue::tuple({inner, inner, t, t, t.alias()}));
  const auto& items = v.to_tuple().items;
  EXPECT_TRUE(items[0].is_same(items[1]));
  EXPECT_TRUE(items[2].is_same(items[3]));
  EXPECT_FALSE(items[2].is_same(items[4]));
  EXPECT_EQ(items[2].to_tensor().storage(), items[4].to_tensor().storage());
}

TEST(Save, ViewsKeepStridesAndTakeOnlyWhatTheyNeed) {
  const Tensor base = arange(10000);
  const Tensor a = base.as_strided({2, 3}, {1, 4}, 100), b = base.as_strided({4}, {2}, 103);
  const Tensor wide = base.as_strided({2, 2}, {0, 1}, 105), none = base.as_strided({0}, {1}, 9000);
  const std::vector<uint8_t> bytes = save_tensors(IValue::tuple({a, b, wide, none}));
  EXPECT_LT(bytes.size(), 2000u);
  const auto items = load_saved(ByteSource::copy_of(bytes)).to_tuple().items;
  const Tensor x = items[0].to_tensor(), y = items[1].to_tensor();
  EXPECT_EQ(x.strides().vec(), (std::vector<int64_t>{1, 4}));
  EXPECT_EQ(x.storage(), y.storage());
  EXPECT_EQ(x.data_ptr<float>()[9], 109);
  EXPECT_EQ(y.data_ptr<float>()[6], 109);
  EXPECT_EQ(items[2].to_tensor().strides().vec(), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(items[2].to_tensor().data_ptr<float>()[1], 106);
  EXPECT_EQ(items[3].to_tensor().numel(), 0);
}

TEST(Save, EveryDtype) {
  for (int code = 0; code <= 29; ++code) {
    if (!is_valid_dtype(code)) continue;
    const DType dtype = static_cast<DType>(code);
    Tensor t = Tensor::zeros({2, 3}, dtype);
    if (is_quantized(dtype)) t.impl()->quantizer = std::make_shared<Quantizer>();
    t.impl()->requires_grad = true;
    static_cast<uint8_t*>(t.raw_data())[0] = 1;
    const Tensor back = round_trip(t).to_tensor();
    EXPECT_EQ(back.dtype(), dtype);
    EXPECT_TRUE(back.requires_grad());
    EXPECT_EQ(std::memcmp(back.raw_data(), t.raw_data(), t.nbytes()), 0) << name_of(dtype);
  }
}

TEST(Save, OneStorageSeenAsTwoDtypes) {
  const Tensor floats = arange(4);
  Tensor ints = floats.alias();
  ints.impl()->dtype = DType::kInt;
  const auto items = round_trip(IValue::tuple({floats, ints})).to_tuple().items;
  EXPECT_EQ(items[0].to_tensor().dtype(), DType::kFloat);
  EXPECT_EQ(items[1].to_tensor().dtype(), DType::kInt);
  EXPECT_EQ(items[1].to_tensor().data_ptr<int32_t>()[1], 0x3f800000);
}

TEST(Save, PerChannelQuantizer) {
  auto quantizer = std::make_shared<Quantizer>();
  quantizer->scheme = QScheme::kPerChannelAffine;
  quantizer->scales = Tensor::from_values<double>({0.5, 0.25});
  quantizer->zero_points = Tensor::from_values<int64_t>({1, 2});
  quantizer->axis = 1;
  Tensor t = Tensor::zeros({3, 2}, DType::kQInt8);
  t.impl()->quantizer = quantizer;
  const Tensor back = round_trip(t).to_tensor();
  EXPECT_EQ(back.quantizer().axis, 1);
  EXPECT_EQ(back.quantizer().scales.data_ptr<double>()[1], 0.25);
  EXPECT_EQ(back.quantizer().zero_points.data_ptr<int64_t>()[1], 2);
}

TEST(Save, RefusesWhatAFileCannotHold) {
  expect_error(ErrorCode::kUnsupported, "Object", [] { save_tensors(IValue(make_ref<ObjectImpl>())); });
  const IValue cycle = IValue::list(types::any(), {IValue(1)});
  cycle.to_list().items.push_back(cycle);
  expect_error(ErrorCode::kUnsupported, "contains itself", [&] { save_tensors(cycle); });
  cycle.to_list().items.clear();
  IValue deep(1);
  for (int i = 0; i < 600; ++i) deep = IValue::tuple({deep});
  expect_error(ErrorCode::kLimitExceeded, "deeper", [&] { save_tensors(deep); });
}

size_t files_in(const std::string& folder) {
  size_t n = 0;
  DIR* dir = ::opendir(folder.c_str());
  while (const dirent* entry = ::readdir(dir)) n += entry->d_name[0] != '.';
  ::closedir(dir);
  return n;
}

TEST(Save, FilesAreWrittenWholeOrNotAtAll) {
  TempPath folder("");
  ASSERT_EQ(::mkdir(folder.str().c_str(), 0700), 0);
  const std::string path = folder.str() + "/out.v1.pt";
  save_tensors(arange(3), path);
  save_tensors(arange(4), path);
  EXPECT_EQ(load_tensors(path).to_tensor().numel(), 4);
  EXPECT_EQ(ZipReader(ByteSource::open_file(path)).root(), "out.v1");
  EXPECT_EQ(files_in(folder.str()), 1u);

  const std::string link = folder.str() + "/link.pt";
  ASSERT_EQ(::symlink(path.c_str(), link.c_str()), 0);
  save_tensors(arange(5), link);
  EXPECT_EQ(load_tensors(path).to_tensor().numel(), 5);
  ::unlink(link.c_str());

  expect_error(ErrorCode::kIo, "/none/", [&] { save_tensors(arange(1), folder.str() + "/none/out.pt"); });
  expect_error(ErrorCode::kIo, "cannot write", [&] { save_tensors(arange(1), folder.str()); });
  expect_error(ErrorCode::kIo, "/dev/full", [&] { save_tensors(arange(1), "/dev/full"); });
  save_tensors(arange(1), "/dev/null");
  struct stat info;
  ASSERT_EQ(::stat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
  EXPECT_EQ(files_in(folder.str()), 1u);
  ::unlink(path.c_str());
  ::rmdir(folder.str().c_str());
}

}  // namespace
}  // namespace wick::test
