// Changes to pickles and source text that keep their grammar, so that what is changed is read further than its first
// byte.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/feed.h"

namespace wick::fuzz {

inline constexpr int64_t kNumbers[] = {0,         1,
                                       -1,        2,
                                       3,         7,
                                       100,       255,
                                       256,       65535,
                                       65536,     1 << 20,
                                       -2,        INT32_MAX,
                                       INT32_MIN, INT64_MAX,
                                       INT64_MIN, int64_t{1} << 40,
                                       1 << 14,   -(int64_t{1} << 33)};

// Opcodes with their operands, as far as the pickle can be taken apart.
inline std::vector<std::string> pickle_parts(const std::string& bytes) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < bytes.size();) {
    const auto left = bytes.size() - at;
    const auto number = [&](size_t offset, size_t size) {
      uint64_t n = 0;
      if (offset + size <= left) std::memcpy(&n, &bytes[at + offset], size);
      return static_cast<size_t>(n);
    };
    size_t size = 1;
    switch (bytes[at]) {
      case 'K':
      case 'q':
      case 'h':
      case '\x80':
        size = 2;
        break;
      case 'M':
        size = 3;
        break;
      case 'J':
      case 'r':
      case 'j':
        size = 5;
        break;
      case 'G':
        size = 9;
        break;
      case 'X':
        size = 5 + std::min(number(1, 4), left);
        break;
      case '\x8a':
        size = 2 + number(1, 1);
        break;
      case 'c': {
        const size_t first = bytes.find('\n', at);
        const size_t second = first == std::string::npos ? first : bytes.find('\n', first + 1);
        size = second == std::string::npos ? left : second + 1 - at;
        break;
      }
      default:
        break;
    }
    parts.push_back(bytes.substr(at, std::min(size, left)));
    at += size;
  }
  return parts;
}

inline std::string pickled_int(int64_t value) {
  std::string out = "\x8a\x08";
  out.append(reinterpret_cast<const char*>(&value), 8);
  return out;
}

inline void edit_pickle(std::string& bytes, ByteFeed& feed) {
  std::vector<std::string> parts = pickle_parts(bytes);
  if (parts.size() < 3) return;
  const size_t at = 1 + feed.below(parts.size() - 2);
  const auto find = [&](auto&& wanted) {
    for (size_t i = 0; i < parts.size() - 2; ++i) {
      const size_t place = 1 + (at - 1 + i) % (parts.size() - 2);
      if (wanted(parts[place][0])) return place;
    }
    return at;
  };
  const auto is_int = [](char c) { return c == 'K' || c == 'M' || c == 'J' || c == '\x8a'; };
  const auto is_get = [](char c) { return c == 'h' || c == 'j'; };
  const auto is_text = [](char c) { return c == 'X'; };
  switch (feed.below(8)) {
    case 0:
      parts[find(is_int)] = pickled_int(feed.pick(kNumbers));
      break;
    case 1: {  // near what was there: another instruction's operand, slot, size
      std::string& part = parts[find(is_int)];
      if (part.size() >= 2) part[1] = static_cast<char>(part[1] + feed.small() % 4);
      break;
    }
    case 2: {  // another value met before
      std::string& part = parts[find(is_get)];
      if (part.size() >= 2) part[1] = static_cast<char>(feed.byte());
      break;
    }
    case 3: {
      const size_t place = find(is_text);
      const size_t other = 1 + feed.below(parts.size() - 2);
      for (size_t i = 0; i < parts.size() - 2; ++i) {
        const std::string& from = parts[1 + (other - 1 + i) % (parts.size() - 2)];
        if (from[0] == 'X') {
          parts[place] = from;
          break;
        }
      }
      break;
    }
    case 4:
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 5:
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), parts[1 + feed.below(parts.size() - 2)]);
      break;
    case 6:
      std::swap(parts[at], parts[1 + feed.below(parts.size() - 2)]);
      break;
    default:
      parts[at] = std::string(1, feed.pick("N\x88\x89]})(tedsuab0QR\x85\x86\x87"));
  }
  bytes.clear();
  for (const std::string& part : parts) bytes += part;
}

// Words, numbers and single characters, with the white space before them.
inline std::vector<std::string> text_parts(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && text[end] == ' ') ++end;
    const size_t word = end;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    if (end == word && end < text.size()) ++end;
    parts.push_back(text.substr(at, end - at));
    at = end;
  }
  return parts;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

inline void edit_text(std::string& text, ByteFeed& feed) {
  const uint8_t kind = feed.byte() % 7;
  std::vector<std::string> parts = kind < 4 ? text_parts(text) : lines_of(text);
  if (parts.empty()) return;
  const size_t at = feed.below(parts.size());
  const size_t other = feed.below(parts.size());
  const auto find = [&](auto&& wanted) {
    for (size_t i = 0; i < parts.size(); ++i) {
      const size_t place = (at + i) % parts.size();
      if (wanted(parts[place].back())) return place;
    }
    return at;
  };
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  switch (kind) {
    case 0:
    case 1: {
      std::string& part = parts[find(is_digit)];
      const bool spaced = part.front() == ' ';
      part = (spaced ? " " : "") + std::to_string(feed.pick(kNumbers));
      break;
    }
    case 2: {  // another name of the text
      const size_t place = find(is_letter);
      for (size_t i = 0; i < parts.size(); ++i) {
        const std::string& from = parts[(other + i) % parts.size()];
        if (!is_letter(from.back())) continue;
        const size_t spaces = parts[place].find_first_not_of(' ');
        parts[place] = parts[place].substr(0, spaces) + from.substr(from.find_first_not_of(' '));
        break;
      }
      break;
    }
    case 3:
      std::swap(parts[at], parts[other]);
      break;
    case 4:
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 5:
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(at), std::string(parts[other]));
      break;
    default:
      std::swap(parts[at], parts[other]);
  }
  text.clear();
  for (const std::string& part : parts) text += part;
}

}  // namespace wick::fuzz
