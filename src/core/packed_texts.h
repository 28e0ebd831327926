// Short texts of a table one after the other in one constant: neither addresses, which the dynamic linker would have to
// fill in, nor padding. Found by walking, so for tables that are not asked where time matters.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <type_traits>

namespace wick {

// `texts`: each is closed by a NUL.
const char* text_at(const char* texts, size_t index) noexcept;
// The first place of the text, or -1.
int place_of_text(const char* texts, size_t count, std::string_view text) noexcept;

template <size_t kCount, size_t kBytes>
struct PackedTexts {
  char bytes[kBytes];

  // For an index below the number of texts.
  const char* operator[](size_t index) const noexcept { return text_at(bytes, index); }
  int find(std::string_view text) const noexcept { return place_of_text(bytes, kCount, text); }
};

// The texts that the entries of a table have in a member: pack_texts<kRows, &Row::name>().
template <const auto& kTable, auto kMember>
consteval auto pack_texts() {
  constexpr size_t kBytes = [] {
    size_t bytes = 0;
    for (const auto& entry : kTable) bytes += std::string_view(entry.*kMember).size() + 1;
    return bytes;
  }();
  PackedTexts<std::size(kTable), kBytes> out{};
  size_t at = 0;
  for (const auto& entry : kTable) {
    for (const char c : std::string_view(entry.*kMember)) out.bytes[at++] = c;
    ++at;
  }
  return out;
}

// Another member of the entries, without the rest of the table: column_of<kRows, &Row::kind>().
template <const auto& kTable, auto kMember>
consteval auto column_of() {
  std::array<std::remove_cvref_t<decltype(kTable[0].*kMember)>, std::size(kTable)> out{};
  for (size_t i = 0; i < out.size(); ++i) out[i] = kTable[i].*kMember;
  return out;
}

}  // namespace wick
