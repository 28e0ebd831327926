// c10::string_view for C++14.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <string>

namespace c10 {

template <class CharT>
class basic_string_view final {
 public:
  using value_type = CharT;
  using const_iterator = const CharT*;
  using iterator = const_iterator;
  using size_type = size_t;
  static constexpr size_type npos = size_type(-1);

  constexpr basic_string_view() noexcept = default;
  // A template so that 0 is no null pointer here: conv2d(x, w, {}, 1, 0) pads by numbers.
  template <class P, class = typename std::enable_if<std::is_convertible<P, const CharT*>::value &&
                                                     std::is_pointer<typename std::decay<P>::type>::value>::type>
  basic_string_view(const P& s) : data_(s), size_(std::char_traits<CharT>::length(data_)) {}
  constexpr basic_string_view(const CharT* s, size_t n) : data_(s), size_(n) {}
  basic_string_view(const std::basic_string<CharT>& s) : data_(s.data()), size_(s.size()) {}

  explicit operator std::basic_string<CharT>() const { return std::basic_string<CharT>(data_, size_); }
  constexpr const CharT* data() const noexcept { return data_; }
  constexpr size_t size() const noexcept { return size_; }
  constexpr size_t length() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr const CharT* begin() const noexcept { return data_; }
  constexpr const CharT* end() const noexcept { return data_ + size_; }
  constexpr const CharT& operator[](size_t i) const { return data_[i]; }
  const CharT& at(size_t i) const { return i < size_ ? data_[i] : throw std::out_of_range("string_view::at"); }
  constexpr const CharT& front() const { return data_[0]; }
  constexpr const CharT& back() const { return data_[size_ - 1]; }
  void remove_prefix(size_t n) { data_ += n, size_ -= n; }
  void remove_suffix(size_t n) { size_ -= n; }
  basic_string_view substr(size_t pos = 0, size_t n = npos) const {
    if (pos > size_) throw std::out_of_range("string_view::substr");
    return basic_string_view(data_ + pos, std::min(n, size_ - pos));
  }
  int compare(basic_string_view o) const {
    const int c = std::char_traits<CharT>::compare(data_, o.data_, std::min(size_, o.size_));
    return c ? c : size_ < o.size_ ? -1 : size_ > o.size_;
  }
  bool starts_with(basic_string_view p) const { return size_ >= p.size_ && substr(0, p.size_).compare(p) == 0; }
  bool ends_with(basic_string_view p) const { return size_ >= p.size_ && substr(size_ - p.size_).compare(p) == 0; }
  size_t find(basic_string_view v, size_t pos = 0) const {
    const auto at = pos > size_ ? end() : std::search(begin() + pos, end(), v.begin(), v.end());
    return at == end() && !v.empty() ? npos : pos > size_ ? npos : static_cast<size_t>(at - begin());
  }
  size_t find(CharT c, size_t pos = 0) const { return find(basic_string_view(&c, 1), pos); }
  size_t rfind(CharT c) const {
    for (size_t i = size_; i > 0; --i) {
      if (data_[i - 1] == c) return i - 1;
    }
    return npos;
  }
  size_t rfind(basic_string_view v) const {
    const auto at = std::find_end(begin(), end(), v.begin(), v.end());
    return v.empty() ? size_ : at == end() ? npos : static_cast<size_t>(at - begin());
  }
  // The first, or the last, character that is one of a set, or is none.
  size_t find_first_of(basic_string_view set, size_t pos = 0) const {
    for (size_t i = pos; i < size_; ++i) {
      if (set.find(data_[i]) != npos) return i;
    }
    return npos;
  }
  size_t find_first_not_of(basic_string_view set, size_t pos = 0) const {
    for (size_t i = pos; i < size_; ++i) {
      if (set.find(data_[i]) == npos) return i;
    }
    return npos;
  }
  size_t find_last_of(basic_string_view set) const {
    for (size_t i = size_; i > 0; --i) {
      if (set.find(data_[i - 1]) != npos) return i - 1;
    }
    return npos;
  }
  size_t find_last_not_of(basic_string_view set) const {
    for (size_t i = size_; i > 0; --i) {
      if (set.find(data_[i - 1]) == npos) return i - 1;
    }
    return npos;
  }

 private:
  const CharT* data_ = nullptr;
  size_t size_ = 0;
};

template <class CharT>
constexpr size_t basic_string_view<CharT>::npos;

using string_view = basic_string_view<char>;

inline bool operator==(string_view a, string_view b) { return a.compare(b) == 0; }
inline bool operator!=(string_view a, string_view b) { return a.compare(b) != 0; }
inline bool operator<(string_view a, string_view b) { return a.compare(b) < 0; }
inline bool operator>(string_view a, string_view b) { return a.compare(b) > 0; }
inline std::ostream& operator<<(std::ostream& out, string_view v) {
  return out.write(v.data(), static_cast<std::streamsize>(v.size()));
}

}  // namespace c10

namespace std {
template <>
struct hash<c10::string_view> {
  size_t operator()(c10::string_view v) const { return std::hash<std::string>()(std::string(v)); }
};
}  // namespace std
