// A parser for the subset of YAML that operator lists use.
#include "select/yaml.h"

#include "core/check.h"

namespace wick::select {
namespace {

struct Line {
  size_t number;
  size_t indent;
  std::string_view text;  // without indent, comment and trailing blanks; never empty
};

// Nesting of a list is at most: document, operators, properties, debug_info, scalar.
constexpr size_t kMaxDepth = 16;

[[noreturn]] void refuse(size_t line, std::string_view what) {
  fail_with<ErrorCode::kInvalidArgument>("line ", line, ": ", what);
}

// Behind the quoted scalar that begins at `at`; npos when it is not closed.
size_t quoted_end(std::string_view text, size_t at) {
  const char quote = text[at];
  while (++at < text.size()) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      if (quote == '"' || at + 1 == text.size() || text[at + 1] != quote) return at + 1;
      ++at;
    }
  }
  return std::string_view::npos;
}

bool is_quote(char c) { return c == '"' || c == '\''; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool ends_word(std::string_view text, size_t at) { return at + 1 == text.size() || is_blank(text[at + 1]); }

// Where a comment begins, or the size: '#' at the start or after a blank, outside of quoted scalars. These begin where
// a scalar can: after the indentation, a dash or a key, and in a flow collection.
size_t comment_start(std::string_view text) {
  bool may_begin = true, in_flow = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#' && (i == 0 || is_blank(text[i - 1]))) return i;
    if (is_blank(c)) continue;
    if (may_begin && is_quote(c)) {
      i = quoted_end(text, i);
      if (i == std::string_view::npos) return text.size();
      --i;
      may_begin = false;
    } else if (may_begin && (c == '[' || c == '{')) {
      in_flow = true;
    } else {
      may_begin =
          (may_begin && c == '-' && ends_word(text, i)) || (c == ':' && ends_word(text, i)) || (in_flow && c == ',');
    }
  }
  return text.size();
}

std::string_view trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<Line> split_lines(std::string_view text) {
  std::vector<Line> lines;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  size_t number = 0;
  while (!text.empty()) {
    ++number;
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view content = trim(whole.substr(0, comment_start(whole)));
    if (content.empty() || content == "---" || content == "...") continue;
    const size_t indent = whole.find_first_not_of(' ');
    if (whole[indent] == '\t') refuse(number, "a tab cannot indent YAML");
    lines.push_back({number, indent, content});
  }
  return lines;
}

std::string unquote(std::string_view text, size_t line) {
  if (text.empty() || !is_quote(text[0])) return std::string(text);
  const size_t end = quoted_end(text, 0);
  if (end == std::string_view::npos) refuse(line, "a quote is not closed");
  if (end != text.size()) refuse(line, "text after the closing quote");
  std::string out;
  for (size_t i = 1; i + 1 < end; ++i) {
    char c = text[i];
    if (text[0] == '\'') {
      i += c == '\'' ? 1 : 0;  // it stands twice
    } else if (c == '\\') {
      c = text[++i];
      if (std::string_view("nt\"\\/").find(c) == std::string_view::npos) {
        refuse(line, cat("the escape \\", c, " has no place in an operator list"));
      }
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    out += c;
  }
  return out;
}

// The colon that ends a key: followed by a blank or the end, outside of quotes. npos when there is none.
size_t key_end(std::string_view text) {
  size_t i = !text.empty() && is_quote(text[0]) ? quoted_end(text, 0) : 0;
  for (; i < text.size(); ++i) {
    if (text[i] == ':' && ends_word(text, i)) return i;
  }
  return std::string_view::npos;
}

bool is_item(std::string_view text) { return text == "-" || text.starts_with("- "); }

class Parser {
 public:
  explicit Parser(std::string_view text) : lines_(split_lines(text)) {}

  YamlNode run() {
    if (lines_.empty()) return {};
    YamlNode node = block(lines_[0].indent, 0);
    if (at_ < lines_.size()) refuse(lines_[at_].number, "the indentation does not fit the lines above");
    return node;
  }

 private:
  YamlNode block(size_t indent, size_t depth) {
    Line& first = lines_[at_];
    if (depth > kMaxDepth) refuse(first.number, "nested too deeply");
    YamlNode node;
    node.line = first.number;
    if (is_item(first.text)) {
      node.kind = YamlNode::Kind::kSequence;
      while (at_ < lines_.size() && lines_[at_].indent == indent && is_item(lines_[at_].text)) {
        Line& line = lines_[at_];
        const std::string_view rest = trim(line.text.substr(1));
        if (rest.empty()) {
          ++at_;
          node.items.push_back(nested(indent + 1, line.number, depth));
        } else if (key_end(rest) != std::string_view::npos && rest[0] != '[' && rest[0] != '{' && !is_item(rest)) {
          // A mapping that begins on the line of its dash.
          line.indent += static_cast<size_t>(rest.data() - line.text.data());
          line.text = rest;
          node.items.push_back(block(line.indent, depth + 1));
        } else {
          node.items.push_back(value(rest, line.number));
          ++at_;
        }
      }
      return node;
    }
    node.kind = YamlNode::Kind::kMapping;
    while (at_ < lines_.size() && lines_[at_].indent == indent && !is_item(lines_[at_].text)) {
      const Line line = lines_[at_++];
      const size_t colon = key_end(line.text);
      if (colon == std::string_view::npos) refuse(line.number, cat("expected 'key: value', got '", line.text, "'"));
      std::string key = unquote(trim(line.text.substr(0, colon)), line.number);
      for (const YamlMember& member : node.members) {
        if (member.key == key) refuse(line.number, cat("'", key, "' is there twice"));
      }
      const std::string_view rest = trim(line.text.substr(colon + 1));
      YamlNode member;
      if (rest.empty()) {
        // The items of a sequence may stand at the indentation of their key.
        const bool same = at_ < lines_.size() && lines_[at_].indent == indent && is_item(lines_[at_].text);
        member = nested(same ? indent : indent + 1, line.number, depth);
      } else {
        member = value(rest, line.number);
      }
      node.members.push_back({std::move(key), std::move(member)});
    }
    return node;
  }

  // The block that begins on the next line if it is indented by `least` or more; null otherwise.
  YamlNode nested(size_t least, size_t line, size_t depth) {
    if (at_ < lines_.size() && lines_[at_].indent >= least) return block(lines_[at_].indent, depth + 1);
    YamlNode node;
    node.line = line;
    return node;
  }

  YamlNode value(std::string_view text, size_t line) {
    YamlNode node;
    node.line = line;
    if (text[0] == '[' || text[0] == '{') {
      const char close = text[0] == '[' ? ']' : '}';
      if (text.back() != close) refuse(line, "a flow collection must end on its line");
      std::string_view inside = trim(text.substr(1, text.size() - 2));
      node.kind = close == ']' ? YamlNode::Kind::kSequence : YamlNode::Kind::kMapping;
      if (close == '}' && !inside.empty()) refuse(line, "a mapping is expected on lines of its own");
      while (!inside.empty()) {
        const size_t quoted = is_quote(inside[0]) ? quoted_end(inside, 0) : 0;
        const size_t comma = std::min(inside.find(',', std::min(quoted, inside.size())), inside.size());
        const std::string_view text_of_item = trim(inside.substr(0, comma));
        if (text_of_item.empty()) refuse(line, "an item of a flow collection is missing");
        node.items.push_back(scalar(text_of_item, line));
        inside = trim(inside.substr(std::min(comma + 1, inside.size())));
      }
      return node;
    }
    return scalar(text, line);
  }

  static YamlNode scalar(std::string_view text, size_t line) {
    if (is_item(text) || text[0] == '[' || text[0] == '{') {
      refuse(line, cat("'", text, "': a collection in another is expected on lines of its own"));
    }
    if (std::string_view("&*!|>").find(text[0]) != std::string_view::npos) {
      refuse(line, cat("'", text, "': anchors, tags and block text have no place in an operator list"));
    }
    YamlNode node;
    node.line = line;
    node.kind = YamlNode::Kind::kScalar;
    node.scalar = unquote(text, line);
    return node;
  }

  std::vector<Line> lines_;
  size_t at_ = 0;
};

}  // namespace

YamlNode parse_yaml(std::string_view text) { return Parser(text).run(); }

std::string yaml_scalar(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_of("\"'#[]{}&*!|>%@`,\n\t\r\\") == std::string::npos &&
                     text.find(": ") == std::string::npos && text.front() != '-' && text.front() != '?' &&
                     text.front() != ' ' && text.back() != ' ' && text.back() != ':';
  if (plain) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace wick::select
