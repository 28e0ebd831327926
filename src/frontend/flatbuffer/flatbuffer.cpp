// Loads flatbuffer mobile modules.
#include "frontend/flatbuffer/flatbuffer.h"

#include <algorithm>

#include "frontend/bytecode/decode.h"
#include "frontend/bytecode/lift.h"
#include "frontend/bytecode/objects.h"
#include "frontend/flatbuffer/schema.h"
#include "frontend/flatbuffer/table.h"
#include "frontend/flatbuffer/tensors.h"
#include "frontend/flatbuffer/upgraders.h"

namespace wick {

namespace flatbuffer {

namespace {

constexpr int64_t kNewestOperatorVersion = 10;

class Loader {
 public:
  Loader(Ref<ByteSource> source, const LoadOptions& options, const RunSetState& run)
      : source_(std::move(source)),
        buffer_(source_->bytes()),
        options_(options),
        program_(std::make_shared<ir::Program>()),
        objects_(*program_, run, options.allow_missing_operators),
        module_(Table::root(buffer_)),
        tensors_(source_, module_),
        object_type_tables_(module_.vector(ModuleFields::kObjectTypes, 4)),
        object_types_(object_type_tables_.count) {}

  std::shared_ptr<ir::Program> load() {
    program_->kind = ir::FileKind::kFlatbuffer;
    read_versions();
    read_values();
    program_->root = value(module_.number<uint32_t>(ModuleFields::kStateObject, 0), values_.size());
    WICK_CHECK(program_->root.is_object(), kCorruptFile, "flatbuffer: the state is not a module but ",
               program_->root.tag_name());
    name_upgraders(functions_, context_);
    for (lite::BytecodeFunction& f : functions_) program_->add(lite::lift_for_plans(std::move(f), context_));
    if (!options_.allow_missing_operators) lite::refuse_missing(context_, *program_);
    const Vector files = module_.vector(ModuleFields::kExtraFiles, 4);
    for (size_t i = 0; i < files.count; ++i) {
      const Table file = module_.table_of(files, i);
      program_->extra_files[std::string(file.string(ExtraFileFields::kName))] = file.string(ExtraFileFields::kContent);
    }
    return program_;
  }

 private:
  void read_versions() {
    program_->bytecode_version = module_.number<uint32_t>(ModuleFields::kBytecodeVersion, 0);
    program_->operator_version = module_.number<uint32_t>(ModuleFields::kOperatorVersion, 0);
    lite::check_bytecode_version(program_->bytecode_version);
    WICK_CHECK(program_->operator_version <= kNewestOperatorVersion, kUnsupportedVersion,
               "Attempted to read a PyTorch file with operator version ", program_->operator_version,
               ", but the newest supported for reading is ", kNewestOperatorVersion);
    context_.bytecode_version = program_->bytecode_version;
    context_.operator_version = program_->operator_version;
    context_.classes = &program_->classes;
  }

  void read_values() {
    const Vector entries = module_.vector(ModuleFields::kIValues, 4);
    // Values after these belong to the TorchScript form of the model, which may stand in the same file.
    const size_t mobile = module_.number<uint32_t>(ModuleFields::kMobileIValueCount, 0);
    const size_t count = mobile > 0 ? std::min(mobile, entries.count) : entries.count;
    values_.reserve(count);
    for (size_t i = 0; i < count; ++i) values_.push_back(read_value(module_.table_of(entries, i), i));
  }

  // Values stand after those they are made of.
  const IValue& value(uint32_t index, size_t before) const {
    WICK_CHECK(index < before, kCorruptFile, "flatbuffer: value ", index, " is used ",
               before == values_.size() ? "but there are only " : "by value ", before);
    return values_[index];
  }
  std::vector<IValue> values_of(const Vector& indices, size_t before) const {
    std::vector<IValue> out;
    out.reserve(indices.count);
    for (size_t i = 0; i < indices.count; ++i) out.push_back(value(indices.at<uint32_t>(i), before));
    return out;
  }

  IValue read_value(const Table& entry, size_t index) {
    const auto tag = static_cast<Tag>(entry.number<uint8_t>(IValueFields::kTag, 0));
    if (tag == Tag::kNone) return {};
    const uint64_t at = entry.target(IValueFields::kValue);
    WICK_CHECK(at != 0, kCorruptFile, "flatbuffer: value ", index, " is empty");
    switch (tag) {
      case Tag::kInt:
        return IValue(buffer_.read<int64_t>(at, "an int"));
      case Tag::kBool:
        return IValue(buffer_.read<uint8_t>(at, "a bool") != 0);
      case Tag::kDouble:
        return IValue(buffer_.read<double>(at, "a float"));
      case Tag::kComplexDouble: {
        const auto real = buffer_.read<double>(at, "a complex number");
        return IValue(std::complex<double>(real, buffer_.read<double>(at + 8, "a complex number")));
      }
      default:
        return read_table(tag, Table(buffer_, at), index);
    }
  }

  IValue read_table(Tag tag, const Table& t, size_t index) {
    switch (tag) {
      case Tag::kTensor:
        return IValue(tensors_.read(t));
      case Tag::kString:
        return IValue(t.string(0));
      case Tag::kDevice:
        return read_device(t.string(0));
      case Tag::kList: {
        const TypePtr type = annotation(t.string(ListFields::kType));
        return IValue::list(type->is(TypeKind::kList) ? type->element(0) : types::any(),
                            values_of(t.vector(ListFields::kItems, 4), index));
      }
      case Tag::kTuple:
        return IValue::tuple(values_of(t.vector(0, 4), index));
      case Tag::kDict:
        return read_dict(t, index);
      case Tag::kObject:
        return read_object(t, index);
      case Tag::kIntList: {
        const Vector items = t.vector(0, 8);
        IntVec out;
        for (size_t i = 0; i < items.count; ++i) out.push_back(items.at<int64_t>(i));
        return IValue::int_list(out);
      }
      case Tag::kDoubleList: {
        const Vector items = t.vector(0, 8);
        std::vector<double> out(items.count);
        for (size_t i = 0; i < items.count; ++i) out[i] = items.at<double>(i);
        return IValue::double_list(out);
      }
      case Tag::kBoolList: {
        const Vector items = t.vector(0, 1);
        std::vector<bool> out(items.count);
        for (size_t i = 0; i < items.count; ++i) out[i] = items.at<uint8_t>(i) != 0;
        return IValue::bool_list(out);
      }
      case Tag::kEnum:
        return objects_.enumeration(std::string(t.string(EnumFields::kTypeName)), {},
                                    value(t.number<uint32_t>(EnumFields::kValue, 0), index));
      case Tag::kFunction:
        read_function(t, index);
        return {};
      default:
        fail_with<ErrorCode::kCorruptFile>("flatbuffer: value ", index, " has unknown kind ", static_cast<int>(tag));
    }
  }

  static IValue read_device(std::string_view text) {
    try {
      return IValue(Device::parse(text));
    } catch (const Error& e) {
      fail_with<ErrorCode::kCorruptFile>("flatbuffer: ", e.message());
    }
  }

  TypePtr annotation(std::string_view text) {
    return text.empty() ? types::any() : lite::decode_type(std::string(text), named_);
  }

  IValue read_dict(const Table& t, size_t index) {
    const Vector keys = t.vector(DictFields::kKeys, 4);
    const Vector values = t.vector(DictFields::kValues, 4);
    WICK_CHECK(keys.count == values.count, kCorruptFile, "flatbuffer: a dict has ", keys.count, " keys and ",
               values.count, " values");
    const TypePtr type = annotation(t.string(DictFields::kType));
    auto dict = make_ref<DictImpl>();
    dict->key_type = type->is(TypeKind::kDict) ? type->element(0) : types::any();
    dict->value_type = type->is(TypeKind::kDict) ? type->element(1) : types::any();
    for (size_t i = 0; i < keys.count; ++i) {
      dict->set(value(keys.at<uint32_t>(i), index), value(values.at<uint32_t>(i), index));
    }
    return IValue(Ref<DictImpl>(dict));
  }

  struct ObjectType {
    ObjectKind kind = ObjectKind::kUnset;
    std::shared_ptr<ClassInfo> cls;
  };

  const ObjectType& object_type(uint32_t index) {
    WICK_CHECK(index < object_types_.size(), kCorruptFile, "flatbuffer: object type ", index,
               " does not exist, there are ", object_types_.size());
    ObjectType& out = object_types_[index];
    if (out.cls) return out;
    const Table type = module_.table_of(object_type_tables_, index);
    const Vector name_offsets = type.vector(ObjectTypeFields::kAttributeNames, 4);
    const auto cls = std::make_shared<ClassInfo>();
    cls->name = type.string(ObjectTypeFields::kName);
    for (size_t i = 0; i < name_offsets.count; ++i) cls->attributes.emplace_back(type.string_of(name_offsets, i));
    out.kind = static_cast<ObjectKind>(type.number<uint8_t>(ObjectTypeFields::kKind, 0));
    out.cls = objects_.class_info(cls);
    return out;
  }

  IValue read_object(const Table& t, size_t index) {
    const ObjectType& type = object_type(t.number<uint32_t>(ObjectFields::kType, 0));
    const std::string& name = type.cls->name;
    if (type.kind == ObjectKind::kAttributes) {
      std::vector<IValue> values = values_of(t.vector(ObjectFields::kAttributes, 4), index);
      WICK_CHECK(type.cls->attributes.size() == values.size(), kCorruptFile, "flatbuffer: object of class ", name,
                 " has ", values.size(), " attributes, its class ", type.cls->attributes.size());
      auto object = make_ref<ObjectImpl>();
      object->cls = type.cls;
      for (size_t i = 0; i < values.size(); ++i) objects_.set_attribute(*object, i, values[i]);
      return IValue(Ref<ObjectImpl>(object));
    }
    const IValue& state = value(t.number<uint32_t>(ObjectFields::kState, 0), index);
    if (type.kind == ObjectKind::kCustom) return objects_.custom(name, state);
    WICK_CHECK(type.kind == ObjectKind::kSetState, kCorruptFile, "flatbuffer: class ", name, " has unknown kind ",
               static_cast<int>(type.kind));
    ir::Function* setstate = program_->find(name + ".__setstate__");
    WICK_CHECK(setstate, kCorruptFile, "flatbuffer: the __setstate__ of class ", name, " stands after its object");
    return objects_.restored(type.cls, *setstate, state);
  }

  void read_function(const Table& t, size_t index) {
    lite::BytecodeFunction f;
    f.name = t.string(FunctionFields::kName);
    const Vector code = t.vector(FunctionFields::kInstructions, kInstructionSize);
    for (size_t i = 0; i < code.count; ++i) {
      const uint64_t at = code.begin + i * kInstructionSize;
      f.instructions.push_back({buffer_.read<uint8_t>(at, "an instruction"),
                                buffer_.read<uint16_t>(at + 2, "an instruction"),
                                buffer_.read<int32_t>(at + 4, "an instruction")});
    }
    const Vector operators = t.vector(FunctionFields::kOperators, 4);
    for (size_t i = 0; i < operators.count; ++i) {
      const Table op = t.table_of(operators, i);
      f.operators.push_back({std::string(op.string(OperatorFields::kName)),
                             std::string(op.string(OperatorFields::kOverload)),
                             std::max(-1, op.number<int32_t>(OperatorFields::kArgumentCount, -1))});
    }
    f.constants = values_of(t.vector(FunctionFields::kConstants, 4), index);
    const Vector type_texts = t.vector(FunctionFields::kTypes, 4);
    for (size_t i = 0; i < type_texts.count; ++i) f.types.push_back(annotation(t.string_of(type_texts, i)));
    f.register_size = t.number<int32_t>(FunctionFields::kRegisterSize, 0);
    if (const std::optional<Table> schema = t.table(FunctionFields::kSchema)) {
      f.has_schema = true;
      f.schema.name = f.name;
      f.schema.arguments = read_arguments(*schema, SchemaFields::kArguments, index);
      f.schema.returns = read_arguments(*schema, SchemaFields::kReturns, index);
      if (!f.schema.arguments.empty()) f.schema.arguments[0].has_default = false;
    }
    if (f.name.ends_with(".__setstate__")) {
      name_upgraders({&f, 1}, context_);
      program_->add(lite::lift(f, context_));
      if (!options_.allow_missing_operators) lite::refuse_missing(context_, *program_);
    } else {
      functions_.push_back(std::move(f));
    }
  }

  std::vector<Argument> read_arguments(const Table& schema, int slot, size_t index) {
    std::vector<Argument> out;
    const Vector entries = schema.vector(slot, 4);
    for (size_t i = 0; i < entries.count; ++i) {
      const Table arg = schema.table_of(entries, i);
      Argument& argument = out.emplace_back(Argument());
      argument.name = arg.string(ArgumentFields::kName);
      argument.type = annotation(arg.string(ArgumentFields::kType));
      lite::set_default(argument, value(arg.number<uint32_t>(ArgumentFields::kDefault, 0), index));
    }
    return out;
  }

  Ref<ByteSource> source_;
  Buffer buffer_;
  const LoadOptions& options_;
  std::shared_ptr<ir::Program> program_;
  lite::ObjectFactory objects_;
  lite::LiftContext context_;
  lite::NamedTypes named_;
  Table module_;
  TensorReader tensors_;
  Vector object_type_tables_;
  std::vector<ObjectType> object_types_;  // read when first used
  std::vector<IValue> values_;
  std::vector<lite::BytecodeFunction> functions_;
};

}  // namespace

}  // namespace flatbuffer

std::shared_ptr<ir::Program> load_flatbuffer(Ref<ByteSource> source, const LoadOptions& options,
                                             const RunSetState& run) {
  const Bytes bytes = source->bytes();
  WICK_CHECK(bytes.size() >= 8 && std::memcmp(bytes.data() + 4, "PTMF", 4) == 0, kCorruptFile,
             "the file is not a flatbuffer module: its identifier is not PTMF");
  return flatbuffer::Loader(std::move(source), options, run).load();
}

}  // namespace wick
