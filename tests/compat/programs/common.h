// Reading of the test inputs, for the programs beside.
#pragma once

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

template <class T>
std::vector<T> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const T* data = reinterpret_cast<const T*>(bytes.data());
  return std::vector<T>(data, data + bytes.size() / sizeof(T));
}
