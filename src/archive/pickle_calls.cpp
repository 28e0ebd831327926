// The part of the pickle machine that deals with globals: calls and objects.
#include "archive/pickle_reader.h"
#include "archive/pickle_type_tag.h"
#include "core/limits.h"
#include "core/schema.h"
#include "core/selection.h"

namespace wick {
namespace {

constexpr std::string_view kLayouts[] = {"torch.strided",    "torch.sparse_coo", "torch.sparse_csr", "torch._mkldnn",
                                         "torch.sparse_csc", "torch.sparse_bsr", "torch.sparse_bsc"};

}  // namespace

void PickleContext::raise(uint64_t code_and_kinds, ...) const {
  va_list parts;
  va_start(parts, code_and_kinds);
  const std::string reason = text::joined(code_and_kinds >> 4, parts);
  va_end(parts);
  fail(static_cast<ErrorCode>(code_and_kinds & 15), cat("record '", record_, "', offset ", offset, ": ", reason));
}

void PickleReader::expect_args(const GlobalRef& function, const std::vector<IValue>& args, size_t least,
                               size_t most) const {
  if (args.size() < least || args.size() > most) {
    context_.bad(function.name, " is called with ", args.size(), " arguments");
  }
}

void PickleReader::global() {
  const std::string_view module = line();
  const std::string_view name = line();
  const Global found = find_global(module, name);
  if (found.kind == GlobalKind::kNumber) {
    push(found.number);
    return;
  }
  context_.charge_object();
  auto ref = make_ref<GlobalRef>();
  ref->name = cat(module, ".", name);
  ref->global = found;
  if (found.kind == GlobalKind::kUnknown && first_unknown_.empty()) first_unknown_ = ref->name;
  push_internal(Ref<CustomObject>(ref));
}

// The function and its arguments stay on the stack until the result is there.
void PickleReader::reduce() {
  expect_items(2);
  const size_t first = stack_.size() - 2;
  Item result = called(stack_[first].value, stack_[first + 1].value);
  drop_to(first);
  stack_.push_back(std::move(result));
}

const GlobalRef* PickleReader::global_in(const IValue& value) {
  return value.is_custom() ? cast_to<const GlobalRef>(&value.to_custom()) : nullptr;
}

PickleReader::Item PickleReader::called(const IValue& callee, const IValue& args) {
  const GlobalRef* function = global_in(callee);
  if (!function) context_.bad("a ", callee.tag_name(), " is called");
  if (function->global.kind == GlobalKind::kClass) {
    // The value of an enum member, not wrapped in a tuple.
    if (!args.is_int() && !args.is_double() && !args.is_string() && !args.is_bool()) {
      context_.bad("a member of ", function->name, " has the value of a ", args.tag_name());
    }
    if (!environment_.enumeration) context_.unsupported("members of ", function->name, " are not expected here");
    return {environment_.enumeration(function->name, args), 1};
  }
  if (!args.is_tuple()) context_.bad(function->name, " is called with a ", args.tag_name());
  context_.charge_object();
  return call(*function, args.to_tuple().items);
}

PickleReader::Item PickleReader::call(const GlobalRef& function, const std::vector<IValue>& args) {
  switch (function.global.kind) {
    case GlobalKind::kRebuildTensor:
    case GlobalKind::kRebuildTensorV2:
    case GlobalKind::kRebuildTensorV3:
    case GlobalKind::kRebuildQTensor:
    case GlobalKind::kRebuildParameter:
    case GlobalKind::kRebuildSparse:
    case GlobalKind::kTensorType:
      return {tensors_.rebuild(function, args)};
    case GlobalKind::kBuildIntList:
      return typed_list(function, args, types::integer());
    case GlobalKind::kBuildDoubleList:
      return typed_list(function, args, types::floating());
    case GlobalKind::kBuildBoolList:
      return typed_list(function, args, types::boolean());
    case GlobalKind::kBuildTensorList:
      return typed_list(function, args, types::tensor());
    case GlobalKind::kRestoreTypeTag:
      return restore_type_tag(function, args);
    case GlobalKind::kDevice:
      return {device(args)};
    case GlobalKind::kComplex:
      return complex_number(function, args);
    default:
      if constexpr (build::kTensors) return call_saved(function, args);
      return refuse_call(function);
  }
}

// What only torch.save writes, and no model.
PickleReader::Item PickleReader::call_saved(const GlobalRef& function, const std::vector<IValue>& args) {
  switch (function.global.kind) {
    case GlobalKind::kRebuildFromType:
      return {rebuild_from_type(args)};
    case GlobalKind::kOrderedDict:
      return ordered_dict(args);
    case GlobalKind::kSize:
      return torch_size(function, args);
    case GlobalKind::kGetLayout:
      return layout(function, args);
    default:
      return refuse_call(function);
  }
}

PickleReader::Item PickleReader::torch_size(const GlobalRef& function, const std::vector<IValue>& args) {
  expect_args(function, args, 1, 1);
  if (!args[0].is_tuple() && !args[0].is_list()) context_.bad("torch.Size needs a tuple of integers");
  const std::vector<IValue>& items = args[0].is_tuple() ? args[0].to_tuple().items : args[0].to_list().items;
  if (items.size() > limits::kMaxTensorDims) context_.too_much("a torch.Size has too many dimensions");
  IValue size = IValue::list(types::integer(), items);
  for (const IValue& dim : items) apply_type_tag(dim, types::integer(), context_);
  return {std::move(size), 1};
}

PickleReader::Item PickleReader::complex_number(const GlobalRef& function, const std::vector<IValue>& args) const {
  expect_args(function, args, 2, 2);
  if (!args[0].is_number() || !args[1].is_number() || args[0].is_complex() || args[1].is_complex()) {
    context_.bad("a complex number needs two numbers");
  }
  return {std::complex<double>(args[0].to_scalar().to_double(), args[1].to_scalar().to_double())};
}

PickleReader::Item PickleReader::layout(const GlobalRef& function, const std::vector<IValue>& args) const {
  expect_args(function, args, 1, 1);
  int64_t code = -1;
  for (size_t i = 0; i < std::size(kLayouts); ++i) {
    if (args[0].is_string() && args[0].to_string() == kLayouts[i]) code = static_cast<int64_t>(i);
  }
  if (code < 0) context_.unsupported("a layout that is not known");
  return {code};
}

// The outermost unknown global tells more than the helper that is called first.
PickleReader::Item PickleReader::refuse_call(const GlobalRef& function) const {
  const std::string& name = first_unknown_.empty() ? function.name : first_unknown_;
  if constexpr (!build::kTensors) {
    context_.unsupported("the file needs ", name, ", which this build does not have", advice_on_missing());
  }
  context_.unsupported("the file needs ", name, ", which is not supported");
}

PickleReader::Item PickleReader::typed_list(const GlobalRef& function, const std::vector<IValue>& args,
                                            const TypePtr& element) {
  expect_args(function, args, 1, 1);
  if (!args[0].is_list()) context_.bad(function.name, " needs a list, not a ", args[0].tag_name());
  ListImpl& list = args[0].to_list();
  if (list.element_type != element) {
    list.element_type = element;
    for (const IValue& item : list.items) apply_type_tag(item, element, context_);
  }
  return {args[0]};
}

PickleReader::Item PickleReader::restore_type_tag(const GlobalRef& function, const std::vector<IValue>& args) {
  expect_args(function, args, 2, 2);
  if (!args[1].is_string()) context_.bad("restore_type_tag needs the name of a type");
  if (!args[0].is_list() && !args[0].is_dict()) {
    context_.bad("restore_type_tag needs a list or dict, not a ", args[0].tag_name());
  }
  // The parsed type is kept by the string object, which writers memoize: a long name is parsed once.
  uint64_t& place = tag_places_[args[1].ref_or_null()];
  if (place == 0) {
    context_.charge_work(args[1].to_string().size());
    tag_types_.push_back(parse_type(args[1].to_string(), environment_.named_type));
    tags_.push_back(IValue(args[1]));
    place = tags_.size();
  }
  apply_type_tag(args[0], tag_types_[place - 1], context_);
  return {args[0]};
}

// OrderedDict(), or OrderedDict([(key, value), ...]) as Python 2 wrote it.
PickleReader::Item PickleReader::ordered_dict(const std::vector<IValue>& args) {
  auto dict = make_ref<OpenDict>();
  dict->key_type = dict->value_type = types::any();
  if (args.size() > 1 || (args.size() == 1 && !args[0].is_list())) context_.bad("OrderedDict needs a list of pairs");
  if (args.size() == 1) {
    const auto* pairs = cast_to<const OpenList>(&args[0].to_list());
    dict->depth = pairs ? pairs->depth : 1;
    context_.charge_work(limits::kPickleWorkPerByte * args[0].to_list().items.size());
    for (const IValue& pair : args[0].to_list().items) {
      if (!pair.is_tuple() && !pair.is_list()) context_.bad("OrderedDict needs a list of pairs");
      const std::vector<IValue>& parts = pair.is_tuple() ? pair.to_tuple().items : pair.to_list().items;
      if (parts.size() != 2) context_.bad("OrderedDict needs a list of pairs");
      set_item(*dict, {parts[0]}, {parts[1]});
    }
  }
  return {IValue(Ref<DictImpl>(dict))};
}

// (function, type, arguments, state): a tensor with Python attributes, which are dropped.
Tensor PickleReader::rebuild_from_type(const std::vector<IValue>& args) {
  const GlobalRef* function = args.size() == 4 ? global_in(args[0]) : nullptr;
  if (!function || !args[2].is_tuple()) context_.bad("_rebuild_from_type_v2 needs a function, a type and arguments");
  return tensors_.rebuild(*function, args[2].to_tuple().items);
}

IValue PickleReader::device(const std::vector<IValue>& args) const {
  if (args.empty() || args.size() > 2 || !args[0].is_string() || (args.size() == 2 && !args[1].is_int())) {
    context_.bad("torch.device needs a name");
  }
  std::string name = args[0].to_string();
  if (args.size() == 2) name += cat(":", args[1].to_int());
  try {
    return Device::parse(name);
  } catch (const Error& e) {
    context_.bad(e.message());
  }
}

void PickleReader::new_object() {
  expect_items(2);
  const size_t first = stack_.size() - 2;
  Item result = made(stack_[first].value, stack_[first + 1]);
  drop_to(first);
  stack_.push_back(std::move(result));
}

PickleReader::Item PickleReader::made(const IValue& cls, const Item& args) {
  const GlobalRef* ref = global_in(cls);
  if (!ref) context_.bad("an object is made of a ", cls.tag_name());
  if (!args.value.is_tuple()) context_.bad("an object is made with arguments that are not a tuple");
  const std::vector<IValue>& items = args.value.to_tuple().items;
  if constexpr (build::kTensors) {
    if (ref->global.kind == GlobalKind::kOrderedDict) return ordered_dict(items);
  }
  // A named tuple among saved arguments: its class is Python's, its items are those it is made of.
  if (ref->global.kind == GlobalKind::kUnknown && !environment_.object && !items.empty()) return args;
  if (ref->global.kind != GlobalKind::kClass) {
    context_.unsupported("objects of class ", ref->name, " are not supported");
  }
  if (!items.empty()) context_.bad("an object of class ", ref->name, " is made with arguments");
  context_.charge_object();
  auto pending = make_ref<PendingObject>();
  pending->name = ref->name;
  return {IValue(Ref<CustomObject>(pending)), 0, true};
}

void PickleReader::build() {
  expect_items(2);
  const Item& state = stack_.back();
  Item& target = stack_[stack_.size() - 2];
  // Python attributes of an OrderedDict (_metadata of a state_dict) or of a parameter change nothing.
  if (!target.value.is_dict() && !target.value.is_tensor()) {
    auto* pending = target.value.is_custom() ? cast_to<PendingObject>(&target.value.to_custom()) : nullptr;
    if (!pending || pending->done) context_.bad("a state is given to a ", target.value.tag_name());
    refuse_internal(state);
    if (!environment_.object) context_.unsupported("objects of class ", pending->name, " are not expected here");
    pending->depth = settle(state) + 1;
    check_depth(pending->depth);
    pending->built = environment_.object(pending->name, state.value);
    pending->done = true;
    target.depth = pending->depth;
    target.internal = false;
    target.value = IValue(pending->built);  // may free `pending`
  }
  stack_.pop_back();
}

}  // namespace wick
