// The text of a value, as Python's repr.
#include "core/repr.h"

#include <cstdio>

#include "core/budget.h"
#include "core/check.h"
#include "core/limits.h"
#include "core/selection.h"
#include "core/value_walk.h"
#include "wick/ivalue.h"

namespace wick {

void append_float(std::string& out, double v) {
  char text[40];
  if (v >= -9223372036854775808.0 && v < 9223372036854775808.0 && v == static_cast<double>(static_cast<int64_t>(v))) {
    std::snprintf(text, sizeof text, "%lld.", static_cast<long long>(v));
  } else {
    std::snprintf(text, sizeof text, "%.17g", v);
  }
  out += text;
}

namespace {

void append_complex(std::string& out, std::complex<double> v) {
  append_float(out, v.real());
  if (!(v.imag() < 0)) out += '+';
  append_float(out, v.imag());
  out += 'j';
}

void append_object(std::string& out, std::string_view class_name, const void* address) {
  char text[24];
  std::snprintf(text, sizeof text, "%p", address);
  text::append(out, "<");
  text::append(out, class_name);
  text::append(out, " object at ");
  out += text;
  out += '>';
}

// Writes a value and what it holds.
class Printer {
 public:
  std::string run(const IValue& v) {
    append(v);
    return std::move(out_);
  }

 private:
  // The containers that the one at hand is held by.
  struct Open {
    const RefCounted* container;
    const Open* outer;
  };

  bool is_open(const RefCounted* container) const {
    for (const Open* o = open_; o; o = o->outer) {
      if (o->container == container) return true;
    }
    return false;
  }

  // As Python's repr: what is held by itself is "...".
  template <class Items>
  void append_container(const IValue& v, char begin, char end, size_t count, const Items& items) {
    out_ += begin;
    if (is_open(v.ref_or_null())) {
      text::append(out_, "...");
    } else {
      const Descent::Level level(descent_, count);
      const Open here{v.ref_or_null(), open_};
      open_ = &here;
      items();
      open_ = here.outer;
    }
    out_ += end;
  }

  void append_items(const std::vector<IValue>& items) {
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += ", ";
      append(items[i]);
    }
  }

  void append_dict(DictImpl& dict) {
    bool first = true;
    for (const auto& [key, value] : dict.entries()) {
      if (!first) out_ += ", ";
      first = false;
      append(key);
      out_ += ": ";
      append(value);
    }
  }

  void append_enum(const EnumImpl& e) {
    text::append(out_, "Enum<");
    out_ += e.type_name;
    out_ += '.';
    if (e.name.empty()) {
      const Descent::Level level(descent_, 1);
      append(e.value);
    } else {
      out_ += e.name;
    }
    out_ += '>';
  }

  void append(const IValue& v);

  std::string out_;
  Descent descent_{"printed"};
  const Open* open_ = nullptr;
};

void Printer::append(const IValue& v) {
  check_budget();
  WICK_CHECK(out_.size() <= limits::kMaxReprLength, kLimitExceeded, "the text of a value is longer than ",
             limits::kMaxReprLength, " bytes");
  switch (v.tag()) {
    case IValue::Tag::kNone:
      out_ += "None";
      return;
    case IValue::Tag::kBool:
      text::append(out_, v.to_bool());
      return;
    case IValue::Tag::kInt:
      text::append(out_, v.to_int());
      return;
    case IValue::Tag::kDouble:
      append_float(out_, v.to_double());
      return;
    case IValue::Tag::kDevice:
      out_ += v.to_device().str();
      return;
    case IValue::Tag::kUninitialized:
      out_ += "Uninitialized";
      return;
    case IValue::Tag::kTensor:
      if constexpr (build::kTensorText) {
        append_tensor(out_, v.to_tensor());
      } else if constexpr (build::kText) {
        fail_with<ErrorCode::kUnsupported>("the text of a tensor is not in this build", advice_on_missing());
      } else {
        out_ += "Tensor";
      }
      return;
    case IValue::Tag::kComplex:
      append_complex(out_, v.to_complex());
      return;
    case IValue::Tag::kString:
      out_ += v.to_string();
      return;
    case IValue::Tag::kList: {
      const std::vector<IValue>& items = v.to_list().items;
      return append_container(v, '[', ']', items.size(), [&] { append_items(items); });
    }
    case IValue::Tag::kTuple: {
      const std::vector<IValue>& items = v.to_tuple().items;
      return append_container(v, '(', ')', items.size(), [&] {
        append_items(items);
        if (items.size() == 1) out_ += ',';
      });
    }
    case IValue::Tag::kDict:
      return append_container(v, '{', '}', v.to_dict().size(), [&] { append_dict(v.to_dict()); });
    case IValue::Tag::kObject:
      append_object(out_, v.to_object().cls->name, v.ref_or_null());
      return;
    case IValue::Tag::kCustom:
      append_object(out_, v.to_custom().class_name(), v.ref_or_null());
      return;
    case IValue::Tag::kEnum:
      append_enum(v.to_enum());
      return;
    case IValue::Tag::kFuture:
      out_ += "Future";
      return;
    case IValue::Tag::kGenerator:
      out_ += "Generator";
      return;
  }
}

}  // namespace

std::string repr(const IValue& v) { return Printer().run(v); }

}  // namespace wick
