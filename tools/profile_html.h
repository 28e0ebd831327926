// The profile of a run as a page to look at.
#pragma once

#include <string>

#include "profile_rates.h"

namespace wick::tools {

// Writes a page that stands alone: a timeline of the steps, and a table. Throws Error when the file can't be written.
void write_profile_page(const Profile& profile, const Peak& peak, const std::string& title, const std::string& path);

}  // namespace wick::tools
