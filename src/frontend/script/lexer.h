// Tokens of TorchScript source: Python's, with NEWLINE, INDENT and DEDENT made from the layout.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/script/source_file.h"

namespace wick::script {

enum class TokenKind : uint8_t {
  kEnd,
  kNewline,
  kIndent,
  kDedent,
  kName,  // keywords too
  kInt,
  kFloat,
  kImaginary,  // ends with j
  kString,     // with its quotes
  kSymbol,     // operators and brackets
};

struct Token {
  Token() = default;
  Token(TokenKind k, Position p, std::string_view t) : kind(k), at(p), text(t) {}

  TokenKind kind = TokenKind::kEnd;
  Position at;
  std::string_view text;

  bool is(TokenKind k) const { return kind == k; }
  bool is_symbol(std::string_view s) const { return kind == TokenKind::kSymbol && same(s); }
  bool is_word(std::string_view s) const { return kind == TokenKind::kName && same(s); }

 private:
  // Most comparisons end at the length or the first letter.
  bool same(std::string_view s) const { return text.size() == s.size() && text[0] == s[0] && text == s; }
};

class Lexer {
 public:
  explicit Lexer(const SourceFile& file);

  // The next token; kEnd for ever at the end. Every line that has tokens ends with kNewline, and every kIndent is
  // closed by a kDedent. Throws kCorruptFile naming file and line.
  Token next();

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  Position here() const { return {static_cast<uint32_t>(at_), line_}; }
  Token token(TokenKind kind, size_t length);
  [[noreturn]] void bad(Position at, const std::string& message) const;
  bool begin_line(Token& out);
  void skip_blanks();
  Token number();
  Token string();
  Token symbol();

  const SourceFile& file_;
  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  std::vector<uint32_t> indents_{0};
  size_t dedents_ = 0;          // still to be given
  std::vector<char> brackets_;  // open ones
  bool line_start_ = true;
  bool line_has_tokens_ = false;
};

// The value of a string token, without quotes and with escapes replaced.
std::string string_value(std::string_view literal);

}  // namespace wick::script
