// torch::serialize::OutputArchive: named values as a TorchScript module without methods.
#include <torch/serialize.h>

#include <fstream>
#include <set>

#include "bridge.h"
#include "emit/torchscript.h"
#include "ir/program.h"

namespace torch {
namespace serialize {
using namespace wick_compat;

// A module: what it holds, in the order it was written.
struct OutputArchive::Node {
  struct Entry {
    std::string key;
    at::IValue value;
    std::shared_ptr<Node> nested;  // instead of the value, if set
    bool is_parameter, is_buffer;
  };
  std::vector<Entry> entries;

  void add(Entry entry) {
    for (const Entry& e : entries) TORCH_CHECK(e.key != entry.key, "the archive has the key '", entry.key, "' already");
    entries.push_back(std::move(entry));
  }
};

namespace {

constexpr int64_t kFileVersion = 3;  // what LibTorch writes for modules whose operators are as old

class Builder {
 public:
  std::shared_ptr<wick::ir::Program> run(const OutputArchive::Node& root) {
    program_->kind = wick::ir::FileKind::kTorchScript;
    program_->operator_version = kFileVersion;
    program_->root = object(root, 0);
    return program_;
  }

 private:
  static constexpr size_t kMaxDepth = 256;

  wick::IValue object(const OutputArchive::Node& node, size_t depth) {
    TORCH_CHECK(depth < kMaxDepth, "archives are nested more than ", kMaxDepth, " deep");
    auto cls = std::make_shared<wick::ClassInfo>();
    cls->name =
        classes_ == 0 ? "__torch__.Module" : "__torch__.___torch_mangle_" + std::to_string(classes_ - 1) + ".Module";
    ++classes_;
    auto made = wick::make_ref<wick::ObjectImpl>();
    wick::ir::TensorRoles roles;
    for (const OutputArchive::Node::Entry& e : node.entries) {
      const wick::IValue value = e.nested ? object(*e.nested, depth + 1) : w(e.value);
      if (e.is_parameter) roles.parameters.insert(e.key);
      if (e.is_buffer) roles.buffers.insert(e.key);
      cls->attributes.push_back(e.key);
      cls->attribute_types.push_back(value.is_object() ? wick::types::class_type(value.to_object().cls->name)
                                                       : value.type());
      made->set(cls->attributes.size() - 1, value);
    }
    made->cls = cls;
    program_->classes.put(cls);
    program_->roles[cls->name] = std::move(roles);
    return wick::IValue(std::move(made));
  }

  std::shared_ptr<wick::ir::Program> program_ = std::make_shared<wick::ir::Program>();
  size_t classes_ = 0;
};

}  // namespace

OutputArchive::OutputArchive() : root_(std::make_shared<Node>()) {}
void OutputArchive::write(const std::string& key, const at::IValue& value) {
  root_->add({key, value, nullptr, false, false});
}
void OutputArchive::write(const std::string& key, const at::Tensor& tensor, bool is_buffer) {
  root_->add({key, at::IValue(tensor), nullptr, !is_buffer, is_buffer});
}
void OutputArchive::write(const std::string& key, OutputArchive& nested) {
  root_->add({key, at::IValue(), nested.root_, false, false});
}

void OutputArchive::save_to(const std::function<size_t(const void*, size_t)>& func) {
  std::vector<uint8_t> bytes;
  try {
    bytes = wick::emit::torchscript_container(*Builder().run(*root_), {}, "archive");
  } catch (...) {
    rethrow();
  }
  TORCH_CHECK(func(bytes.data(), bytes.size()) == bytes.size(), "writing the archive failed");
}
void OutputArchive::save_to(std::ostream& stream) {
  save_to([&](const void* data, size_t size) -> size_t {
    stream.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
    return stream ? size : 0;
  });
}
void OutputArchive::save_to(const std::string& filename) {
  std::ofstream out(filename, std::ios::binary);
  TORCH_CHECK(out, "open file failed, file path: ", filename);
  save_to(out);
}

}  // namespace serialize
}  // namespace torch
