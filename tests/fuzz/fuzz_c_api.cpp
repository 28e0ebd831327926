// Any sequence of calls of the C API over a few handles, wrong ones among them: a status, never a crash or a leak.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fuzz/bounds.h"
#include "fuzz/feed.h"
#include "wick_c/wick.h"

namespace {

using wick::fuzz::ByteFeed;

constexpr size_t kSlots = 6;

// Handles of one input; a slot may be empty, so that functions are given NULL, too.
class Calls {
 public:
  explicit Calls(ByteFeed& feed) : feed_(feed) {}
  ~Calls() {
    for (wick_value*& v : values_) wick_value_release(v);
    for (wick_tensor*& t : tensors_) wick_tensor_release(t);
    for (wick_module*& m : modules_) wick_module_release(m);
  }

  void next() {
    switch (feed_.below(4)) {
      case 0:
        return on_tensors();
      case 1:
        return make_value();
      case 2:
        return on_values();
      default:
        return on_modules();
    }
  }

 private:
  wick_value*& value() { return values_[feed_.below(kSlots)]; }
  wick_tensor*& tensor() { return tensors_[feed_.below(kSlots)]; }
  wick_module*& module() { return modules_[feed_.below(2)]; }

  // A slot for what a call gives: empty afterwards when it fails.
  wick_value** value_out() {
    wick_value*& slot = value();
    wick_value_release(slot);
    slot = nullptr;
    return feed_.one_in(32) ? nullptr : &slot;
  }
  wick_tensor** tensor_out() {
    wick_tensor*& slot = tensor();
    wick_tensor_release(slot);
    slot = nullptr;
    return feed_.one_in(32) ? nullptr : &slot;
  }

  // Statuses and errors belong together.
  template <class Call>
  void check(const Call& call) {
    wick_error* error = nullptr;
    const wick_status status = call(&error);
    if ((status == WICK_OK) != (error == nullptr) || (error && wick_error_code(error) != status)) std::abort();
    if (status == WICK_INTERNAL) std::abort();
    if (std::strlen(wick_error_source(error)) > std::strlen(wick_error_message(error))) std::abort();
    wick_error_release(error);
  }

  void on_tensors() {
    const size_t dims = feed_.below(4);
    int64_t sizes[4];
    for (size_t i = 0; i < 4; ++i) sizes[i] = static_cast<int64_t>(feed_.below(6)) - (feed_.one_in(16) ? 3 : 0);
    const auto dtype = static_cast<wick_dtype>(feed_.below(32)) - 1;
    static float memory[6 * 6 * 6];
    switch (feed_.below(8)) {
      case 0:
        return check([&](wick_error** e) { return wick_tensor_zeros(dtype, sizes, dims, tensor_out(), e); });
      case 1:
        return check([&](wick_error** e) {
          return wick_tensor_from_blob(memory, WICK_UINT8, sizes, dims, nullptr, nullptr, nullptr, tensor_out(), e);
        });
      case 2:
        return check([&](wick_error** e) {
          return wick_tensor_from_copy(memory, feed_.below(64), dtype, sizes, dims, tensor_out(), e);
        });
      case 3: {
        const wick_tensor* from = tensor();
        wick_tensor* made = nullptr;
        check([&](wick_error** e) { return wick_tensor_to(from, dtype, &made, e); });
        wick_tensor_release(made);
        return;
      }
      case 4: {
        const wick_tensor* from = tensor();
        wick_tensor* made = nullptr;
        check([&](wick_error** e) { return wick_tensor_contiguous(from, &made, e); });
        wick_tensor*& slot = tensor();
        wick_tensor_release(slot);
        slot = made;
        return;
      }
      case 5: {
        char* text = nullptr;
        check([&](wick_error** e) { return wick_tensor_repr(tensor(), &text, e); });
        wick_string_release(text);
        return;
      }
      case 6: {
        const wick_tensor* t = tensor();
        std::vector<char> bytes(static_cast<size_t>(wick_tensor_numel(t)) * wick_tensor_itemsize(t));
        return check([&](wick_error** e) { return wick_tensor_copy_to(t, bytes.data(), bytes.size(), e); });
      }
      default: {
        wick_tensor* other = wick_tensor_retain(tensor());
        wick_tensor*& slot = tensor();
        wick_tensor_release(slot);
        slot = other;
      }
    }
  }

  void make_value() {
    const wick_value* some[] = {value(), value()};
    static const char* const kTypes[] = {"int", "str", "Tensor", "Any", "List[int]", "float", "Dict[str, int]",
                                         "x[",  ""};
    const char* type = feed_.one_in(4) ? nullptr : feed_.pick(kTypes);
    // What the call is given may be in the slot that its result goes to: the result is kept apart until it is there.
    wick_value* made = nullptr;
    check([&](wick_error** e) {
      switch (feed_.below(10)) {
        case 0:
          return wick_value_int(feed_.small(), &made, e);
        case 1:
          return wick_value_double(feed_.small() * 0.5, &made, e);
        case 2:
          return wick_value_string("key", feed_.below(4), &made, e);
        case 3:
          return wick_value_tensor(tensor(), &made, e);
        case 4:
          return wick_value_list(type, some, feed_.below(3), &made, e);
        case 5:
          return wick_value_tuple(some, feed_.below(3), &made, e);
        case 6:
          return wick_value_dict(type, feed_.pick(kTypes), &made, e);
        case 7:
          return wick_value_device(feed_.pick(kTypes), &made, e);
        case 8:
          return wick_value_bool(feed_.below(2) != 0, &made, e);
        default:
          return wick_value_none(&made, e);
      }
    });
    wick_value*& slot = value();
    wick_value_release(slot);
    slot = made;
  }

  void on_values() {
    const wick_value* from = value();
    wick_value *made = nullptr, *second = nullptr;
    char* text = nullptr;
    const char* borrowed = nullptr;
    size_t size = 0;
    int64_t number = 0;
    check([&](wick_error** e) {
      switch (feed_.below(11)) {
        case 0:
          return wick_value_repr(from, &text, e);
        case 1:
          return wick_value_type(from, &text, e);
        case 2:
          return wick_value_size(from, &size, e);
        case 3:
          return wick_value_item(from, feed_.below(4), &made, e);
        case 4:
          return wick_value_append(values_[feed_.below(kSlots)], from, e);
        case 5:
          return wick_value_entry(from, feed_.below(3), &second, &made, e);
        case 6:
          return wick_value_find(from, value(), &made, e);
        case 7:
          return wick_value_set(values_[feed_.below(kSlots)], from, value(), e);
        case 8:
          return wick_value_field(from, "key", &made, e);
        case 9:
          return wick_value_get_string(from, &borrowed, &size, e);
        default:
          return wick_value_get_int(from, &number, e);
      }
    });
    wick_string_release(text);
    wick_value_release(second);
    if (made) {
      wick_value*& slot = value();
      wick_value_release(slot);
      slot = made;
    }
  }

  void on_modules() {
    static const std::string folder = std::string(WICK_TEST_DATA) + "/lite/";
    static const char* const kFiles[] = {"arithmetic.ptl", "containers.ptl", "classes.ptl", "none.ptl"};
    const wick_value* args[] = {value(), value(), value()};
    wick_run_options options = WICK_RUN_OPTIONS_INIT;
    options.max_operations = 1 << 14;
    options.timeout_ms = 1000;
    options.max_memory = 1 << 24;
    options.struct_size = feed_.one_in(8) ? feed_.below(sizeof options) : sizeof options;
    switch (feed_.below(5)) {
      case 0: {
        wick_module*& slot = module();
        wick_module_release(slot);
        slot = nullptr;
        const std::string path = folder + feed_.pick(kFiles);
        return check([&](wick_error** e) { return wick_module_load_file(path.c_str(), nullptr, &slot, e); });
      }
      case 1: {
        const wick_module* m = module();
        const char* name = wick_module_method_name(m, feed_.below(8));
        wick_value* made = nullptr;
        check([&](wick_error** e) { return wick_module_run(m, name, args, feed_.below(4), &options, &made, e); });
        wick_value*& slot = value();
        wick_value_release(slot);
        slot = made;
        return;
      }
      case 2: {
        char *name = nullptr, *type = nullptr;
        check([&](wick_error** e) { return wick_module_argument(module(), nullptr, feed_.below(3), &name, &type, e); });
        wick_string_release(name);
        wick_string_release(type);
        return;
      }
      case 3:
        return check([&](wick_error** e) { return wick_module_attribute(module(), "training", value_out(), e); });
      default:
        return check([&](wick_error** e) { return wick_module_set_attribute(module(), "training", args[0], e); });
    }
  }

  ByteFeed& feed_;
  wick_value* values_[kSlots] = {};
  wick_tensor* tensors_[kSlots] = {};
  wick_module* modules_[2] = {};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  wick::fuzz::run_bounded("calls", [&] {
    ByteFeed feed(data, size);
    Calls calls(feed);
    while (!feed.empty()) calls.next();
  });
  return 0;
}
