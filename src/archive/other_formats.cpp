// Formats that are not PyTorch's models, by the marks that their definitions give.
#include "archive/other_formats.h"

#include <cstring>

namespace wick {
namespace {

struct Mark {
  size_t offset;
  std::string_view bytes;
  const char* what;
};

constexpr const char* kUnpack = "a compressed file or an archive of files: unpack it first";
constexpr const char* kPage = "a web page, not the model behind it: download the file itself";

constexpr Mark kMarks[] = {
    {4, "TFL3", "a LiteRT (TensorFlow Lite) model: export the PyTorch model that it was made of"},
    {4, "ET1", "an ExecuTorch program (.pte): export the PyTorch model that it was made of"},
    {0, "GGUF", "a GGUF file, which holds weights and no code: export the PyTorch model"},
    {0, "\x89HDF\r\n", "an HDF5 file (Keras), not a PyTorch model"},
    {0, "7767517", "an ncnn model: export the PyTorch model that it was made of"},
    {0, "version https://git-lfs", "a pointer of Git LFS, not the file itself: run 'git lfs pull'"},
    {0, "<!DOCTYPE", kPage},
    {0, "<!doctype", kPage},
    {0, "<html", kPage},
    {0, "\x1f\x8b", kUnpack},
    {0, "BZh", kUnpack},
    {0,
     "\xfd"
     "7zXZ",
     kUnpack},
    {0, "7z\xbc\xaf\x27\x1c", kUnpack},
    {257, "ustar", kUnpack},
};

bool has_at(Bytes bytes, size_t offset, std::string_view mark) {
  return bytes.size() >= offset + mark.size() && std::memcmp(bytes.data() + offset, mark.data(), mark.size()) == 0;
}

// A header of JSON behind its length.
bool is_safetensors(Bytes bytes) {
  if (bytes.size() < 10 || bytes[8] != '{') return false;
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | bytes[static_cast<size_t>(i)];
  return length >= 2 && length <= bytes.size() - 8;
}

// A protocol buffer whose first field is a small ir_version, followed by one of ModelProto's other fields: the
// producer's name (2), the graph (7) or the sets of operators (8).
bool is_onnx(Bytes bytes) {
  return bytes.size() >= 16 && bytes[0] == 0x08 && bytes[1] >= 1 && bytes[1] < 32 &&
         (bytes[2] == 0x12 || bytes[2] == 0x3a || bytes[2] == 0x42);
}

}  // namespace

const char* describe_other_format(Bytes bytes) {
  if (bytes.size() >= 2 && bytes[0] == 0x80 && bytes[1] >= 2 && bytes[1] <= 5) {
    return "a pickle (torch.save), not a model with its code: save the model with "
           "torch.jit.script(model)._save_for_lite_interpreter(path)";
  }
  for (const Mark& mark : kMarks) {
    if (has_at(bytes, mark.offset, mark.bytes)) return mark.what;
  }
  if (is_onnx(bytes)) return "an ONNX model: export the PyTorch model that it was made of";
  if (is_safetensors(bytes)) {
    return "a safetensors file, which holds weights and no code: load them into the PyTorch model and export that";
  }
  return nullptr;
}

}  // namespace wick
