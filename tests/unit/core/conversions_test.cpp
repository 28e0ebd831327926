// C++ values as values of a model and back; elements of containers; what does not convert.
#include "wick/conversions.h"

#include <gtest/gtest.h>

#include <sstream>

namespace wick {
namespace {

template <class Call>
ErrorCode code_of(const Call& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.code();
  }
  return ErrorCode::kInternal;
}

// Only what cannot be misunderstood converts by itself.
static_assert(!std::is_constructible_v<IValue, int*>);
static_assert(!std::is_constructible_v<IValue, const Tensor*>);
static_assert(!std::is_constructible_v<IValue, void (*)()>);
static_assert(!std::is_constructible_v<IValue, std::nullptr_t>);
static_assert(!std::is_constructible_v<IValue, char>);
static_assert(!std::is_convertible_v<std::vector<IValue>, IValue>);
static_assert(std::is_convertible_v<char*, IValue>);
static_assert(std::is_convertible_v<unsigned, IValue> && std::is_convertible_v<long long, IValue> &&
              std::is_convertible_v<size_t, IValue> && std::is_convertible_v<short, IValue>);

TEST(Conversions, IntegersOfEveryKind) {
  EXPECT_EQ(IValue(5u).to_int(), 5);
  EXPECT_EQ(IValue(5ll).to_int(), 5);
  EXPECT_EQ(IValue(size_t{5}).to_int(), 5);
  EXPECT_EQ(IValue(uint8_t{200}).to_int(), 200);
  EXPECT_EQ(code_of([] { IValue v(UINT64_MAX); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(IValue(5).to<int>(), 5);
  EXPECT_EQ(IValue(5).to<uint8_t>(), 5);
  EXPECT_EQ(code_of([] { IValue(300).to<uint8_t>(); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([] { IValue(-1).to<size_t>(); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([] { IValue(2.5).to<int>(); }), ErrorCode::kTypeMismatch);
  EXPECT_EQ(IValue(0.5f).to<float>(), 0.5f);
  EXPECT_TRUE(IValue(true).is_bool());
}

TEST(Conversions, Texts) {
  char text[] = "abc";
  EXPECT_EQ(IValue(static_cast<char*>(text)).to<std::string>(), "abc");
  EXPECT_EQ(IValue(std::string_view(text)).to<std::string>(), "abc");
}

TEST(Conversions, Lists) {
  const IValue ints = std::vector<int64_t>{1, 2};
  EXPECT_EQ(ints.type()->str(), "List[int]");
  EXPECT_EQ(ints.to<std::vector<int64_t>>(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(IValue(std::vector<int>{1, 2}).type()->str(), "List[int]");
  EXPECT_EQ(IValue(std::vector<float>{0.5f}).type()->str(), "List[float]");
  EXPECT_EQ(IValue(std::vector<bool>{true, false}).to<std::vector<bool>>(), (std::vector<bool>{true, false}));
  EXPECT_EQ(IValue(std::vector<std::string>{"a"}).type()->str(), "List[str]");
  EXPECT_EQ(IValue(std::vector<Tensor>()).type()->str(), "List[Tensor]");
  EXPECT_EQ(IValue(std::vector<std::vector<int64_t>>{{1}, {}}).type()->str(), "List[List[int]]");
  EXPECT_EQ(code_of([&] { ints.to<std::vector<std::string>>(); }), ErrorCode::kTypeMismatch);
  EXPECT_EQ(code_of([] { IValue(1).to<std::vector<int64_t>>(); }), ErrorCode::kTypeMismatch);
}

TEST(Conversions, DictsOptionalsAndTuples) {
  const IValue dict = std::map<std::string, double>{{"a", 1.5}};
  EXPECT_EQ(dict.type()->str(), "Dict[str, float]");
  EXPECT_EQ((dict.to<std::unordered_map<std::string, double>>().at("a")), 1.5);
  EXPECT_TRUE(IValue(std::optional<int64_t>()).is_none());
  EXPECT_EQ(IValue(std::optional<int64_t>(3)).to<std::optional<int64_t>>(), 3);
  EXPECT_EQ(IValue().to<std::optional<std::string>>(), std::nullopt);
  const IValue tuple = std::tuple<int64_t, std::string, std::vector<double>>(1, "b", {2.5});
  EXPECT_EQ(tuple.type()->str(), "Tuple[int, str, List[float]]");
  const auto [number, text, list] = tuple.to<std::tuple<int, std::string, std::vector<double>>>();
  EXPECT_EQ(number, 1);
  EXPECT_EQ(text, "b");
  EXPECT_EQ(list, std::vector<double>{2.5});
  EXPECT_EQ(code_of([&] { tuple.to<std::tuple<int, int>>(); }), ErrorCode::kTypeMismatch);
  EXPECT_EQ((IValue(std::pair(1, 2.5)).to<std::pair<int64_t, double>>().second), 2.5);
}

TEST(Values, ElementsOfContainers) {
  const IValue dict = IValue::dict({{"a", 1}, {"b", 2}});
  EXPECT_EQ(dict.type()->str(), "Dict[str, int]");
  EXPECT_EQ(dict["b"].to_int(), 2);
  EXPECT_EQ(dict.size(), 2u);
  EXPECT_TRUE(dict.contains("a"));
  EXPECT_FALSE(dict.contains("c"));
  dict.set("c", 3);
  EXPECT_EQ(dict["c"].to_int(), 3);
  EXPECT_EQ(IValue::dict({{"a", 1}, {"b", "x"}}).type()->str(), "Dict[str, Any]");
  EXPECT_EQ(IValue::dict({{1, "x"}})[1].to_string(), "x");
  EXPECT_EQ(code_of([&] { dict["missing"]; }), ErrorCode::kNotFound);

  const IValue list = IValue::list({1, 2, 3});
  EXPECT_EQ(list[-1].to_int(), 3);
  list.set(0, 7);
  EXPECT_EQ(list[0].to_int(), 7);
  EXPECT_EQ(code_of([&] { list[3]; }), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(code_of([&] { list["a"]; }), ErrorCode::kTypeMismatch);
  EXPECT_EQ(code_of([&] { IValue(1)[0]; }), ErrorCode::kTypeMismatch);
  EXPECT_EQ(IValue("four").size(), 4u);
}

TEST(Values, Print) {
  std::ostringstream out;
  out << IValue(std::vector<int64_t>{1, 2}) << IValue() << IValue(true);
  EXPECT_EQ(out.str(), "[1, 2]NoneTrue");
}

TEST(TensorAccess, DataIsContiguousOrRefused) {
  const Tensor t = Tensor::from_values<float>({1, 2, 3, 4, 5, 6}).as_strided({3, 2}, {1, 3}, 0);  // a transpose
  EXPECT_EQ(code_of([&] { t.data<float>(); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(t.contiguous().data<float>()[1], 4);
  EXPECT_EQ(t.data_ptr<float>()[1], 2);  // where the strides say
  const auto a = t.accessor<const float, 2>();
  EXPECT_EQ(a[0][1], 4);
  EXPECT_EQ(a[2][0], 3);
  EXPECT_EQ(a.size(0), 3);
  EXPECT_EQ(code_of([&] { t.accessor<float, 3>(); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { t.accessor<int64_t, 2>(); }), ErrorCode::kTypeMismatch);
  EXPECT_TRUE(t.contiguous().contiguous().is_contiguous());
}

TEST(TensorAccess, AnUndefinedTensorHasNothing) {
  const Tensor t;
  EXPECT_EQ(code_of([&] { t.numel(); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { t.sizes(); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { t.dtype(); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { t.data_ptr(); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { t.item(); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { t.contiguous(); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { t.alias(); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { t.is_contiguous(); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { t.as_strided({1}, {1}, 0); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { t.quantizer(); }), ErrorCode::kInvalidArgument);
}

TEST(TensorAccess, FromBlob) {
  const float constant[] = {1, 2};
  const Tensor copy = Tensor::from_blob(constant, {2});
  copy.data<float>()[0] = 5;
  EXPECT_EQ(constant[0], 1);
  int64_t longs[] = {1, 2};
  EXPECT_EQ(Tensor::from_blob(longs, {2}).dtype(), DType::kLong);  // of the pointer
  EXPECT_EQ(Tensor::from_blob(longs, {2}).data_ptr(), longs);

  int freed = 0;
  {
    Tensor view;
    {
      const Tensor t = Tensor::from_blob(
          longs, {2}, [&](void*) { ++freed; }, DType::kLong);
      view = t.alias();
    }
    EXPECT_EQ(freed, 0);
  }
  EXPECT_EQ(freed, 1);
  EXPECT_THROW(Tensor::from_blob(longs, {-1}, [&](void*) { ++freed; }), Error);
  EXPECT_EQ(freed, 2);
}

TEST(TensorAccess, ItemOfAType) {
  EXPECT_EQ(Tensor::scalar(2.5, DType::kFloat).item<double>(), 2.5);
  EXPECT_EQ(Tensor::scalar(7, DType::kLong).item<int>(), 7);
}

}  // namespace
}  // namespace wick
