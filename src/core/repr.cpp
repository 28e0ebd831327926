// The text of a value, as Python's repr.
#include "core/repr.h"

#include <cstdio>

#include "core/check.h"
#include "core/limits.h"
#include "core/selection.h"
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

void append_value(std::string& out, const IValue& v, size_t depth);

void append_items(std::string& out, const std::vector<IValue>& items, size_t depth) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    append_value(out, items[i], depth + 1);
  }
}

void append_enum(std::string& out, const EnumImpl& e, size_t depth) {
  text::append(out, "Enum<");
  out += e.type_name;
  out += '.';
  if (e.name.empty()) {
    append_value(out, e.value, depth + 1);
  } else {
    out += e.name;
  }
  out += '>';
}

void append_value(std::string& out, const IValue& v, size_t depth) {
  WICK_CHECK(depth < limits::kMaxValueDepth, kLimitExceeded, "a value nested deeper than ", limits::kMaxValueDepth,
             " containers has no text");
  WICK_CHECK(out.size() <= limits::kMaxTextLength, kLimitExceeded, "the text of a value is longer than ",
             limits::kMaxTextLength, " bytes");
  switch (v.tag()) {
    case IValue::Tag::kNone:
      out += "None";
      return;
    case IValue::Tag::kBool:
      text::append(out, v.to_bool());
      return;
    case IValue::Tag::kInt:
      text::append(out, v.to_int());
      return;
    case IValue::Tag::kDouble:
      append_float(out, v.to_double());
      return;
    case IValue::Tag::kDevice:
      out += v.to_device().str();
      return;
    case IValue::Tag::kUninitialized:
      out += "Uninitialized";
      return;
    case IValue::Tag::kTensor:
      if constexpr (build::kTensorText) {
        append_tensor(out, v.to_tensor());
      } else if constexpr (build::kText) {
        fail_with<ErrorCode::kUnsupported>("the text of a tensor is not in this build", advice_on_missing());
      } else {
        out += "Tensor";
      }
      return;
    case IValue::Tag::kComplex:
      append_complex(out, v.to_complex());
      return;
    case IValue::Tag::kString:
      out += v.to_string();
      return;
    case IValue::Tag::kList:
      out += '[';
      append_items(out, v.to_list().items, depth);
      out += ']';
      return;
    case IValue::Tag::kTuple: {
      const std::vector<IValue>& items = v.to_tuple().items;
      out += '(';
      append_items(out, items, depth);
      if (items.size() == 1) out += ',';
      out += ')';
      return;
    }
    case IValue::Tag::kDict: {
      out += '{';
      bool first = true;
      for (const auto& [key, value] : v.to_dict().entries()) {
        if (!first) out += ", ";
        first = false;
        append_value(out, key, depth + 1);
        out += ": ";
        append_value(out, value, depth + 1);
      }
      out += '}';
      return;
    }
    case IValue::Tag::kObject:
      append_object(out, v.to_object().cls->name, v.ref_or_null());
      return;
    case IValue::Tag::kCustom:
      append_object(out, v.to_custom().class_name(), v.ref_or_null());
      return;
    case IValue::Tag::kEnum:
      append_enum(out, v.to_enum(), depth);
      return;
    case IValue::Tag::kFuture:
      out += "Future";
      return;
    case IValue::Tag::kGenerator:
      out += "Generator";
      return;
  }
}

}  // namespace

std::string repr(const IValue& v) {
  std::string out;
  append_value(out, v, 0);
  return out;
}

}  // namespace wick
