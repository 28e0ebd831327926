// The YAML of operator lists: what is read is what tests/data/select/yaml_cases.txt says, as by
// scripts/select_build.py, which tests/select/yaml_test.py holds to the same cases.
#include "select/yaml.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "wick/error.h"

namespace wick::select {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n' || c == '\t') {
      out += c == '\n' ? "\\n" : "\\t";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

std::string json(const YamlNode& node) {
  std::string out;
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "null";
    case YamlNode::Kind::kScalar:
      return quoted(node.scalar);
    case YamlNode::Kind::kSequence:
      for (const YamlNode& item : node.items) out += (out.empty() ? "" : ",") + json(item);
      return "[" + out + "]";
    case YamlNode::Kind::kMapping:
      for (const YamlMember& m : node.members) out += (out.empty() ? "" : ",") + quoted(m.key) + ":" + json(m.value);
      return "{" + out + "}";
  }
  return "?";
}

std::string outcome(const std::string& text) {
  try {
    return "gives " + json(parse_yaml(text));
  } catch (const Error& e) {
    const std::string message = e.what();
    const size_t line = message.find("line ");
    return line == std::string::npos ? message : "refuses " + message.substr(line, message.find(':', line) - line);
  }
}

TEST(Yaml, ReadsWhatTheCasesSay) {
  std::ifstream file(WICK_TEST_DATA "/select/yaml_cases.txt");
  std::string line, name, text;
  int cases = 0;
  while (std::getline(file, line)) {
    if (!line.starts_with("### ")) {
      text += line + "\n";
    } else if (line.starts_with("### gives ") || line.starts_with("### refuses ")) {
      EXPECT_EQ(outcome(text), line.substr(4)) << name;
      ++cases;
    } else {
      name = line.substr(4);
      text.clear();
    }
  }
  EXPECT_GT(cases, 20);
}

TEST(Yaml, WhatIsWrittenIsReadAgain) {
  for (const char* text : {"plain", "it's", "a # b", "a \" # b", "a: b", "a:", "- a", "[a]", "a,b", "back\\slash",
                           "two\nlines", "tab\there", "line\r", " blank ", ""}) {
    const YamlNode list = parse_yaml("- " + yaml_scalar(text));
    ASSERT_EQ(list.items.size(), 1u) << text;
    EXPECT_EQ(list.items[0].scalar, text);
    const YamlNode map = parse_yaml(yaml_scalar(text) + ": 1");
    ASSERT_EQ(map.members.size(), 1u) << text;
    EXPECT_EQ(map.members[0].key, text);
  }
}

}  // namespace
}  // namespace wick::select
