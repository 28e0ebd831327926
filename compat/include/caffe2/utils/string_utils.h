// Text helpers of caffe2.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace caffe2 {

inline std::vector<std::string> split(char separator, const std::string& text, bool ignore_empty = false) {
  std::vector<std::string> pieces;
  std::istringstream in(text);
  std::string piece;
  while (std::getline(in, piece, separator)) {
    if (!ignore_empty || !piece.empty()) pieces.push_back(piece);
  }
  return pieces;
}

inline std::string trim(const std::string& text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace caffe2
