// Instructions of a protocol-2 pickle, appended to bytes.
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wick {

class PickleWriter {
 public:
  PickleWriter();

  void none() { op('N'); }
  void boolean(bool v) { op(v ? 0x88 : 0x89); }
  void integer(int64_t v);
  void floating(double v);
  void complex(std::complex<double> v);
  void text(std::string_view v);
  void mark() { op('('); }
  void tuple() { op('t'); }  // of what stands after the mark
  void empty_tuple() { op(')'); }
  void empty_list() { op(']'); }
  void appends() { op('e'); }
  void empty_dict() { op('}'); }
  void set_items() { op('u'); }
  void reduce() { op('R'); }
  void new_object() { op(0x81); }
  void build() { op('b'); }
  void persistent_id() { op('Q'); }
  void stop() { op('.'); }

  // Remembers the value on top and gives the number to recall it by.
  uint32_t put();
  void get(uint32_t memo);
  // A global or a string that is remembered by its text.
  void global(std::string_view module, std::string_view name);
  void shared_text(std::string_view v);

  const std::vector<uint8_t>& bytes() const { return out_; }

 private:
  void op(uint8_t v) { out_.push_back(v); }
  void little_endian(uint64_t v, size_t n);
  bool recall(const std::string& what);

  std::vector<uint8_t> out_;
  uint32_t next_memo_ = 0;
  std::unordered_map<std::string, uint32_t> known_;
};

}  // namespace wick
