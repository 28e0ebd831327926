// Tokenizes TorchScript source.
#include "frontend/script/lexer.h"

#include <algorithm>
#include <limits>

#include "core/check.h"
#include "core/limits.h"

namespace wick::script {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

constexpr std::string_view kSymbols3[] = {"...", "**=", "//=", "<<=", ">>="};
constexpr std::string_view kSymbols2[] = {
    "->", "**", "//", "<<", ">>", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^="};
constexpr std::string_view kSymbols1 = "()[]{},:.=+-*/%@<>&|^~;";

char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (code >> 18 & 0x7));
    out += static_cast<char>(0x80 | (code >> 12 & 0x3f));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
    out += static_cast<char>(0x80 | (code & 0x3f));
  }
}

// Length of the quotes at the start of a string literal.
size_t quote_length(std::string_view literal) {
  return literal.size() >= 6 && literal[1] == literal[0] && literal[2] == literal[0] ? 3 : 1;
}

}  // namespace

Lexer::Lexer(const SourceFile& file) : file_(file), text_(file.text()) {
  WICK_CHECK(text_.size() < std::numeric_limits<uint32_t>::max(), kLimitExceeded, file.name(), " has ", text_.size(),
             " bytes");
}

void Lexer::bad(Position at, const std::string& message) const { file_.fail_at(at, ErrorCode::kCorruptFile, message); }

Token Lexer::token(TokenKind kind, size_t length) {
  const Token out{kind, here(), text_.substr(at_, length)};
  at_ += length;
  line_has_tokens_ = true;
  return out;
}

// Blanks, comments and escaped line ends; inside brackets line ends too.
void Lexer::skip_blanks() {
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
    } else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 1 : 2;
      ++line_;
    } else if (c == '\n') {
      if (brackets_.empty()) return;
      ++line_;
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\f') {
      return;
    }
  }
}

// Reads indentation and skips empty lines. True when the layout gives a token.
bool Lexer::begin_line(Token& out) {
  uint32_t width = 0;
  while (true) {
    const size_t begin = at_;
    skip_blanks();
    width = static_cast<uint32_t>(at_ - begin);
    if (at_ >= text_.size()) {
      width = 0;
      break;
    }
    if (text_[at_] != '\n') break;
    ++at_;
    ++line_;
  }
  line_start_ = false;
  if (width > indents_.back()) {
    if (indents_.size() > limits::kMaxBlockDepth) {
      file_.fail_at(here(), ErrorCode::kLimitExceeded, cat("blocks are nested deeper than ", limits::kMaxBlockDepth));
    }
    indents_.push_back(width);
    out = {TokenKind::kIndent, here(), {}};
    return true;
  }
  while (width < indents_.back()) {
    indents_.pop_back();
    ++dedents_;
  }
  if (width != indents_.back()) bad(here(), "the indentation fits no block");
  return false;
}

Token Lexer::next() {
  Token layout;
  if (line_start_ && begin_line(layout)) return layout;
  if (dedents_ > 0) {
    --dedents_;
    return {TokenKind::kDedent, here(), {}};
  }
  skip_blanks();
  if (at_ >= text_.size() || (text_[at_] == '\n' && brackets_.empty())) {
    if (at_ >= text_.size() && !brackets_.empty()) bad(here(), cat("'", brackets_.back(), "' is never closed"));
    if (line_has_tokens_) {
      const Token out{TokenKind::kNewline, here(), {}};
      line_has_tokens_ = false;
      line_start_ = true;
      if (at_ < text_.size()) {
        ++at_;
        ++line_;
      }
      return out;
    }
    return {TokenKind::kEnd, here(), {}};
  }
  const char c = text_[at_];
  if (is_name_start(c)) {
    size_t end = at_ + 1;
    while (end < text_.size() && is_name_part(text_[end])) ++end;
    if (end - at_ > limits::kMaxNameLength) bad(here(), cat("a name has ", end - at_, " characters"));
    return token(TokenKind::kName, end - at_);
  }
  if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
  if (c == '"' || c == '\'') return string();
  return symbol();
}

Token Lexer::number() {
  size_t end = at_;
  const auto digit_at = [&](size_t i) { return i < text_.size() && is_digit(text_[i]); };
  TokenKind kind = TokenKind::kInt;
  const char base = static_cast<char>(peek(1) | 0x20);
  if (peek() == '0' && (base == 'x' || base == 'o' || base == 'b')) {
    end += 2;
    while (end < text_.size() && hex_digit(text_[end]) >= 0) ++end;
  } else {
    while (digit_at(end)) ++end;
    if (end < text_.size() && text_[end] == '.') {
      kind = TokenKind::kFloat;
      ++end;
      while (digit_at(end)) ++end;
    }
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      const bool sign = end + 1 < text_.size() && (text_[end + 1] == '+' || text_[end + 1] == '-');
      if (digit_at(end + 1 + (sign ? 1 : 0))) {
        kind = TokenKind::kFloat;
        end += sign ? 2 : 1;
        while (digit_at(end)) ++end;
      }
    }
    if (end < text_.size() && text_[end] == 'j') {
      kind = TokenKind::kImaginary;
      ++end;
    }
  }
  if (end < text_.size() && is_name_part(text_[end])) bad(here(), "a number runs into a name");
  return token(kind, end - at_);
}

Token Lexer::string() {
  const char quote = peek();
  const bool triple = peek(1) == quote && peek(2) == quote;
  const size_t quotes = triple ? 3 : 1;
  const uint32_t first_line = line_;
  size_t end = at_ + quotes;
  while (true) {
    if (end >= text_.size() || (text_[end] == '\n' && !triple)) {
      bad({static_cast<uint32_t>(at_), first_line}, "a string has no end");
    }
    if (text_[end] == '\n') ++line_;
    if (text_[end] == '\\') {
      if (end + 1 < text_.size() && text_[end + 1] == '\n') ++line_;
      end += 2;
    } else if (text_[end] == quote &&
               (!triple || (end + 2 < text_.size() && text_[end + 1] == quote && text_[end + 2] == quote))) {
      break;
    } else {
      ++end;
    }
  }
  Token out = token(TokenKind::kString, end + quotes - at_);
  out.at.line = first_line;
  return out;
}

Token Lexer::symbol() {
  const std::string_view rest = text_.substr(at_, 3);
  for (std::string_view s : kSymbols3) {
    if (rest == s) return token(TokenKind::kSymbol, 3);
  }
  for (std::string_view s : kSymbols2) {
    if (rest.starts_with(s)) return token(TokenKind::kSymbol, 2);
  }
  const char c = rest[0];
  if (kSymbols1.find(c) == std::string_view::npos) {
    const bool printable = c > ' ' && c < 0x7f;
    bad(here(), printable ? cat("unexpected character '", c, "'")
                          : cat("unexpected byte ", static_cast<int>(static_cast<unsigned char>(c))));
  }
  if (c == '(' || c == '[' || c == '{') {
    brackets_.push_back(c);
  } else if (c == ')' || c == ']' || c == '}') {
    if (brackets_.empty()) bad(here(), cat("'", c, "' closes nothing"));
    if (closing(brackets_.back()) != c) bad(here(), cat("'", c, "' closes '", brackets_.back(), "'"));
    brackets_.pop_back();
  }
  return token(TokenKind::kSymbol, 1);
}

std::string string_value(std::string_view literal) {
  const size_t quotes = quote_length(literal);
  const std::string_view body = literal.substr(quotes, literal.size() - 2 * quotes);
  std::string out;
  out.reserve(body.size());
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] != '\\' || i + 1 >= body.size()) {
      out += body[i];
      continue;
    }
    const char c = body[++i];
    constexpr std::string_view kNames = "abfnrtv\\'\"";
    constexpr std::string_view kValues = "\a\b\f\n\r\t\v\\'\"";
    if (const size_t simple = kNames.find(c); simple != std::string_view::npos) {
      out += kValues[simple];
    } else if (c == '\n') {
      continue;
    } else if (c >= '0' && c <= '7') {
      int value = 0;
      size_t digits = 0;
      for (; digits < 3 && i + digits < body.size() && body[i + digits] >= '0' && body[i + digits] <= '7'; ++digits) {
        value = value * 8 + (body[i + digits] - '0');
      }
      i += digits - 1;
      out += static_cast<char>(value);
    } else if (c == 'x' || c == 'u' || c == 'U') {
      const size_t wanted = c == 'x' ? 2 : c == 'u' ? 4 : 8;
      uint32_t value = 0;
      size_t digits = 0;
      for (; digits < wanted && i + 1 + digits < body.size() && hex_digit(body[i + 1 + digits]) >= 0; ++digits) {
        value = value * 16 + static_cast<uint32_t>(hex_digit(body[i + 1 + digits]));
      }
      if (digits == wanted) {
        i += digits;
        append_utf8(out, value);
      } else {
        out += '\\';
        out += c;
      }
    } else {
      out += '\\';
      out += c;
    }
  }
  return out;
}

}  // namespace wick::script
