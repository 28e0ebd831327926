// Names of enum members. A pickle stores a member's value only; the class is text in the code records.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "archive/archive.h"
#include "wick/ivalue.h"

namespace wick::lite {

class EnumNames {
 public:
  explicit EnumNames(ZipReader zip) : zip_(std::move(zip)) {}

  // "RED" for the value 1 of "__torch__.Color"; empty when the file does not tell.
  std::string name_of(const std::string& type_name, const IValue& value);

 private:
  struct Member {
    std::string name;
    std::string literal;  // of the value, as printed
  };
  std::vector<Member> read(const std::string& type_name) const;

  ZipReader zip_;
  std::unordered_map<std::string, std::vector<Member>> classes_;
};

}  // namespace wick::lite
