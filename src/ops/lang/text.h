// Operators on strings. A string is bytes; letters and digits are ASCII's, as in TorchScript.
#pragma once

#include "ops/boxing.h"

namespace wick::ops::lang {

// A byte class or case change does not depend on the locale.
bool is_upper(char c);
bool is_lower(char c);
bool is_alpha(char c);
bool is_digit(char c);
bool is_space(char c);
bool is_printable(char c);
char to_upper(char c);
char to_lower(char c);

bool text_less(std::string_view a, std::string_view b);

std::string capitalize(std::string_view s);
std::string title(std::string_view s);
std::string swapcase(std::string_view s);
std::string upper(std::string_view s);
std::string lower(std::string_view s);
bool istitle(std::string_view s);
bool isupper(std::string_view s);
bool islower(std::string_view s);
bool isalnum(std::string_view s);
bool isalpha(std::string_view s);
bool isdigit(std::string_view s);
bool isspace(std::string_view s);
bool isidentifier(std::string_view s);
bool isprintable(std::string_view s);

std::string center(std::string_view s, int64_t width, std::string_view fill);
std::string ljust(std::string_view s, int64_t width, std::string_view fill);
std::string rjust(std::string_view s, int64_t width, std::string_view fill);
std::string zfill(std::string_view s, int64_t width);
std::string expandtabs(std::string_view s, int64_t tabsize);
std::string strip(std::string_view s, std::string_view chars);
std::string lstrip(std::string_view s, std::string_view chars);
std::string rstrip(std::string_view s, std::string_view chars);

int64_t find(std::string_view s, std::string_view part, int64_t start, int64_t end);
int64_t rfind(std::string_view s, std::string_view part, int64_t start, int64_t end);
int64_t index_of_text(std::string_view s, std::string_view part, int64_t start, int64_t end);
int64_t rindex_of_text(std::string_view s, std::string_view part, int64_t start, int64_t end);
int64_t count_text(std::string_view s, std::string_view part, int64_t start, int64_t end);
bool startswith(std::string_view s, std::string_view part, int64_t start, int64_t end);
bool endswith(std::string_view s, std::string_view part, int64_t start, int64_t end);

std::string replace(std::string_view s, std::string_view from, std::string_view to, int64_t max);
std::string join(std::string_view separator, const ListImpl& parts);
IValue split(std::string_view s, const std::optional<std::string>& separator, int64_t max);
IValue rsplit(std::string_view s, std::string_view separator, int64_t max);
IValue splitlines(std::string_view s, bool keepends);
std::tuple<std::string, std::string, std::string> partition(std::string_view s, std::string_view separator);
std::tuple<std::string, std::string, std::string> rpartition(std::string_view s, std::string_view separator);

std::string concat_text(std::string_view a, std::string_view b);
std::string char_at(std::string_view s, int64_t i);
std::string slice_text(std::string_view s, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step);
IValue list_of_chars(std::string_view s);
int64_t text_length(std::string_view s);

std::string hex(int64_t v);
std::string oct(int64_t v);
std::string bin(int64_t v);
std::string chr(int64_t v);
int64_t ord(std::string_view s);

// "{} {}".format(...): args[0] is the pattern.
std::string format(Args args);
// "%d %s" % values: args[0] is the pattern, args[1] a value or a tuple of them.
std::string percent_format(Args args);

}  // namespace wick::ops::lang
