// Matches the arguments of a call with a schema, and inserts conversions.
#include "frontend/script/match.h"

#include <algorithm>

#include "frontend/script/match_types.h"

namespace wick::script {

namespace {

constexpr size_t kMaxDescribed = 64;  // overloads listed in an error

const TypePtr& without_optional(const TypePtr& type) { return type->is(TypeKind::kOptional) ? type->element(0) : type; }

// A tuple whose elements are all of the list's element type.
bool tuple_is_list(Emitter& emitter, const Type& actual, const Type& formal) {
  if (!actual.is(TypeKind::kTuple) || !formal.is(TypeKind::kList)) return false;
  return std::all_of(actual.elements().begin(), actual.elements().end(),
                     [&](const TypePtr& e) { return emitter.fits(*e, *formal.element(0)); });
}

// Operator that makes `to` of a tensor or number; null when there is none.
const char* conversion(const Type& from, const Type& to) {
  if (from.is(TypeKind::kTensor)) {
    switch (to.kind()) {
      case TypeKind::kFloat:
        return "aten::FloatImplicit";
      case TypeKind::kInt:
        return "aten::IntImplicit";
      case TypeKind::kComplex:
        return "aten::ComplexImplicit";
      case TypeKind::kNumber:
        return "aten::ScalarImplicit";
      default:
        return nullptr;
    }
  }
  if (from.is(TypeKind::kNumber)) {
    switch (to.kind()) {
      case TypeKind::kFloat:
        return "aten::Float.Scalar";
      case TypeKind::kInt:
        return "aten::Int.Scalar";
      case TypeKind::kComplex:
        return "aten::Complex.Scalar";
      default:
        return nullptr;
    }
  }
  return from.is(TypeKind::kString) && to.is(TypeKind::kDevice) ? "aten::device" : nullptr;
}

// A value on its way to a parameter. While a schema is only tried, `value` is what the call passes, or null once
// something would have to be emitted.
struct Passed {
  ir::Value* value;
  TypePtr type;
};

class Matcher {
 public:
  Matcher(Emitter& emitter, const FunctionSchema& schema, const Arguments& arguments, bool conversions, bool emit,
          std::string* why)
      : emitter_(emitter),
        schema_(schema),
        arguments_(arguments),
        conversions_(conversions),
        emit_(emit),
        why_(why),
        bindings_(emitter) {}

  bool run(Match& out) {
    std::vector<bool> keyword_used(arguments_.keywords.size(), false);
    ir::Value* self = arguments_.self;
    size_t next = 0;
    for (size_t i = 0; i < schema_.arguments.size(); ++i) {
      const Argument& arg = schema_.arguments[i];
      Passed actual{nullptr, nullptr};
      if (self && arg.name == "self") {
        actual = {self, self->type};
        self = nullptr;
      } else if (!arg.kwarg_only && next < arguments_.positional.size()) {
        ir::Value* value = arguments_.positional[next];
        if (conversions_ && takes_rest(i) && !value->type->is(TypeKind::kList) &&
            !tuple_is_list(emitter_, *value->type, *arg.type)) {
          if (!collect(arg, next, out)) return false;
          next = arguments_.positional.size();
          continue;
        }
        actual = {value, value->type};
        ++next;
      } else if (const size_t k = keyword(arg.name, keyword_used); k < keyword_used.size()) {
        keyword_used[k] = true;
        actual = {arguments_.keywords[k].value, arguments_.keywords[k].value->type};
      } else if (arg.has_default) {
        out.inputs.push_back(emit_ ? emitter_.constant(arg.default_value, default_type(arg)) : nullptr);
        continue;
      } else {
        return no("missing value for argument '", arg.name, "'");
      }
      if (!pass(arg, actual)) return false;
      out.inputs.push_back(actual.value);
    }
    if (self) return no("it has no argument named self");
    if (schema_.is_vararg) {
      for (; next < arguments_.positional.size(); ++next) out.inputs.push_back(arguments_.positional[next]);
    }
    if (next < arguments_.positional.size()) {
      return no("it takes ", schema_.arguments.size(), " arguments, ", arguments_.positional.size(), " are given");
    }
    for (size_t k = 0; k < keyword_used.size(); ++k) {
      if (!keyword_used[k]) return no("unknown or repeated keyword argument '", arguments_.keywords[k].name, "'");
    }
    for (const Argument& ret : schema_.returns) out.results.push_back(bindings_.replace(ret.type));
    return true;
  }

  bool convert(Passed& actual, const TypePtr& formal) {
    if (formal->is(TypeKind::kOptional) && !actual.type->is(TypeKind::kOptional) && !actual.type->is(TypeKind::kNone)) {
      return convert(actual, formal->element(0));
    }
    // `[]` takes the type that is wanted; one that fits stays the same list, which a name may stand for.
    if (formal->is(TypeKind::kList) && actual.value && emitter_.is_empty_list(*actual.value) &&
        !emitter_.fits(*actual.type, *formal)) {
      actual = {emit_ ? emitter_.list(formal->element(0), {}) : nullptr, formal};
    }
    if (actual.type->is(TypeKind::kTuple)) convert_tuple(actual, formal);
    if (!conversions_) return true;
    if (const char* name = conversion(*actual.type, *formal)) {
      actual = {emit_ ? emitter_.op(name, {actual.value}) : nullptr, formal};
    }
    return true;
  }

 private:
  template <class... Parts>
  bool no(const Parts&... parts) {
    if (why_) *why_ = cat(parts...);
    return false;
  }

  static TypePtr default_type(const Argument& arg) {
    return arg.default_value.is_none() ? types::none()
           : has_variables(*arg.type)  ? arg.default_value.type()
                                       : without_optional(arg.type);
  }

  // The last positional parameter, a list of any length: may take all remaining values of the call.
  bool takes_rest(size_t i) const {
    const Argument& arg = schema_.arguments[i];
    const bool last = i + 1 == schema_.arguments.size() || schema_.arguments[i + 1].kwarg_only;
    return last && arg.type->is(TypeKind::kList) && arg.fixed_size < 0 && !arg.type->element(0)->is(TypeKind::kVar);
  }

  bool collect(const Argument& arg, size_t from, Match& out) {
    const TypePtr element = arg.type->element(0);
    Argument one;
    one.name = arg.name;
    one.type = element;
    std::vector<ir::Value*> items;
    for (size_t i = from; i < arguments_.positional.size(); ++i) {
      Passed actual{arguments_.positional[i], arguments_.positional[i]->type};
      if (!pass(one, actual)) return false;
      items.push_back(actual.value);
    }
    out.inputs.push_back(emit_ ? emitter_.list(element, std::move(items)) : nullptr);
    return true;
  }

  size_t keyword(std::string_view name, const std::vector<bool>& used) const {
    size_t k = 0;
    for (; k < used.size(); ++k) {
      const std::string_view given = arguments_.keywords[k].name;
      const bool is_aten = schema_.name.starts_with("aten::");
      if (!used[k] && (given == name || (is_aten && name == "self" && given == "input"))) break;
    }
    return k;
  }

  // An int or float for int[N] or float[N].
  bool repeats(const Argument& arg, const Type& actual) const {
    const TypePtr& formal = without_optional(arg.type);
    return arg.fixed_size >= 0 && formal->is(TypeKind::kList) &&
           (actual.is(TypeKind::kInt) || actual.is(TypeKind::kFloat)) && actual.kind() == formal->element(0)->kind();
  }

  bool pass(const Argument& arg, Passed& actual) {
    if (repeats(arg, *actual.type)) {
      const TypePtr list = without_optional(arg.type);
      std::vector<ir::Value*> items(static_cast<size_t>(arg.fixed_size), actual.value);
      actual = {emit_ ? emitter_.list(list->element(0), std::move(items)) : nullptr, list};
      return true;
    }
    const TypePtr formal = bindings_.bind(arg.type, actual.type);
    if (!formal) return mismatch(arg, arg.type, *actual.type);
    convert(actual, formal);
    if (!emitter_.fits(*actual.type, *formal)) return mismatch(arg, formal, *actual.type);
    return true;
  }

  bool mismatch(const Argument& arg, const TypePtr& formal, const Type& actual) {
    if (!why_) return false;
    *why_ = cat("expected a value of type '", formal->str(), "' for argument '", arg.name, "' but instead found type '",
                actual.str(), "'");
    return false;
  }

  void convert_tuple(Passed& actual, const TypePtr& formal) {
    const TypePtr& target = without_optional(formal);
    if (tuple_is_list(emitter_, *actual.type, *target)) {
      actual = {emit_ ? emitter_.list(target->element(0), emitter_.unpack_tuple(actual.value)) : nullptr, target};
      return;
    }
    const bool same_arity = formal->is(TypeKind::kTuple) && formal->elements().size() == actual.type->elements().size();
    if (!same_arity || emitter_.fits(*actual.type, *formal)) return;
    std::vector<ir::Value*> items(formal->elements().size(), nullptr);
    if (emit_) items = emitter_.unpack_tuple(actual.value);
    std::vector<TypePtr> elements;
    for (size_t i = 0; i < items.size(); ++i) {
      Passed item{items[i], actual.type->element(i)};
      convert(item, formal->element(i));
      items[i] = item.value;
      elements.push_back(item.type);
    }
    actual = {emit_ ? emitter_.tuple(std::move(items)) : nullptr, types::tuple(std::move(elements))};
  }

  Emitter& emitter_;
  const FunctionSchema& schema_;
  const Arguments& arguments_;
  const bool conversions_;
  const bool emit_;
  std::string* why_;
  TypeBindings bindings_;
};

std::string given(const Arguments& arguments) {
  std::string out;
  auto add = [&](std::string_view name, const ir::Value& value) {
    out += cat(out.empty() ? "" : ", ", name, name.empty() ? "" : "=", value.type->str());
  };
  if (arguments.self) add("", *arguments.self);
  for (const ir::Value* value : arguments.positional) add("", *value);
  for (const NamedArgument& keyword : arguments.keywords) add(keyword.name, *keyword.value);
  return out;
}

}  // namespace

std::optional<Match> match_schema(Emitter& emitter, const FunctionSchema& schema, const Arguments& arguments,
                                  bool conversions, std::string* why) {
  Match trial;
  if (!Matcher(emitter, schema, arguments, conversions, /*emit=*/false, why).run(trial)) return std::nullopt;
  Match out;
  Matcher(emitter, schema, arguments, conversions, /*emit=*/true, nullptr).run(out);
  return out;
}

Match match_only(Emitter& emitter, const FunctionSchema& schema, const Arguments& arguments) {
  std::string why;
  std::optional<Match> out = match_schema(emitter, schema, arguments, /*conversions=*/true, &why);
  if (!out) emitter.bad(schema.str(), ": ", why);
  return std::move(*out);
}

Match match_first(Emitter& emitter, const std::vector<const FunctionSchema*>& schemas, const Arguments& arguments,
                  size_t& index) {
  if (schemas.size() == 1) {
    index = 0;
    return match_only(emitter, *schemas[0], arguments);
  }
  for (const bool conversions : {false, true}) {
    for (index = 0; index < schemas.size(); ++index) {
      if (std::optional<Match> out = match_schema(emitter, *schemas[index], arguments, conversions)) {
        return std::move(*out);
      }
    }
  }
  std::string text = "Arguments for call are not valid. The following variants are available:";
  for (size_t i = 0; i < std::min(schemas.size(), kMaxDescribed); ++i) {
    std::string why;
    match_schema(emitter, *schemas[i], arguments, /*conversions=*/true, &why);
    text += cat("\n  ", schemas[i]->str(), ": ", why);
  }
  emitter.bad(text, "\nThe call passes (", given(arguments), ")");
}

ir::Value* convert_to(Emitter& emitter, ir::Value* value, const TypePtr& type) {
  const FunctionSchema nothing;
  const Arguments none;
  Matcher matcher(emitter, nothing, none, /*conversions=*/true, /*emit=*/true, nullptr);
  Passed passed{value, value->type};
  matcher.convert(passed, type);
  return passed.value;
}

}  // namespace wick::script
