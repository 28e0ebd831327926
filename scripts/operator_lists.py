"""Reads the operator table: every line of src/ops/**/*_list.cpp as a parsed schema with the C++ function behind it.

read_lists(ROOT) -> [OperatorList]; a list has its path below src/ and its operators in table order. What is written
from them is the emitters' matter (generate_api.py).
"""
import re
from dataclasses import dataclass, field
from pathlib import Path


class ListError(Exception):
    pass


@dataclass(frozen=True)
class Type:
    """A type of a schema: "Tensor(a!)[]?" is base Tensor, is_list and is_optional."""
    base: str                # "Tensor", "int", "Scalar", "ScalarType", ...; SymInt is int
    is_list: bool = False
    size: int = 0            # of int[2]: a single number stands for a list of so many
    is_optional: bool = False
    elements_optional: bool = False  # Tensor?[]
    alias: str = ""          # "a!"

    @property
    def is_written(self):
        return "!" in self.alias

    @property
    def is_tensor(self):
        return self.base == "Tensor" and not self.is_list


@dataclass(frozen=True)
class Argument:
    name: str
    type: Type
    default: str | None = None  # as the schema writes it; None: there is none
    keyword_only: bool = False


@dataclass(frozen=True)
class Operator:
    namespace: str   # "aten"
    name: str        # "add_"
    overload: str    # "Tensor" or ""
    arguments: tuple
    returns: tuple   # of Arguments; a name may be ""
    is_vararg: bool
    function: str    # the C++ expression of the table's line
    variant: str     # "plain", "inplace" or "out": how the function becomes the operator (ops/op_entry.h)
    schema: str

    @property
    def full_name(self):
        return f"{self.namespace}::{self.name}" + (f".{self.overload}" if self.overload else "")

    @property
    def outputs(self):
        """The arguments of an out variant that results are written to."""
        return tuple(a for a in self.arguments if a.keyword_only and a.type.base == "Tensor" and a.type.is_written)

    @property
    def self_index(self):
        """Which argument is the tensor that a method is called on (of where it is the second); -1: none."""
        for at, argument in enumerate(self.arguments):
            if argument.name == "self" and argument.type.is_tensor and not argument.type.is_optional:
                return at
        return -1


@dataclass
class OperatorList:
    path: str  # "ops/nn/softmax_list.cpp"
    operators: list = field(default_factory=list)

    @property
    def name(self):
        return Path(self.path).stem.removesuffix("_list")

    @property
    def is_of_tensors(self):
        """Not of what TorchScript has as a language: numbers, lists, dicts, strings."""
        return not self.path.startswith("ops/lang/") or self.name == "tensor_info"


# --- C++ text: comments, local macros, the arguments of OP(...). ---

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|\w+|##|.', re.S)


def without_comments(text):
    return "".join(t for t in TOKEN.findall(text) if not t.startswith(("//", "/*")))


def closing(text, start):
    """Position of the parenthesis that closes the one at `start`."""
    depth = 0
    for match in TOKEN.finditer(text, start):
        if match[0] in "([{":
            depth += 1
        elif match[0] in ")]}":
            depth -= 1
            if depth == 0:
                return match.start()
    raise ListError("a parenthesis is not closed")


def split_arguments(text):
    parts, depth, begin = [], 0, 0
    for match in TOKEN.finditer(text):
        if match[0] in "([{":
            depth += 1
        elif match[0] in ")]}":
            depth -= 1
        elif match[0] == "," and depth == 0 and not inside_template(text[begin:match.start()]):
            parts.append(text[begin:match.start()].strip())
            begin = match.end()
    parts.append(text[begin:].strip())
    return parts


def inside_template(text):
    text = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    return text.count("<") > text.count(">")


def take_macros(text):
    """The text without its #define lines, and the macros: name -> (parameters, body)."""
    macros, lines = {}, []
    text = text.replace("\\\n", " ")
    for line in text.split("\n"):
        match = re.match(r"\s*#define (\w+)\(([^)]*)\)(.*)", line)
        if match:
            macros[match[1]] = ([p.strip() for p in match[2].split(",")], match[3].strip())
        elif not line.lstrip().startswith("#"):
            lines.append(line)
    return "\n".join(lines), macros


def expand(text, macros):
    """The text with the macros replaced, also those that replacements name."""
    if not macros:
        return text
    call = re.compile(r"\b(" + "|".join(macros) + r")\(")
    match = call.search(text)
    while match:
        end = closing(text, match.end() - 1)
        values = split_arguments(text[match.end():end])
        text = text[:match.start()] + substitute(macros[match[1]], values) + text[end + 1:]
        match = call.search(text, match.start())
    return text


def substitute(macro, values):
    parameters, body = macro
    known = dict(zip(parameters, values))
    out = []
    tokens = TOKEN.findall(body)
    for at, token in enumerate(tokens):
        if token == "#" and at + 1 < len(tokens) and tokens[at + 1] in known:
            continue
        if token == "##":
            continue
        if token in known and at > 0 and tokens[at - 1] == "#":
            out.append('"' + known[token] + '"')
        else:
            out.append(known.get(token, token))
    return "".join(out)


def literal(text):
    """The value of adjacent string literals."""
    pieces = re.findall(r'"((?:[^"\\]|\\.)*)"', text)
    return "".join(pieces).replace('\\"', '"').replace("\\\\", "\\")


# --- Schemas. ---

TYPE = re.compile(r"^(?P<base>[\w.]+(?:\([^!()|*]*(?:, [^!()|*]*)+\))?)(?P<alias>\([^)]*\))?(?P<elements>\?)?"
                  r"(?P<list>\[\d*\])?(?P<alias2>\([^)]*\))?(?P<optional>\?)?$")


def parse_type(text):
    match = TYPE.match(text)
    if not match:
        return Type(base=text)  # tuples, dicts, functions: no emitter knows them
    is_list = match["list"] is not None
    optional = match["optional"] is not None or (match["elements"] is not None and not is_list)
    base = {"SymInt": "int", "number": "Scalar"}.get(match["base"], match["base"])
    return Type(base, is_list, int((match["list"] or "[]")[1:-1] or 0), optional,
                match["elements"] is not None and is_list, (match["alias"] or match["alias2"] or "").strip("()"))


def parse_argument(text, keyword_only):
    default = None
    match = re.match(r"^(?P<type>.+?) (?P<name>\w+)(?:=(?P<default>.+))?$", text)
    if not match:
        raise ListError(f"argument '{text}'")
    if match["default"] is not None:
        default = match["default"].strip()
    return Argument(match["name"], parse_type(match["type"]), default, keyword_only)


def parse_returns(text):
    text = text.strip()
    if text == "()":
        return ()
    parts = split_arguments(text[1:-1]) if text.startswith("(") and closing(text, 0) == len(text) - 1 else [text]
    returns = []
    for part in parts:
        match = re.match(r"^(\S+) (\w+)$", part)
        returns.append(Argument(match[2] if match else "", parse_type(match[1] if match else part)))
    return tuple(returns)


def parse_operator(schema, function, variant):
    match = re.match(r"^(\w+)::(\w+)(?:\.(\w+))?\(", schema)
    if not match:
        raise ListError(f"schema '{schema}'")
    end = closing(schema, match.end() - 1)
    arguments, keyword_only, is_vararg = [], False, False
    for text in split_arguments(schema[match.end():end]):
        if text == "*":
            keyword_only = True
        elif text == "...":
            is_vararg = True
        elif text:
            arguments.append(parse_argument(text, keyword_only))
    arrow = schema.index("->", end)
    return Operator(match[1], match[2], match[3] or "", tuple(arguments), parse_returns(schema[arrow + 2:]), is_vararg,
                    function, variant, schema)


VARIANTS = {"OP": "plain", "OP_INPLACE": "inplace", "OP_OUT": "out"}


def read_list(path):
    text, macros = take_macros(without_comments(path.read_text()))
    operators = []
    for begin, end in entry_ranges(text):
        body = expand(text[begin:end], macros)
        at = 0
        for match in re.finditer(r"\b(OP|OP_INPLACE|OP_OUT)\(", body):
            if match.start() < at:
                continue
            at = closing(body, match.end() - 1)
            schema, function, *_ = split_arguments(body[match.end():at])
            operators.append(parse_operator(literal(schema), " ".join(function.split()), VARIANTS[match[1]]))
    return operators


def entry_ranges(text):
    """Where the arrays of OpEntry are."""
    for match in re.finditer(r"constexpr OpEntry \w+\[\] = \{", text):
        yield match.end(), closing(text, match.end() - 1)


def read_lists(root):
    """All lists below ROOT/src/ops, by path."""
    source = Path(root) / "src"
    lists = []
    for path in sorted((source / "ops").rglob("*_list.cpp")):
        try:
            operators = read_list(path)
        except (ListError, ValueError) as error:
            raise ListError(f"{path}: {error}") from error
        if operators:
            lists.append(OperatorList(path.relative_to(source).as_posix(), operators))
    return lists
