// How modules of torch::nn are printed: "torch::nn::Linear(in_features=2, out_features=3, bias=true)".
#pragma once

#include <ios>
#include <ostream>

namespace wick_compat {

// The name, then fields; the parenthesis closes with the object.
class Printed {
 public:
  Printed(std::ostream& out, const char* name, const char* suffix = "") : out_(out) {
    out_ << "torch::nn::" << name << suffix << "(";
  }
  Printed(const Printed&) = delete;
  ~Printed() { out_ << ")"; }
  template <class T>
  Printed& value(const T& v) {
    separate();
    out_ << v;
    return *this;
  }
  template <class T>
  Printed& field(const char* name, const T& v) {
    separate();
    out_ << name << "=" << v;
    return *this;
  }
  // The stream goes on to write words, as LibTorch leaves it.
  Printed& field(const char* name, bool v) {
    separate();
    out_ << name << "=" << std::boolalpha << v;
    return *this;
  }
  template <class T>
  Printed& field_if(bool shown, const char* name, const T& v) {
    return shown ? field(name, v) : *this;
  }

 private:
  void separate() {
    if (!is_first_) out_ << ", ";
    is_first_ = false;
  }
  std::ostream& out_;
  bool is_first_ = true;
};

}  // namespace wick_compat
