// Adds bundled inputs to a program and its source, and removes them.
#include "wick/bundle.h"
#include "core/budget.h"
#include "core/tensor_impl.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "api/module_access.h"
#include "api/run.h"
#include "bundle/class_source.h"
#include "bundle/methods.h"
#include "core/check.h"
#include "core/copy.h"
#include "core/limits.h"
#include "core/out_of_memory.h"

namespace wick {

namespace {

using bundle::ClassSource;
using bundle::Inflate;

constexpr std::string_view kAttribute = "_bundled_inputs_deflated";
constexpr std::string_view kGetAll = "get_all_bundled_inputs";
constexpr std::string_view kInfo = "get_bundled_inputs_functions_and_info";

ir::Program& checked_program(const Module& module) {
  WICK_CHECK(program_of(module) && program_of(module)->root.is_object(), kInvalidArgument,
             "the module is empty: it cannot have bundled inputs");
  return *program_of(module);
}

bool has_one_value(const Tensor& tensor) {
  const auto* bytes = static_cast<const char*>(tensor.raw_data());
  return std::memcmp(bytes, bytes + tensor.itemsize(), tensor.nbytes() - tensor.itemsize()) == 0;
}

// What is stored for an argument, as torch.utils.bundled_inputs does; large tensors as its bundle_large_tensor.
std::pair<IValue, Inflate> deflated(IValue value, bool is_random) {
  constexpr size_t kSmall = 16;
  if (is_random) return {std::move(value), Inflate::kRandn};
  if (!value.is_tensor()) return {std::move(value), Inflate::kNothing};
  const Tensor tensor = value.to_tensor();
  if (tensor.storage()->nbytes() / tensor.itemsize() <= kSmall) return {std::move(value), Inflate::kNothing};
  if (static_cast<size_t>(tensor.numel()) <= kSmall) return {IValue(clone(tensor)), Inflate::kNothing};
  const bool rows = tensor.is_contiguous();
  const bool dense = rows || (tensor.dim() == 4 && tensor.is_contiguous(MemoryFormat::kChannelsLast));
  if (!dense || tensor.is_quantized() || !has_one_value(tensor)) return {std::move(value), Inflate::kNothing};
  const Tensor one = clone(tensor.as_strided({1}, {1}, tensor.storage_offset()));
  const IntVec strides(static_cast<size_t>(tensor.dim()), 0);
  return {IValue(one.as_strided(tensor.sizes(), strides, 0)), rows ? Inflate::kContiguous : Inflate::kChannelsLast};
}

bundle::Info known_info(const Module& module) {
  bundle::Info out;
  if (!module.has_method(kInfo)) {
    if (module.has_method(kGetAll)) out.push_back({"forward", {}});
    return out;
  }
  const BoundedWork bounded("reading what inputs are bundled", unasked_bounds());
  const IValue all = module.run_method(kInfo, {});
  for (const auto& [method, entry] : all.to_dict().entries()) {
    std::vector<std::string> lines;
    if (const IValue* info = entry.to_dict().find(IValue("info"))) {
      for (const IValue& line : info->to_list().items) lines.push_back(line.to_string());
    }
    out.push_back({method.to_string(), std::move(lines)});
  }
  return out;
}

TypePtr inputs_type(const ir::Function& method, const std::vector<IValue>& first) {
  std::vector<TypePtr> items;
  for (size_t i = 0; i < first.size(); ++i) {
    items.push_back(method.has_schema ? method.schema.arguments.at(i + 1).type : first[i].type());
  }
  return types::list(types::tuple(std::move(items)));
}

bool is_bundling_method(std::string_view name) {
  for (std::string_view prefix : {"get_all_bundled_inputs_for_", "_generate_bundled_inputs", "_inflate_helper_for_"}) {
    if (name.starts_with(prefix)) return true;
  }
  return name == kGetAll || name == kInfo || name == "get_num_bundled_inputs" || name == "run_on_bundled_input";
}

// The root with other slots: `kept` of its own, then the values. Code finds it in the program, not by its address.
IValue root_with(const ir::Program& program, const std::vector<size_t>& kept, IValue added = IValue()) {
  const ObjectImpl& old = program.root.to_object();
  auto object = make_ref<ObjectImpl>();
  object->cls = old.cls;
  size_t to = 0;
  for (const size_t slot : kept) object->set(to++, old.get(slot));
  if (!added.is_none()) object->set(to, std::move(added));
  return IValue(std::move(object));
}

std::vector<size_t> all_slots(const ir::Program& program) {
  std::vector<size_t> out(program.root.to_object().slot_count());
  std::iota(out.begin(), out.end(), size_t{0});
  return out;
}

// Code that reads slots behind the one that is gone is led to their new places. Throws nothing.
void move_reads(const ir::Block& block, const ir::Value* self, std::string_view class_name, int64_t gone) {
  for (ir::Node* node : block.nodes) {
    const bool reads = node->kind == ir::NodeKind::kGetAttr || node->kind == ir::NodeKind::kSetAttr;
    if (reads && node->index > gone && (node->inputs[0] == self || node->inputs[0]->type->name() == class_name)) {
      --node->index;
    }
    for (const ir::Block* inner : node->blocks) move_reads(*inner, self, class_name, gone);
  }
}

// The class without the attribute in this slot. Throws nothing.
void remove_attribute(ir::Program& program, size_t slot) {
  ClassInfo& cls = *program.root.to_object().cls;
  cls.attributes.erase(cls.attributes.begin() + static_cast<std::ptrdiff_t>(slot));
  cls.attribute_types.erase(cls.attribute_types.begin() + static_cast<std::ptrdiff_t>(slot));
  for (const auto& function : program.functions) {
    const std::string_view name = function->name;
    const bool is_method = name.starts_with(cls.name) && name.substr(cls.name.size()).starts_with('.');
    const auto& params = function->graph.body()->params;
    move_reads(*function->graph.body(), is_method && !params.empty() ? params[0] : nullptr, cls.name,
               static_cast<int64_t>(slot));
  }
}

void check_unused(const ir::Program& program, const ir::Function& gone) {
  for (const auto& function : program.functions) {
    for (const ir::Function* called : ir::functions_called(program, *function)) {
      const std::string_view caller = function->own_name();
      WICK_CHECK(called != &gone || is_bundling_method(caller), kUnsupported,
                 "the bundled inputs cannot be removed: ", function->name, " uses them");
    }
  }
}

std::optional<ClassSource> source_of(const ir::Program& program) {
  if (!program.archive) return std::nullopt;
  return ClassSource::find(*program.archive, program.root.to_object().cls->name);
}

// The archive with what is still true of the program.
std::shared_ptr<const ZipReader> renewed_archive(const ir::Program& program, const std::optional<ClassSource>& source) {
  if (!program.archive) return nullptr;
  return source ? source->rewritten(*program.archive) : bundle::without_program(*program.archive);
}

}  // namespace

BundledArgument BundledArgument::randn(IntSpan sizes, DType dtype) {
  const IntVec strides(sizes.size(), 0);
  BundledArgument out(IValue(Tensor::zeros({1}, dtype).as_strided(sizes, strides, 0)));
  out.is_random = true;
  return out;
}

namespace {

void bundle_checked(const Module& module, const std::vector<BundledInput>& inputs, const std::string& method,
                    const std::vector<std::string>& info) {
  ir::Program& program = checked_program(module);
  const ir::Function* function = program.find_method(method);
  WICK_CHECK(function, kNotFound, "the model has no method '", method, "' to bundle inputs for");
  WICK_CHECK(!inputs.empty(), kInvalidArgument, "give at least one input to bundle for '", method, "'");
  bundle::Info known = known_info(module);
  const auto same = [&](const auto& entry) { return entry.first == method; };
  WICK_CHECK(std::ranges::none_of(known, same) && !module.has_method("_generate_bundled_inputs_for_" + method),
             kInvalidArgument, "the model already has bundled inputs for '", method,
             "'; remove them first ('wick convert --strip-bundled')");

  const ObjectImpl& root = program.root.to_object();
  bundle::BundledMethod bundled;
  bundled.class_name = root.cls->name;
  bundled.name = method;
  bundled.attribute = cat(kAttribute, "_", method);
  std::vector<IValue> stored;
  for (const BundledInput& input : inputs) {
    std::vector<IValue> values;
    for (const BundledArgument& argument : input) values.push_back(argument.value);
    if (function->has_schema) api::bind_arguments(function->schema, method, values, {});
    if (!bundled.type) bundled.type = inputs_type(*function, values);
    WICK_CHECK(values.size() == bundled.type->element(0)->elements().size(), kInvalidArgument,
               "the inputs to bundle for '", method, "' differ in their number of arguments");
    std::vector<Inflate>& inflates = bundled.inflates.emplace_back();
    for (size_t i = 0; i < values.size(); ++i) {
      auto [value, inflate] = deflated(std::move(values[i]), i < input.size() && input[i].is_random);
      values[i] = std::move(value);
      inflates.push_back(inflate);
    }
    stored.push_back(IValue::tuple(std::move(values)));
  }

  const int64_t slot = root.cls->slot_of(bundled.attribute);
  WICK_CHECK(slot < 0, kInvalidArgument, "the model already has an attribute '", bundled.attribute, "'");
  bundled.slot = std::max(root.cls->attributes.size(), root.slot_count());
  WICK_CHECK(bundled.slot == root.cls->attributes.size(), kUnsupported,
             "the model's attributes have no names: inputs cannot be bundled with it");
  std::optional<ClassSource> source = source_of(program);
  known.push_back({method, info});
  std::vector<const ir::Function*> removed;
  if (const ir::Function* old = program.find_method(kInfo)) removed.push_back(old);
  std::vector<std::unique_ptr<ir::Function>> added = bundle::getters(bundled);
  added.push_back(bundle::info_getter(bundled.class_name, known));
  if (source) {
    source->remove_method(kInfo);
    source->append(bundle::getters_source(bundled) + bundle::info_source(bundled.class_name, known));
  }
  std::shared_ptr<const ZipReader> archive = renewed_archive(program, source);
  IValue new_root = root_with(program, all_slots(program), IValue::list(bundled.type->element(0), std::move(stored)));
  ClassInfo& cls = *root.cls;
  cls.attributes.reserve(cls.attributes.size() + 1);
  cls.attribute_types.reserve(cls.attribute_types.size() + 1);
  program.remove_and_add(removed, std::move(added));
  // Nothing throws from here on: the module has all of it or nothing.
  cls.attributes.push_back(std::move(bundled.attribute));
  cls.attribute_types.push_back(std::move(bundled.type));
  program.root = std::move(new_root);
  program.archive = std::move(archive);
  forget_plans(module);
}

bool strip_checked(const Module& module) {
  ir::Program& program = checked_program(module);
  std::optional<ClassSource> source = source_of(program);
  std::vector<const ir::Function*> methods;
  for (const MethodInfo& method : module.methods()) {
    if (!is_bundling_method(method.name)) continue;
    methods.push_back(program.find_method(method.name));
    check_unused(program, *methods.back());
    if (source) source->remove_method(method.name);
  }
  std::vector<size_t> gone, kept;
  const std::vector<std::string>& attributes = program.root.to_object().cls->attributes;
  for (const size_t slot : all_slots(program)) {
    const bool goes = slot < attributes.size() && attributes[slot].starts_with(kAttribute);
    (goes ? gone : kept).push_back(slot);
    if (goes && source) source->remove_attribute(attributes[slot]);
  }
  if (methods.empty() && gone.empty()) return false;
  std::shared_ptr<const ZipReader> archive = renewed_archive(program, source);
  IValue new_root = root_with(program, kept);
  for (const auto& function : program.functions) function->graph.body();  // in memory, to be changed
  program.remove_and_add(methods, {});
  // Nothing throws from here on.
  for (auto slot = gone.rbegin(); slot != gone.rend(); ++slot) remove_attribute(program, *slot);
  program.root = std::move(new_root);
  program.archive = std::move(archive);
  forget_plans(module);
  return true;
}

}  // namespace

void bundle_inputs(Module& module, const std::vector<BundledInput>& inputs, const std::string& method,
                   const std::vector<std::string>& info) {
  with_memory_errors([&] { bundle_checked(module, inputs, method, info); });
}

bool strip_bundled_inputs(Module& module) {
  return with_memory_errors([&] { return strip_checked(module); });
}

}  // namespace wick
