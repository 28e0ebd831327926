// The C API: values there and back, runs, errors, ownership, and what wrong calls are told.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "wick_c/wick.h"

namespace {

const std::string kModel = std::string(WICK_TEST_DATA) + "/../../examples/segment/segment.ptl";

// Handles that release themselves.
template <class T, void (*kRelease)(T*)>
struct Holder {
  T* handle = nullptr;
  ~Holder() { kRelease(handle); }
  T** out() {
    kRelease(handle);
    handle = nullptr;
    return &handle;
  }
  operator T*() const { return handle; }
};
using ErrorHandle = Holder<wick_error, wick_error_release>;
using TensorHandle = Holder<wick_tensor, wick_tensor_release>;
using ValueHandle = Holder<wick_value, wick_value_release>;
using ModuleHandle = Holder<wick_module, wick_module_release>;

std::string text_of(wick_status (*make)(const wick_value*, char**, wick_error**), const wick_value* value) {
  char* text = nullptr;
  EXPECT_EQ(make(value, &text, nullptr), WICK_OK);
  const std::string out = text ? text : "";
  wick_string_release(text);
  return out;
}

TEST(CApi, Version) {
  EXPECT_EQ(wick_api_version(), uint32_t{WICK_C_API_VERSION});
  EXPECT_NE(std::string(wick_version()), "");
  EXPECT_STREQ(wick_status_name(WICK_OK), "ok");
  EXPECT_STREQ(wick_status_name(WICK_CORRUPT_FILE), "corrupt_file");
  EXPECT_STREQ(wick_status_name(WICK_INTERNAL), "internal");
  EXPECT_STREQ(wick_status_name(99), "unknown");
}

TEST(CApi, TensorsOfTheCallersMemory) {
  float data[6] = {1, 2, 3, 4, 5, 6};
  const int64_t sizes[] = {3, 2}, strides[] = {1, 3};
  int deleted = 0;
  const wick_deleter deleter = [](void*, void* context) { ++*static_cast<int*>(context); };
  {
    TensorHandle t, whole;
    ASSERT_EQ(wick_tensor_from_blob(data, WICK_FLOAT32, sizes, 2, strides, deleter, &deleted, t.out(), nullptr),
              WICK_OK);
    EXPECT_EQ(wick_tensor_data(t), data);
    EXPECT_FALSE(wick_tensor_is_contiguous(t));
    EXPECT_EQ(wick_tensor_numel(t), 6);
    EXPECT_EQ(wick_tensor_itemsize(t), 4u);
    EXPECT_EQ(wick_tensor_sizes(t)[0], 3);
    EXPECT_EQ(wick_tensor_strides(t)[1], 3);
    float copy[6];
    ASSERT_EQ(wick_tensor_copy_to(t, copy, sizeof copy, nullptr), WICK_OK);
    EXPECT_EQ(copy[1], 4);
    EXPECT_EQ(wick_tensor_copy_to(t, copy, 4, nullptr), WICK_INVALID_ARGUMENT);
    ASSERT_EQ(wick_tensor_contiguous(t, whole.out(), nullptr), WICK_OK);
    EXPECT_EQ(static_cast<float*>(wick_tensor_data(whole))[1], 4);
    TensorHandle other;
    other.handle = wick_tensor_retain(t);
    t.out();
    EXPECT_EQ(deleted, 0);
  }
  EXPECT_EQ(deleted, 1);
  TensorHandle t;
  const int64_t negative[] = {-1};
  EXPECT_EQ(wick_tensor_from_blob(data, WICK_FLOAT32, negative, 1, nullptr, deleter, &deleted, t.out(), nullptr),
            WICK_INVALID_ARGUMENT);
  EXPECT_EQ(deleted, 2);
  EXPECT_EQ(t.handle, nullptr);
  EXPECT_EQ(wick_tensor_from_blob(data, WICK_FLOAT32, negative, 0, nullptr, deleter, &deleted, nullptr, nullptr),
            WICK_INVALID_ARGUMENT);
  EXPECT_EQ(deleted, 3);
}

TEST(CApi, TensorsAreConvertedAndPrinted) {
  const int64_t data[] = {1, 2}, sizes[] = {2};
  TensorHandle longs, floats;
  ASSERT_EQ(wick_tensor_from_copy(data, sizeof data, WICK_INT64, sizes, 1, longs.out(), nullptr), WICK_OK);
  ASSERT_EQ(wick_tensor_to(longs, WICK_FLOAT32, floats.out(), nullptr), WICK_OK);
  EXPECT_EQ(wick_tensor_dtype(floats), WICK_FLOAT32);
  char* text = nullptr;
  ASSERT_EQ(wick_tensor_repr(floats, &text, nullptr), WICK_OK);
  EXPECT_STREQ(text, " 1\n 2\n[ CPUFloatType{2} ]");
  wick_string_release(text);
  EXPECT_EQ(wick_tensor_qparams(floats, nullptr, nullptr, nullptr), WICK_INVALID_ARGUMENT);
  EXPECT_EQ(wick_tensor_to(longs, 77, floats.out(), nullptr), WICK_INVALID_ARGUMENT);
  EXPECT_EQ(wick_tensor_to(longs, WICK_QUINT8, floats.out(), nullptr), WICK_UNSUPPORTED);
}

TEST(CApi, NumbersAndTexts) {
  ValueHandle v;
  bool flag = false;
  int64_t number = 0;
  double real = 0, imaginary = 0;
  ASSERT_EQ(wick_value_bool(true, v.out(), nullptr), WICK_OK);
  ASSERT_EQ(wick_value_get_bool(v, &flag, nullptr), WICK_OK);
  EXPECT_TRUE(flag);
  EXPECT_EQ(wick_value_get_int(v, &number, nullptr), WICK_TYPE_MISMATCH);
  ASSERT_EQ(wick_value_int(-5, v.out(), nullptr), WICK_OK);
  ASSERT_EQ(wick_value_get_double(v, &real, nullptr), WICK_OK);
  EXPECT_EQ(real, -5);
  ASSERT_EQ(wick_value_complex(1, 2, v.out(), nullptr), WICK_OK);
  ASSERT_EQ(wick_value_get_complex(v, &real, &imaginary, nullptr), WICK_OK);
  EXPECT_EQ(imaginary, 2);
  ASSERT_EQ(wick_value_string("a\0b", 3, v.out(), nullptr), WICK_OK);
  const char* text = nullptr;
  size_t length = 0;
  ASSERT_EQ(wick_value_get_string(v, &text, &length, nullptr), WICK_OK);
  EXPECT_EQ(std::string(text, length), std::string("a\0b", 3));
  ASSERT_EQ(wick_value_device("cuda:1", v.out(), nullptr), WICK_OK);
  EXPECT_EQ(text_of(wick_value_get_device, v), "cuda:1");
  EXPECT_NE(wick_value_device("nonsense!", v.out(), nullptr), WICK_OK);
  ASSERT_EQ(wick_value_none(v.out(), nullptr), WICK_OK);
  EXPECT_EQ(wick_value_kind(v), WICK_KIND_NONE);
}

TEST(CApi, Containers) {
  ValueHandle one, two, list, tuple, dict, key, item;
  wick_value_int(1, one.out(), nullptr);
  wick_value_int(2, two.out(), nullptr);
  wick_value_string("k", 1, key.out(), nullptr);
  const wick_value* both[] = {one, two};
  ASSERT_EQ(wick_value_list(nullptr, both, 2, list.out(), nullptr), WICK_OK);
  EXPECT_EQ(text_of(wick_value_type, list), "List[int]");
  EXPECT_EQ(wick_value_append(list, one, nullptr), WICK_OK);
  EXPECT_EQ(wick_value_append(list, key, nullptr), WICK_TYPE_MISMATCH);
  EXPECT_EQ(text_of(wick_value_repr, list), "[1, 2, 1]");
  EXPECT_EQ(wick_value_list("str", both, 2, item.out(), nullptr), WICK_TYPE_MISMATCH);
  EXPECT_EQ(wick_value_list("Nonsense[", both, 2, item.out(), nullptr) != WICK_OK, true);
  ASSERT_EQ(wick_value_tuple(both, 2, tuple.out(), nullptr), WICK_OK);
  ASSERT_EQ(wick_value_item(tuple, 1, item.out(), nullptr), WICK_OK);
  EXPECT_EQ(text_of(wick_value_repr, item), "2");
  EXPECT_EQ(wick_value_item(tuple, 2, item.out(), nullptr), WICK_INDEX_OUT_OF_RANGE);

  ASSERT_EQ(wick_value_dict(nullptr, "int", dict.out(), nullptr), WICK_OK);
  ASSERT_EQ(wick_value_set(dict, key, two, nullptr), WICK_OK);
  EXPECT_EQ(wick_value_set(dict, two, two, nullptr), WICK_TYPE_MISMATCH);
  EXPECT_EQ(wick_value_set(dict, key, key, nullptr), WICK_TYPE_MISMATCH);
  ASSERT_EQ(wick_value_find(dict, key, item.out(), nullptr), WICK_OK);
  ASSERT_EQ(wick_value_field(dict, "k", item.out(), nullptr), WICK_OK);
  EXPECT_EQ(wick_value_field(dict, "z", item.out(), nullptr), WICK_NOT_FOUND);
  size_t size = 0;
  ASSERT_EQ(wick_value_size(dict, &size, nullptr), WICK_OK);
  EXPECT_EQ(size, 1u);
  ValueHandle first, second;
  ASSERT_EQ(wick_value_entry(dict, 0, first.out(), second.out(), nullptr), WICK_OK);
  EXPECT_EQ(text_of(wick_value_repr, second), "2");
  EXPECT_EQ(wick_value_entry(dict, 1, first.out(), second.out(), nullptr), WICK_INDEX_OUT_OF_RANGE);
}

TEST(CApi, RunsAModelFromFileMemoryAndCallback) {
  std::ifstream file(kModel, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const wick_reader read = [](void* context, uint64_t offset, void* buffer, size_t size) {
    const auto& from = *static_cast<std::vector<char>*>(context);
    if (offset + size > from.size()) return size_t{0};
    std::memcpy(buffer, from.data() + offset, size);
    return size;
  };
  ModuleHandle modules[3];
  ASSERT_EQ(wick_module_load_file(kModel.c_str(), nullptr, modules[0].out(), nullptr), WICK_OK);
  ASSERT_EQ(wick_module_load_memory(bytes.data(), bytes.size(), nullptr, modules[1].out(), nullptr), WICK_OK);
  ASSERT_EQ(wick_module_load_callback(read, &bytes, bytes.size(), nullptr, modules[2].out(), nullptr), WICK_OK);
  const int64_t sizes[] = {1, 3, 64, 64};
  TensorHandle zeros;
  ValueHandle input;
  ASSERT_EQ(wick_tensor_zeros(WICK_FLOAT32, sizes, 4, zeros.out(), nullptr), WICK_OK);
  ASSERT_EQ(wick_value_tensor(zeros, input.out(), nullptr), WICK_OK);
  const wick_value* args[] = {input};
  std::vector<std::string> results;
  for (const ModuleHandle& module : modules) {
    ValueHandle output;
    ErrorHandle error;
    ASSERT_EQ(wick_module_run(module, nullptr, args, 1, nullptr, output.out(), error.out()), WICK_OK)
        << wick_error_message(error);
    results.push_back(text_of(wick_value_repr, output));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
  ModuleHandle none;
  EXPECT_EQ(wick_module_load_callback(read, &bytes, bytes.size() + 1, nullptr, none.out(), nullptr), WICK_IO);
  EXPECT_EQ(wick_module_load_callback(read, &bytes, UINT64_MAX, nullptr, none.out(), nullptr), WICK_IO);
}

TEST(CApi, MethodsArgumentsAndErrors) {
  ModuleHandle module;
  ErrorHandle error;
  ASSERT_EQ(wick_module_load_file(kModel.c_str(), nullptr, module.out(), nullptr), WICK_OK);
  ASSERT_GE(wick_module_method_count(module), 1u);
  EXPECT_TRUE(wick_module_has_method(module, "forward"));
  EXPECT_FALSE(wick_module_has_method(module, "backward"));
  EXPECT_EQ(wick_module_method_name(module, 1000), nullptr);
  size_t count = 0;
  ASSERT_EQ(wick_module_argument_count(module, nullptr, &count, nullptr), WICK_OK);
  EXPECT_EQ(count, 1u);
  char *name = nullptr, *type = nullptr;
  ASSERT_EQ(wick_module_argument(module, nullptr, 0, &name, &type, nullptr), WICK_OK);
  EXPECT_STREQ(type, "Tensor");
  wick_string_release(name);
  wick_string_release(type);
  ValueHandle output;
  EXPECT_EQ(wick_module_run(module, "none", nullptr, 0, nullptr, output.out(), error.out()), WICK_NOT_FOUND);
  EXPECT_NE(std::string(wick_error_message(error)).find("forward"), std::string::npos);
  EXPECT_EQ(wick_error_code(error), WICK_NOT_FOUND);
  EXPECT_EQ(wick_module_run(module, nullptr, nullptr, 0, nullptr, output.out(), error.out()), WICK_INVALID_ARGUMENT);
  EXPECT_EQ(wick_module_attribute(module, "no.such", output.out(), error.out()), WICK_NOT_FOUND);
  const char* data = nullptr;
  size_t size = 0;
  EXPECT_EQ(wick_module_extra_file(module, "none", &data, &size, nullptr), WICK_NOT_FOUND);
  EXPECT_EQ(wick_module_set_max_threads(module, 1, nullptr), WICK_OK);
  EXPECT_EQ(wick_module_set_max_threads(module, -1, nullptr), WICK_INVALID_ARGUMENT);
  EXPECT_EQ(wick_module_load_memory("nonsense", 8, nullptr, module.out(), error.out()), WICK_CORRUPT_FILE);
}

TEST(CApi, AnErrorNamesTheSourceLine) {
  ModuleHandle module;
  ErrorHandle error;
  ValueHandle input, output;
  ASSERT_EQ(wick_module_load_file(kModel.c_str(), nullptr, module.out(), nullptr), WICK_OK);
  const int64_t sizes[] = {1};
  TensorHandle wrong;
  wick_tensor_zeros(WICK_FLOAT32, sizes, 1, wrong.out(), nullptr);
  wick_value_tensor(wrong, input.out(), nullptr);
  const wick_value* args[] = {input};
  ASSERT_NE(wick_module_run(module, nullptr, args, 1, nullptr, output.out(), error.out()), WICK_OK);
  EXPECT_STRNE(wick_error_source(error), "");
}

TEST(CApi, ARunIsCancelled) {
  ModuleHandle module;
  ASSERT_EQ(wick_module_load_file(kModel.c_str(), nullptr, module.out(), nullptr), WICK_OK);
  Holder<wick_cancellation, wick_cancellation_release> stop;
  ASSERT_EQ(wick_cancellation_create(stop.out(), nullptr), WICK_OK);
  EXPECT_FALSE(wick_cancellation_is_cancelled(stop));
  wick_cancellation_cancel(stop);
  EXPECT_TRUE(wick_cancellation_is_cancelled(stop));
  wick_run_options options = WICK_RUN_OPTIONS_INIT;
  options.cancellation = stop;
  ValueHandle output;
  EXPECT_EQ(wick_module_run(module, nullptr, nullptr, 0, &options, output.out(), nullptr), WICK_CANCELLED);
  options.struct_size = 0;
  EXPECT_EQ(wick_module_run(module, nullptr, nullptr, 0, &options, output.out(), nullptr), WICK_INVALID_ARGUMENT);
  options.struct_size = sizeof(size_t);  // of a caller compiled when there was nothing else in it
  EXPECT_EQ(wick_module_run(module, "none", nullptr, 0, &options, output.out(), nullptr), WICK_NOT_FOUND);
}

TEST(CApi, NullIsRefused) {
  EXPECT_EQ(wick_value_int(1, nullptr, nullptr), WICK_INVALID_ARGUMENT);
  ValueHandle v;
  EXPECT_EQ(wick_value_tensor(nullptr, v.out(), nullptr), WICK_INVALID_ARGUMENT);
  EXPECT_EQ(wick_value_string(nullptr, 3, v.out(), nullptr), WICK_INVALID_ARGUMENT);
  EXPECT_EQ(wick_value_tuple(nullptr, 1, v.out(), nullptr), WICK_INVALID_ARGUMENT);
  EXPECT_EQ(wick_value_kind(nullptr), -1);
  EXPECT_EQ(wick_tensor_data(nullptr), nullptr);
  EXPECT_EQ(wick_tensor_dtype(nullptr), -1);
  EXPECT_EQ(wick_module_run(nullptr, nullptr, nullptr, 0, nullptr, v.out(), nullptr), WICK_INVALID_ARGUMENT);
  wick_value_release(nullptr);
  wick_tensor_release(nullptr);
  wick_module_release(nullptr);
  wick_error_release(nullptr);
  EXPECT_STREQ(wick_error_message(nullptr), "");
}

}  // namespace
