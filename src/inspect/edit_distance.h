// How alike two words are.
#pragma once

#include <cstddef>
#include <string_view>

namespace wick {

// Letters to insert, remove or change to make b of a; two neighbors that changed places count as one.
size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace wick
