// Hand-made pickles.
#pragma once

#include <string>

namespace wick::test {

using namespace std::string_literals;

inline std::string u32_text(uint32_t v) { return std::string(reinterpret_cast<const char*>(&v), 4); }
inline std::string str(const std::string& s) { return "X" + u32_text(static_cast<uint32_t>(s.size())) + s; }
inline std::string integer(int32_t v) { return "J" + u32_text(static_cast<uint32_t>(v)); }
inline std::string global(const std::string& module, const std::string& name) {
  return "c" + module + "\n" + name + "\n";
}
inline std::string tuple(const std::string& items) { return "(" + items + "t"; }
inline std::string integers(const std::vector<int32_t>& values) {
  std::string out;
  for (int32_t v : values) out += integer(v);
  return tuple(out);
}
inline std::string call(const std::string& module, const std::string& name, const std::string& args) {
  return global(module, name) + tuple(args) + "R";
}
inline std::string list(const std::string& items) { return "](" + items + "e"; }
inline std::string dict(const std::string& items) { return "}(" + items + "u"; }
inline std::string hooks() { return global("collections", "OrderedDict") + ")R"; }
inline std::string storage(const std::string& cls, const std::string& key, int32_t numel) {
  return tuple(str("storage") + global("torch", cls) + str(key) + str("cpu") + integer(numel)) + "Q";
}
// _rebuild_tensor_v2 of a storage.
inline std::string tensor(const std::string& storage, int32_t offset, const std::vector<int32_t>& sizes,
                          const std::vector<int32_t>& strides, const std::string& more = "") {
  return call("torch._utils", "_rebuild_tensor_v2",
              storage + integer(offset) + integers(sizes) + integers(strides) + "\x89" + hooks() + more);
}
inline std::string pickled(const std::string& body) { return "\x80\x02" + body + "."; }

}  // namespace wick::test
