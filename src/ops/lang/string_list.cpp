#include "ops/families.h"
#include "ops/lang/text.h"

namespace wick {

namespace {

using namespace ops::lang;

bool text_eq(std::string_view a, std::string_view b) { return a == b; }
bool text_ne(std::string_view a, std::string_view b) { return a != b; }
bool text_gt(std::string_view a, std::string_view b) { return a > b; }
bool text_le(std::string_view a, std::string_view b) { return a <= b; }
bool text_ge(std::string_view a, std::string_view b) { return a >= b; }

constexpr OpEntry kEntries[] = {
    OP("aten::add.str(str a, str b) -> str", concat_text),
    OP("aten::eq.str(str a, str b) -> bool", text_eq),
    OP("aten::ne.str(str a, str b) -> bool", text_ne),
    OP("aten::lt.str(str a, str b) -> bool", text_less),
    OP("aten::gt.str(str a, str b) -> bool", text_gt),
    OP("aten::le.str(str a, str b) -> bool", text_le),
    OP("aten::ge.str(str a, str b) -> bool", text_ge),
    OP("aten::len.str(str s) -> int", text_length),
    OP("aten::__getitem__.str(str s, int index) -> str", char_at),
    OP("prim::StringIndex(str string, int index) -> str", char_at),
    OP("aten::slice.str(str string, int? start=None, int? end=None, int step=1) -> str", slice_text),
    OP("aten::list(str t) -> str[]", list_of_chars),
    OP("aten::capitalize(str self) -> str", capitalize),
    OP("aten::title(str self) -> str", title),
    OP("aten::swapcase(str self) -> str", swapcase),
    OP("aten::upper(str self) -> str", upper),
    OP("aten::lower(str self) -> str", lower),
    OP("aten::istitle(str self) -> bool", istitle),
    OP("aten::isupper(str self) -> bool", ops::lang::isupper),
    OP("aten::islower(str self) -> bool", ops::lang::islower),
    OP("aten::isalnum(str self) -> bool", ops::lang::isalnum),
    OP("aten::isalpha(str self) -> bool", ops::lang::isalpha),
    OP("aten::isdigit(str self) -> bool", ops::lang::isdigit),
    OP("aten::isdecimal(str self) -> bool", ops::lang::isdigit),
    OP("aten::isnumeric(str self) -> bool", ops::lang::isdigit),
    OP("aten::isspace(str self) -> bool", ops::lang::isspace),
    OP("aten::isidentifier(str self) -> bool", isidentifier),
    OP("aten::isprintable(str self) -> bool", isprintable),
    OP("aten::center(str self, int width, str fillchar=\" \") -> str", center),
    OP("aten::ljust(str self, int width, str fillchar=\" \") -> str", ljust),
    OP("aten::rjust(str self, int width, str fillchar=\" \") -> str", rjust),
    OP("aten::zfill(str self, int width) -> str", zfill),
    OP("aten::expandtabs(str self, int tabsize=8) -> str", expandtabs),
    OP("aten::strip(str self, str chars=\" \\n\\t\\f\\v\") -> str", strip),
    OP("aten::lstrip(str self, str chars=\" \\n\\t\\f\\v\") -> str", lstrip),
    OP("aten::rstrip(str self, str chars=\" \\n\\t\\f\\v\") -> str", rstrip),
    OP("aten::find(str self, str substr, int start=0, int end=-1) -> int", find),
    OP("aten::rfind(str self, str substr, int start=0, int end=-1) -> int", rfind),
    OP("aten::index.str(str self, str substr, int start=0, int end=-1) -> int", index_of_text),
    OP("aten::rindex(str self, str substr, int start=0, int end=-1) -> int", rindex_of_text),
    OP("aten::count(str self, str substr, int start=0, int end=-1) -> int", count_text),
    OP("aten::startswith(str self, str substr, int start=0, int end=-1) -> bool", startswith),
    OP("aten::endswith(str self, str substr, int start=0, int end=-1) -> bool", endswith),
    OP("aten::replace(str self, str old, str new, int max=-1) -> str", replace),
    OP("aten::join(str self, str[] values) -> str", join),
    OP("aten::split.str(str self, str? separator=None, int max=-1) -> str[]", split),
    OP("aten::rsplit(str self, str separator=\" \", int max=-1) -> str[]", rsplit),
    OP("aten::splitlines(str self, bool keepends=False) -> str[]", splitlines),
    OP("aten::partition(str self, str separator) -> (str, str, str)", partition),
    OP("aten::rpartition(str self, str separator) -> (str, str, str)", rpartition),
    OP("aten::hex(int i) -> str", ops::lang::hex),
    OP("aten::oct(int i) -> str", ops::lang::oct),
    OP("aten::bin(int i) -> str", bin),
    OP("aten::chr(int i) -> str", chr),
    OP("aten::ord(str string) -> int", ord),
    OP("aten::format(str self, ...) -> str", format),
    OP("aten::percentFormat(str self, ...) -> str", percent_format),
};

}  // namespace

WICK_OP_FAMILY(kStringOps, kEntries)

}  // namespace wick
