// The operator table: every family's list, and the index over them.
#include <mutex>

#include "core/once.h"
#include "core/selection.h"
#include "core/word_map.h"
#include "ops/families.h"
#include "ops/op_entry.h"

namespace wick {

namespace {

const OpFamily* const kFamilies[] = {
#define X(family) &family,
    WICK_OP_FAMILIES(X)
#undef X
};

void each_entry(const Callback<void(const OpEntry&)>& visit) {
  for (const OpFamily* family : kFamilies) {
    for (const OpEntry& entry : family->entries) visit(entry);
  }
}

// Full name -> entry, built at the first look-up; operators are parsed when they are first asked for.
class Index {
 public:
  Index() {
    for (const OpFamily* family : kFamilies) {
      if (family->forms.types) forms_.types = family->forms.types;
      if (family->forms.defaults) forms_.defaults = family->forms.defaults;
    }
    each_entry([this](const OpEntry& entry) {
      uint64_t& known = entries_[schema_full_name(entry.schema)];
      if (known == 0) known = reinterpret_cast<uintptr_t>(&entry);
    });
  }

  const Operator* find(std::string_view full_name) {
    const auto* entry = reinterpret_cast<const OpEntry*>(entries_.get(full_name));
    if (!entry) return nullptr;
    std::lock_guard lock(mutex_);
    uint64_t& op = parsed_[entry];
    if (op == 0)
      op = reinterpret_cast<uintptr_t>(new Operator(parse_schema(entry->schema, forms_), entry->call, entry->traits));
    return reinterpret_cast<const Operator*>(op);
  }

 private:
  SchemaForms forms_;  // of all families
  NameMap entries_;    // addresses of entries
  WordMap parsed_;     // by entry: addresses of operators, which are never destroyed
  std::mutex mutex_;
};

Index& index() {
  static constinit Index* instance = nullptr;  // never destroyed: operators outlive static destruction
  static constinit Once made;
  made.call([] { instance = new Index; });
  return *instance;
}

}  // namespace

constinit std::atomic<const CustomOperators*> custom_operators{nullptr};

const Operator* find_operator(std::string_view full_name) {
  const Operator* found = index().find(full_name);
  if (found) return found;
  const CustomOperators* custom = custom_operators.load(std::memory_order_acquire);
  return custom ? custom->find(full_name) : nullptr;
}

const Operator* find_operator(std::string_view name, std::string_view overload) {
  if (overload.empty()) return find_operator(name);
  return find_operator(cat(name, ".", overload));
}

std::vector<const OpEntry*> all_operator_entries() {
  std::vector<const OpEntry*> out;
  each_entry([&out](const OpEntry& entry) { out.push_back(&entry); });
  return out;
}

std::vector<std::string_view> all_operator_schemas() {
  std::vector<std::string_view> out;
  for (const OpEntry* entry : all_operator_entries()) out.emplace_back(entry->schema);
  return out;
}

std::string advice_on_missing() {
  constexpr std::string_view list = build::kListName;
  if (list.empty()) return {};
  return cat("\nThis is a selective build of ", list, ". To add what a model needs: wick trace MODEL --merge ", list,
             " --output ", list, "; then build again with -DWICK_SELECTED_OP_LIST=", list);
}

void refuse_dtype(const char* op, DType dtype) {
  fail_with<ErrorCode::kUnsupported>("\"", op, "\" for '", name_of(dtype), "' is not in this build",
                                     advice_on_missing());
}

std::vector<IValue> call_operator(std::string_view full_name, std::vector<IValue> args) {
  const Operator* op = find_operator(full_name);
  WICK_CHECK(op, kMissingOperator, "operator ", full_name, " is not in this build", advice_on_missing());
  const FunctionSchema& schema = op->schema;
  if (!schema.is_vararg) {
    WICK_CHECK(args.size() <= schema.arguments.size(), kInvalidArgument, full_name, " takes ", schema.arguments.size(),
               " arguments, got ", args.size());
    for (size_t i = args.size(); i < schema.arguments.size(); ++i) {
      const Argument& arg = schema.arguments[i];
      WICK_CHECK(arg.has_default, kInvalidArgument, full_name, " is missing argument '", arg.name, "'");
      args.push_back(arg.default_value);
    }
  }
  std::vector<IValue> rets(schema.is_varret ? 1 : schema.returns.size());
  op->call(args.data(), args.size(), rets.data());
  return rets;
}

}  // namespace wick
