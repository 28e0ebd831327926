// The quantizer's report as a table and as a page.
#pragma once

#include <string>

#include "json.h"
#include "wick/quantize.h"

namespace wick::tools {

void print_quantize_report(const QuantizeReport& report);
// The same as one JSON object.
void append_quantize_report(Json& json, const QuantizeReport& report);
// One file without references to others. Throws Error.
void write_quantize_page(const QuantizeReport& report, const std::string& title, const std::string& path);

}  // namespace wick::tools
