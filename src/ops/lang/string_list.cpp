// The operator list of strings.
#include "ops/families.h"
#include "ops/lang/text.h"

namespace wick {

namespace {

using namespace ops::lang;
using namespace traits;

bool text_eq(std::string_view a, std::string_view b) { return a == b; }
bool text_ne(std::string_view a, std::string_view b) { return a != b; }
bool text_gt(std::string_view a, std::string_view b) { return a > b; }
bool text_le(std::string_view a, std::string_view b) { return a <= b; }
bool text_ge(std::string_view a, std::string_view b) { return a >= b; }

constexpr OpEntry kEntries[] = {
    OP("aten::add.str(str a, str b) -> str", concat_text, deterministic),
    OP("aten::eq.str(str a, str b) -> bool", text_eq, deterministic),
    OP("aten::ne.str(str a, str b) -> bool", text_ne, deterministic),
    OP("aten::lt.str(str a, str b) -> bool", text_less, deterministic),
    OP("aten::gt.str(str a, str b) -> bool", text_gt, deterministic),
    OP("aten::le.str(str a, str b) -> bool", text_le, deterministic),
    OP("aten::ge.str(str a, str b) -> bool", text_ge, deterministic),
    OP("aten::len.str(str s) -> int", text_length, shape_query),
    OP("aten::__getitem__.str(str s, int index) -> str", char_at, deterministic),
    OP("prim::StringIndex(str string, int index) -> str", char_at, deterministic),
    OP("aten::slice.str(str string, int? start=None, int? end=None, int step=1) -> str", slice_text, deterministic),
    OP("aten::list(str t) -> str[]", list_of_chars, deterministic),
    OP("aten::capitalize(str self) -> str", capitalize, deterministic),
    OP("aten::title(str self) -> str", title, deterministic),
    OP("aten::swapcase(str self) -> str", swapcase, deterministic),
    OP("aten::upper(str self) -> str", upper, deterministic),
    OP("aten::lower(str self) -> str", lower, deterministic),
    OP("aten::istitle(str self) -> bool", istitle, deterministic),
    OP("aten::isupper(str self) -> bool", ops::lang::isupper, deterministic),
    OP("aten::islower(str self) -> bool", ops::lang::islower, deterministic),
    OP("aten::isalnum(str self) -> bool", ops::lang::isalnum, deterministic),
    OP("aten::isalpha(str self) -> bool", ops::lang::isalpha, deterministic),
    OP("aten::isdigit(str self) -> bool", ops::lang::isdigit, deterministic),
    OP("aten::isdecimal(str self) -> bool", ops::lang::isdigit, deterministic),
    OP("aten::isnumeric(str self) -> bool", ops::lang::isdigit, deterministic),
    OP("aten::isspace(str self) -> bool", ops::lang::isspace, deterministic),
    OP("aten::isidentifier(str self) -> bool", isidentifier, deterministic),
    OP("aten::isprintable(str self) -> bool", isprintable, deterministic),
    OP("aten::center(str self, int width, str fillchar=\" \") -> str", center, deterministic),
    OP("aten::ljust(str self, int width, str fillchar=\" \") -> str", ljust, deterministic),
    OP("aten::rjust(str self, int width, str fillchar=\" \") -> str", rjust, deterministic),
    OP("aten::zfill(str self, int width) -> str", zfill, deterministic),
    OP("aten::expandtabs(str self, int tabsize=8) -> str", expandtabs, deterministic),
    OP("aten::strip(str self, str chars=\" \\n\\t\\f\\v\") -> str", strip, deterministic),
    OP("aten::lstrip(str self, str chars=\" \\n\\t\\f\\v\") -> str", lstrip, deterministic),
    OP("aten::rstrip(str self, str chars=\" \\n\\t\\f\\v\") -> str", rstrip, deterministic),
    OP("aten::find(str self, str substr, int start=0, int end=-1) -> int", find, deterministic),
    OP("aten::rfind(str self, str substr, int start=0, int end=-1) -> int", rfind, deterministic),
    OP("aten::index.str(str self, str substr, int start=0, int end=-1) -> int", index_of_text, deterministic),
    OP("aten::rindex(str self, str substr, int start=0, int end=-1) -> int", rindex_of_text, deterministic),
    OP("aten::count(str self, str substr, int start=0, int end=-1) -> int", count_text, deterministic),
    OP("aten::startswith(str self, str substr, int start=0, int end=-1) -> bool", startswith, deterministic),
    OP("aten::endswith(str self, str substr, int start=0, int end=-1) -> bool", endswith, deterministic),
    OP("aten::replace(str self, str old, str new, int max=-1) -> str", replace, deterministic),
    OP("aten::join(str self, str[] values) -> str", join, deterministic),
    OP("aten::split.str(str self, str? separator=None, int max=-1) -> str[]", split, deterministic),
    OP("aten::rsplit(str self, str separator=\" \", int max=-1) -> str[]", rsplit, deterministic),
    OP("aten::splitlines(str self, bool keepends=False) -> str[]", splitlines, deterministic),
    OP("aten::partition(str self, str separator) -> (str, str, str)", partition, deterministic),
    OP("aten::rpartition(str self, str separator) -> (str, str, str)", rpartition, deterministic),
    OP("aten::hex(int i) -> str", ops::lang::hex, deterministic),
    OP("aten::oct(int i) -> str", ops::lang::oct, deterministic),
    OP("aten::bin(int i) -> str", bin, deterministic),
    OP("aten::chr(int i) -> str", chr, deterministic),
    OP("aten::ord(str string) -> int", ord, deterministic),
    OP("aten::format(str self, ...) -> str", format, not_planned, makes_text),
    OP("aten::percentFormat(str self, ...) -> str", percent_format, not_planned, makes_text),
};

}  // namespace

WICK_OP_FAMILY(kStringOps, kEntries)

}  // namespace wick
