// Frame: what the nodes do that are no operators, calls, tasks, and where errors happened.
#include "runtime/frame.h"

#include <atomic>
#include <memory>
#include <thread>

#include "core/check.h"
#include "core/instance.h"
#include "core/out_of_memory.h"
#include "core/parallel.h"
#include "core/selection.h"
#include "runtime/executor.h"

namespace wick::runtime {
namespace {

using ir::Node;
using ir::NodeKind;

// Tasks and `with` are only in programs that come from source.
constexpr bool kHasSource = build::kTorchScript;

// Forked functions that have a thread of their own right now.
std::atomic<int> g_forks{0};

[[maybe_unused]] IValue fork(Executor& executor, const ir::Function& function, std::vector<IValue> args, size_t depth) {
  auto future = make_ref<FutureImpl>();
  // The task may outlive the caller, so it keeps the program and what runs it alive itself.
  const auto task = [program = executor.program().shared_from_this(), kept = executor.shared_from_this(), &function,
                     future, depth, budget = Ref<Budget>(Budget::current())](std::vector<IValue> values) {
    const BudgetScope scope(budget.get());
    try {
      std::vector<IValue> results = kept->call(function, std::move(values), depth);
      future->complete(results.size() == 1 ? std::move(results[0]) : IValue::tuple(std::move(results)));
    } catch (...) {
      future->fail(std::current_exception());
    }
  };
  // A fork beyond the thread limit runs immediately, so that waiting can never block on a task without a thread.
  Ref<Budget> budget(Budget::current());
  if (g_forks.fetch_add(1) < num_threads() - 1 && (!budget || budget->take_fork())) {
    const auto end = [budget] {
      g_forks.fetch_sub(1);
      if (budget) budget->give_fork();
    };
    try {
      std::thread([task, end, values = std::move(args)]() mutable {
        task(std::move(values));
        end();
      }).detach();
      return IValue(future);
    } catch (const std::bad_alloc&) {
      end();
      throw;
    } catch (const std::system_error&) {
      end();
      fail_with<ErrorCode::kLimitExceeded>("fork: the system has no thread left");
    }
  }
  g_forks.fetch_sub(1);
  task(std::move(args));
  return IValue(future);
}

}  // namespace

Frame::Frame(Executor& executor, const ir::Function& function, const Code& code, size_t depth,
             std::vector<IValue> buffer)
    : executor_(executor),
      program_(executor.program()),
      function_(function),
      code_(code),
      depth_(depth),
      budget_(Budget::current()),
      values_(std::move(buffer)) {
  values_.resize(code_.register_count + code_.max_inputs + code_.max_outputs);
  inputs_ = values_.data() + code_.register_count;
  outputs_ = inputs_ + code_.max_inputs;
}

void Frame::set_arguments(std::vector<IValue>&& args) {
  const size_t params = function_.graph.body()->params.size();
  WICK_CHECK(args.size() == params, kInvalidArgument, function_.name, " takes ", params, " arguments, got ",
             args.size());
  std::move(args.begin(), args.end(), values_.begin());
}

std::vector<IValue> Frame::run(std::vector<IValue>&& args) {
  set_arguments(std::move(args));
  size_t pc = 0;
  try {
    while (code_.instructions[pc].code != OpCode::kReturn) pc = step(pc);
    return results(pc);
  } catch (...) {
    rethrow(code_.instructions[pc].node);
  }
}

void Frame::rethrow(const Node* node) {
  guard_.release();
  if constexpr (kHasSource) leave_entered();
  try {
    rethrow_out_of_memory("out of memory");
  } catch (Error& error) {
    add_context(error, node);
    throw;
  }
}

namespace {

// Bytes of a container and its items, without what those refer to; 0 for other values.
uint64_t container_bytes(const IValue& value) {
  constexpr uint64_t kOwn = 96;
  switch (value.tag()) {
    case IValue::Tag::kList:
      return kOwn + value.to_list().items.capacity() * sizeof(IValue);
    case IValue::Tag::kDict:
      return kOwn + value.to_dict().size() * (2 * sizeof(IValue) + 4 * sizeof(uint32_t));
    case IValue::Tag::kString:
      return kOwn + value.to_string().capacity();
    case IValue::Tag::kTuple:
      return kOwn + value.to_tuple().items.capacity() * sizeof(IValue);
    case IValue::Tag::kObject:
      return kOwn + value.to_object().slot_count() * sizeof(IValue);
    default:
      return 0;
  }
}

// Of a value that container_bytes() counts.
MemoryCharge& charge_of(const IValue& value) {
  switch (value.tag()) {
    case IValue::Tag::kList:
      return value.to_list().charge;
    case IValue::Tag::kDict:
      return value.to_dict().charge;
    case IValue::Tag::kTuple:
      return value.to_tuple().charge;
    case IValue::Tag::kObject:
      return value.to_object().charge;
    default:
      return static_cast<StringImpl*>(value.ref_or_null())->charge;
  }
}

void charge_container(const IValue& value) {
  const uint64_t bytes = container_bytes(value);
  if (bytes > 0) charge_of(value).set(bytes);
}

}  // namespace

// Memory that operators can't be stopped from taking one item at a time is charged when they have done so: of what is
// new, and of arguments that have grown. What was there before is not the run's.
void Frame::call_bounded(const Instruction& i) {
  constexpr uint32_t kMostChanged = 4;  // operators change one of the first
  uint64_t before[kMostChanged] = {};
  const uint32_t count = std::min(i.in_count, kMostChanged);
  for (uint32_t k = 0; k < count; ++k) before[k] = container_bytes(inputs_[k]);
  budget_->spend(1);
  i.node->op->call(inputs_, i.in_count, outputs_);
  for (uint32_t k = 0; k < count; ++k) {
    if (container_bytes(inputs_[k]) > before[k]) charge_container(inputs_[k]);
  }
  charge_new(i);
}

void Frame::charge_new(const Instruction& i) {
  for (uint32_t k = 0; k < i.out_count; ++k) {
    const RefCounted* ref = outputs_[k].ref_or_null();
    if (ref && ref->use_count() == 1) charge_container(outputs_[k]);
  }
}

void Frame::check_plain(const IValue& value) {
  WICK_CHECK(value.is_string() || value.is_complex(), kTypeMismatch,
             "a value that the model declares to be a number or a string is a ", value.tag_name());
}

ValueLock* Frame::lock() const { return guard_.is_held() ? nullptr : executor_.value_lock(); }

// Whether the instruction, on the arguments that it has now, changes what others may hold.
bool Frame::changes(const Instruction& i) const {
  if (i.access != ir::Access::kMayUpdate) return i.access == ir::Access::kChanges;
  return may_update_statistics(
      *i.node->op, [this, &i](size_t k) -> const IValue* { return k < i.in_count ? &inputs_[k] : nullptr; });
}

void Frame::call_locked(const Instruction& i) {
  const ValueGuard guard(lock(), changes(i));
  if (i.code == OpCode::kCallOp) {
    call_operator(i);
  } else {
    run_node(*i.node, i);
  }
}

bool Frame::loop_test(const Instruction& i) {
  load(i);
  IValue& trip = values_[code_.outputs[i.out_begin]];
  const int64_t count = trip.to_int();
  if (count >= inputs_[0].to_int() || !inputs_[1].to_bool()) return false;
  copy_number(inputs_[0], trip);
  copy_number(trip, IValue(count + 1));
  put(i, 1, inputs_[0]);
  return true;
}

void Frame::set_outputs(const Instruction& i, std::vector<IValue> values, const char* what) {
  WICK_CHECK(values.size() == i.out_count, kTypeMismatch, "Expected ", i.out_count, " elements in a ", what,
             " but found ", values.size());
  std::move(values.begin(), values.end(), outputs_);
}

void Frame::run_node(const Node& node, const Instruction& i) {
  switch (node.kind) {
    case NodeKind::kOp:
      fail_with<ErrorCode::kMissingOperator>("operator ", node.op_name, " is not in this build", advice_on_missing());
    case NodeKind::kTupleConstruct: {
      auto tuple = make_ref<TupleImpl>();
      tuple->items = take_inputs(i);
      if (!node.types.empty() && !node.types[0]->name().empty()) tuple->named_type = node.types[0];
      outputs_[0] = IValue(std::move(tuple));
      return;
    }
    case NodeKind::kUninitialized:
      outputs_[0] = IValue::uninitialized();
      return;
    case NodeKind::kFork:
      if constexpr (kHasSource) {
        outputs_[0] = fork(executor_, *node.callee, take_inputs(i), depth_ + 1);
        return;
      }
      break;
    case NodeKind::kWait:
      if constexpr (kHasSource) {
        outputs_[0] = inputs_[0].is_future() ? inputs_[0].to_future().wait() : std::move(inputs_[0]);
        return;
      }
      break;
    case NodeKind::kEnter:
      if constexpr (kHasSource) {
        check_class(node, "__enter__");
        entered_.push_back(inputs_[0]);
        set_outputs(i, call_method("__enter__", {inputs_[0]}), "call");
        return;
      }
      break;
    case NodeKind::kExit:
      if constexpr (kHasSource) {
        check_class(node, "__exit__");
        if (!entered_.empty()) entered_.pop_back();
        call_method("__exit__", {inputs_[0], IValue(), IValue(), IValue()});
        return;
      }
      break;
    default:
      if constexpr (build::kObjects) {
        if (run_object_node(node, i)) return;
      }
      if constexpr (build::kContainers) {
        if (run_container_node(node, i)) return;
      }
      break;
  }
  fail_with<ErrorCode::kInternal>("a node without an instruction");
}

// Attributes, calls and classes. False: it is of another group.
bool Frame::run_object_node(const Node& node, const Instruction& i) {
  switch (node.kind) {
    case NodeKind::kGetAttr: {
      const ObjectImpl& object = inputs_[0].to_object();
      outputs_[0] = node.index >= 0 ? object.get(static_cast<size_t>(node.index)) : object.attr(node.name);
      return true;
    }
    case NodeKind::kSetAttr: {
      ObjectImpl& object = inputs_[0].to_object();
      const int64_t slot = node.index >= 0 ? node.index : object.cls->slot_of(node.name);
      WICK_CHECK(slot >= 0, kNotFound, "class ", object.cls->name, " has no attribute '", node.name, "'");
      object.set(static_cast<size_t>(slot), std::move(inputs_[1]));
      return true;
    }
    case NodeKind::kCreateObject:
      outputs_[0] = create_object(node);
      return true;
    case NodeKind::kIsInstance: {
      bool any = false;
      for (const TypePtr& type : node.types) any = any || is_instance(inputs_[0], *type);
      outputs_[0] = IValue(any);
      return true;
    }
    case NodeKind::kCallFunction:
      set_outputs(i, executor_.call(*node.callee, take_inputs(i), depth_ + 1), "call");
      return true;
    case NodeKind::kCallMethod:
      if (inputs_[0].is_custom()) {
        const ValueGuard guard(lock(), /*alone=*/false);
        outputs_[0] = inputs_[0].to_custom().call(node.name, take_inputs(i, 1));
      } else {
        check_class(node, node.name);
        set_outputs(i, call_method(node.name, take_inputs(i)), "call");
      }
      return true;
    default:
      return false;
  }
}

// Lists, dicts and parts of tuples. False: it is of another group.
bool Frame::run_container_node(const Node& node, const Instruction& i) {
  switch (node.kind) {
    case NodeKind::kTupleUnpack:
      set_outputs(i, inputs_[0].to_tuple().items, "tuple");
      return true;
    case NodeKind::kListUnpack:
      set_outputs(i, inputs_[0].to_list().items, "list");
      return true;
    case NodeKind::kTupleSlice: {
      const std::vector<IValue>& items = inputs_[0].to_tuple().items;
      WICK_CHECK(node.index >= 0 && node.count >= 0 && static_cast<size_t>(node.index) <= items.size() &&
                     static_cast<size_t>(node.count) <= items.size() - static_cast<size_t>(node.index),
                 kIndexOutOfRange, "Tuple slice out of range");
      outputs_[0] = IValue::tuple({items.begin() + node.index, items.begin() + node.index + node.count});
      return true;
    }
    case NodeKind::kListConstruct:
      outputs_[0] = IValue::list(node.types[0]->element(0), take_inputs(i));
      return true;
    case NodeKind::kDictConstruct: {
      auto dict = make_ref<DictImpl>();
      dict->key_type = node.types[0]->element(0);
      dict->value_type = node.types[0]->element(1);
      for (uint32_t k = 0; k + 1 < i.in_count; k += 2) dict->set(std::move(inputs_[k]), std::move(inputs_[k + 1]));
      outputs_[0] = IValue(std::move(dict));
      return true;
    }
    default:
      return false;
  }
}

IValue Frame::create_object(const Node& node) {
  auto object = make_ref<ObjectImpl>();
  const std::string& name = node.types[0]->name();
  if (const std::shared_ptr<ClassInfo>* known = program_.classes.find(name)) {
    object->cls = *known;
  } else {
    object->cls.reset(new ClassInfo);
    object->cls->name = name;
  }
  if (!object->cls->attributes.empty()) object->set(object->cls->attributes.size() - 1, IValue());
  return IValue(std::move(object));
}

// What a call may change is known from the declared class of its object.
void Frame::check_class(const Node& node, std::string_view method) const {
  if constexpr (!kHasSource) return;
  const ObjectImpl& object = inputs_[0].to_object();
  WICK_CHECK(ir::may_be_called_on(program_, node, method, object), kTypeMismatch, "expected an object of class ",
             *node.inputs[0]->type, " for a call of '", method, "', found one of class ", object.cls->name);
}

std::vector<IValue> Frame::call_method(const std::string& name, std::vector<IValue>&& args) {
  const std::string& cls = args[0].to_object().cls->name;
  ir::Function* method = program_.find_method(args[0].to_object(), name);
  constexpr std::string_view kBackends = "__torch__.torch.classes.__backends__.";
  WICK_CHECK(method || !cls.starts_with(kBackends), kUnsupported, "a part of the model was compiled for the delegate '",
             cls.substr(std::min(cls.size(), kBackends.size())), "', which is not available here");
  WICK_CHECK(method, kNotFound, "class ", cls, " has no method '", name, "'");
  return executor_.call(*method, std::move(args), depth_ + 1);
}

// An error leaves what was entered, the last first; a failure on the way out does not hide the first.
void Frame::leave_entered() {
  while (!entered_.empty()) {
    IValue object = std::move(entered_.back());
    entered_.pop_back();
    try {
      call_method("__exit__", {std::move(object), IValue(), IValue(), IValue()});
    } catch (const std::exception&) {
    }
  }
}

void Frame::add_context(Error& error, const Node* node) const {
  const auto line = [this, &error](const std::string& function, int64_t source, const Node* at) {
    std::string where;
    if constexpr (kHasSource || build::kSourceLines) {
      if (source >= 0 && program_.describe_source) where = program_.describe_source(source);
    }
    const bool is_operator = at && at->kind == NodeKind::kOp;
    if (where.empty()) {
      where = cat("  in ", function);
      if (is_operator) where += cat(", at ", at->op_name);
    } else if (is_operator && error.message().find("\n  at ") == std::string::npos) {
      where = cat("  at ", at->op_name, "\n", where);
    }
    return where;
  };
  // The function whose code the node is: the caller of the next call site outwards, if it was inlined.
  const std::vector<ir::CallSite>& sites = function_.call_sites;
  int32_t site = node ? node->call_site : -1;
  error.add_context(line(site >= 0 ? sites[site].callee : function_.name, node ? node->source : -1, node));
  for (; site >= 0; site = sites[site].parent) {
    error.add_context(line(sites[site].caller, sites[site].source, nullptr));
  }
}

}  // namespace wick::runtime
