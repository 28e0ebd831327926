#include "core/packed_texts.h"

#include <cstring>

namespace wick {

const char* text_at(const char* texts, size_t index) noexcept {
  while (index-- > 0) texts += std::strlen(texts) + 1;
  return texts;
}

int place_of_text(const char* texts, size_t count, std::string_view text) noexcept {
  for (size_t i = 0; i < count; ++i) {
    const std::string_view here(texts);
    if (here == text) return static_cast<int>(i);
    texts += here.size() + 1;
  }
  return -1;
}

}  // namespace wick
