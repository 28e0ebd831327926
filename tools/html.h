// What the pages that commands write have in common: one look, and a head that says what was measured on what.
#pragma once

#include <string>

namespace wick::tools {

// The text with the characters that mean something in HTML spelled as entities.
std::string escaped(const std::string& text);

// The beginning of a page that stands alone: style for light and dark, wide and narrow screens, the title, and a line
// with machine, threads, version and date. `kind`: "Profile", `title`: the model.
std::string page_begin(const std::string& kind, const std::string& title);
// The end: tables of class "sort" are sorted by a click on a heading and filtered by the field above them.
std::string page_end();
// Writes it whole or not at all, and says so.
void write_page(const std::string& page, const std::string& path);

// A number with so many digits behind the point.
std::string fixed(double value, int digits);
// The color of the n-th kind of things, the same on light and dark paper.
std::string color_of(size_t n);

}  // namespace wick::tools
