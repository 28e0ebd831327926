// Names of operators that were mistyped.
#include <algorithm>
#include <cctype>
#include <optional>

#include "core/operator.h"
#include "inspect/edit_distance.h"
#include "wick/inspect.h"
#include "wick/registry.h"

namespace wick {

namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

struct Parts {
  std::string space, name, overload;  // "aten", "add", "Tensor"; a name without a namespace is one of aten
};

Parts parts_of(std::string_view full_name) {
  const size_t colons = full_name.find("::");
  const std::string_view rest = colons == full_name.npos ? full_name : full_name.substr(colons + 2);
  const size_t dot = rest.find('.');
  Parts out{lower(colons == full_name.npos ? "aten" : full_name.substr(0, colons)), lower(rest.substr(0, dot)),
            dot == rest.npos ? "" : lower(rest.substr(dot + 1))};
  if (out.space == "torch") out.space = "aten";  // as Python calls them
  return out;
}

// How far the name of an operator is from what was typed; nothing where it is another word.
std::optional<size_t> distance(const Parts& typed, const Parts& known) {
  const size_t most = typed.name.size() < 3 ? 0 : typed.name.size() < 5 ? 1 : 2;
  const size_t space = edit_distance(typed.space, known.space);
  if (space > (typed.space.size() < 4 ? 1 : 2)) return std::nullopt;
  const size_t name = edit_distance(typed.name, known.name);
  if (name > most || space + name > 3) return std::nullopt;
  // Overloads only choose among operators whose names are equally near.
  constexpr size_t kName = 100;
  return (space + name) * kName + std::min(edit_distance(typed.overload, known.overload), kName - 1);
}

}  // namespace

std::string nearest_operator(std::string_view full_name) {
  constexpr size_t kLongest = 200;  // of a name that a person types; hostile files have longer ones
  if (full_name.size() > kLongest) return {};
  const Parts typed = parts_of(full_name);
  std::string best;
  size_t least = SIZE_MAX;
  const auto consider = [&](std::string_view schema) {
    const std::string_view name = schema.substr(0, schema.find('('));
    if (name == full_name) return;
    const std::optional<size_t> d = distance(typed, parts_of(name));
    if (!d || *d >= least) return;
    least = *d;
    best = name;
  };
  for (const std::string_view schema : all_operator_schemas()) consider(schema);
  for (const std::string& schema : Registry::operators()) consider(schema);
  return best;
}

}  // namespace wick
