// Names of layers, by the calls that were inlined, by debug records, and by the parameters that operators read.
#include "plan/module_paths.h"

#include "core/tensor_impl.h"
#include "core/value_walk.h"

namespace wick::plan {
namespace {

// Of "Module hierarchy:top(Net)::forward.block(Block)::forward.conv(Conv2d)::forward.aten::conv2d ..."; "" of other
// texts.
std::string path_in(const std::string& text) {
  const std::string_view first = std::string_view(text).substr(0, text.find('\n'));
  if (!first.starts_with("Module hierarchy:top(")) return {};
  std::string path;
  for (size_t at = first.find("::"); at != std::string_view::npos; at = first.find("::", at + 2)) {
    // "forward.conv(Conv2d)"; the last part names the operator instead.
    const size_t dot = first.find('.', at), open = first.find('(', at), next = first.find("::", at + 2);
    if (dot == std::string_view::npos || open == std::string_view::npos || dot > open || open > next) continue;
    path += path.empty() ? "" : ".";
    path += first.substr(dot + 1, open - dot - 1);
  }
  return path;
}

// What a tensor, or packed parameters, are known by; null for other values.
const void* parameter_of(const IValue& v) {
  if (v.is_tensor()) return v.to_tensor().impl();
  return v.is_custom() ? v.ref_or_null() : nullptr;
}

}  // namespace

ModulePaths::ModulePaths(const ir::Program& program, const Inlined& inlined) : program_(program), inlined_(inlined) {
  if (!program.root.is_object()) return;
  try {
    note_attributes();
  } catch (const Error&) {  // objects nest too deeply for names
  }
}

void ModulePaths::note_attributes() {
  walk_attributes(program_.root.to_object(), [&](const Attribute& attribute) {
    if (attribute.value.is_object()) return note(&attribute.value.to_object(), attribute.path);
    const size_t dot = attribute.path.rfind('.');
    const std::string module = dot == std::string::npos ? std::string() : attribute.path.substr(0, dot);
    walk_value(attribute.value, [&](const IValue& v) {
      if (v.is_object()) return Walk::kSkip;
      if (const void* key = parameter_of(v)) note(key, module);
      return Walk::kEnter;
    });
  });
}

void ModulePaths::note(const void* key, const std::string& path) {
  uint64_t& known = path_of_[key];
  if (known != 0) return;
  paths_.push_back(path);
  known = paths_.size();
}

const std::string* ModulePaths::find(const void* key) const {
  const uint64_t* const known = key ? path_of_.find(key) : nullptr;
  return known ? &paths_[*known - 1] : nullptr;
}

std::string ModulePaths::of(const ir::Node& node) const {
  for (int32_t site = node.call_site; site >= 0;
       site = inlined_.function->call_sites[static_cast<size_t>(site)].parent) {
    if (static_cast<size_t>(site) >= inlined_.called.size()) break;
    const std::string* const path = find(inlined_.called[static_cast<size_t>(site)]);
    if (path) return *path;
  }
  if (node.source >= 0 && program_.kind != ir::FileKind::kTorchScript && program_.describe_source) {
    std::string path = path_in(program_.describe_source(node.source));
    if (!path.empty()) return path;
  }
  for (const ir::Value* input : node.inputs) {
    if (!input->def || input->def->kind != ir::NodeKind::kConstant) continue;
    if (const std::string* path = find(parameter_of(input->def->constant))) return *path;
  }
  return {};
}

}  // namespace wick::plan
