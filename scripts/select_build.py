#!/usr/bin/env python3
"""Turns operator lists into the configuration of a selective build; CMake calls it (cmake/select.cmake).

select_build.py --output FOLDER [--dtypes Float,Long] [--source-lines] [--limits] [--gpu] [--text] [--exports MAP]
                LIST.yaml...

Lists are YAML as 'wick trace', PyTorch's model_tracer or export_opnames write it; several are united. Writes, and
touches only when the content changes:

  build_config.h   the constants that src/config/build.h describes
  exports.map      MAP without the names of what the models do not have
  selection.cmake  what CMake itself needs to know
"""
import argparse
import difflib
import re
import sys
from pathlib import Path

import operator_lists

ROOT = Path(__file__).resolve().parent.parent

LIST_KEYS = ["include_all_operators", "include_all_non_op_selectives", "debug_info", "operators", "kernel_metadata",
             "et_kernel_metadata", "custom_classes", "build_features"]
OPERATOR_KEYS = ["name", "is_root_operator", "is_used_for_training", "include_all_overloads", "debug_info"]
DTYPES = {name: code for code, name in enumerate(
    "Byte Char Short Int Long Half Float Double ComplexHalf ComplexFloat ComplexDouble Bool QInt8 QUInt8 QInt32 BFloat16 "
    "QUInt4x2 QUInt2x4 . . . . . Float8_e5m2 Float8_e4m3fn Float8_e5m2fnuz Float8_e4m3fnuz UInt16 UInt32 UInt64".split())
    if name != "."}
INTEGERS = {"Byte", "Char", "Short", "Int", "Long", "Bool", "UInt16", "UInt32", "UInt64"}
QUANTIZED = {"QInt8", "QUInt8", "QInt32", "QUInt4x2", "QUInt2x4"}
ALWAYS_DTYPES = {"Bool", "Float", "Long"}  # what numbers and shapes of a program become
PRINTING_OPS = {"aten::str", "aten::format", "aten::percentFormat", "aten::warn", "prim::Print", "prim::str"}
LINALG = re.compile(r"aten::(_?linalg_|matrix_|cholesky|det|inverse|logdet|lu_|qr|slogdet|svd|symeig|pinverse|geqrf|"
                    r"orgqr|ormqr|triangular_solve|nuclear)")
# Shaders of src/gpu/shaders, and the operators that need them; without its shader a step is the processor's.
ALWAYS_SHADERS = ["convert", "copy", "pointwise"]
SHADERS = [(names.split(), re.compile(pattern)) for names, pattern in [
    ("conv depthwise", r"conv"),
    ("add_parts gemm gemm_matrix gemv", r"conv|linear|::(matmul|mm|addmm)$|lstm|gru|rnn|multi_head|transformer"),
    ("matmul", r"::(matmul|mm|bmm|baddbmm|addmm)$|attention|multi_head"),
    ("attention attention_matrix", r"attention|multi_head"),
    ("softmax", r"softmax|attention|multi_head"),
    ("norm", r"(layer|group|instance)_norm"),
    ("pool", r"pool"),
    ("reduce", r"::(sum|mean|amax|amin|max|min|any|all|prod|var|std|norm|linalg_vector_norm|frobenius_norm)$|"
               r"adaptive_avg_pool2d"),
    ("arg_reduce", r"::(argmax|argmin|max|min)$"),
    ("scan", r"::cum(sum|prod)$"),
    ("resize", r"upsample"),
    ("pad", r"pad"),
    ("gather", r"::(embedding|gather|take_along_dim|index_select|index)$"),
    ("rnn", r"lstm|gru|rnn"),
]]
# Pointwise operators of every build are in "pointwise"; these are not, nor are operators that give truth values.
SELDOM = re.compile(
    r"::(special_)?(round|sign|sgn|frac|exp2|expm1|log2|log10|log1p|tan|(arc|a)?(sin|cos|tan)h?|sinh|cosh|erfc|expit|"
    r"logical_\w+|is(nan|inf|finite|posinf|neginf)|signbit|eq|ne|not_equal|lt|less|le|less_equal|gt|greater|ge|"
    r"greater_equal|bitwise_\w+|__\w+__|pow|float_power|atan2|arctan2|fmod|remainder|floor_divide|div|divide|hypot|"
    r"copysign|logaddexp|xlogy|heaviside|fmax|fmin|where|masked_fill|threshold|hardshrink|softshrink|celu|nan_to_num|"
    r"prelu|lerp|tril|triu|to|_to_copy)$")
NUMBERS = re.compile(r"\.(int|float|str|bool|int_float|float_int|\w*_list|device)$")  # overloads without tensors


class ListError(Exception):
    pass


# --- YAML: block mappings and sequences, plain and quoted scalars, comments, flow collections of scalars. ---
# src/select/yaml.cpp reads the same text to the same values: tests/data/select/yaml_cases.txt holds both to it.

BLANKS = " \t"
MAX_YAML_DEPTH = 16


def quoted_end(text, at):
    """Behind the quoted scalar that begins at `at`; None when it is not closed."""
    quote = text[at]
    at += 1
    while at < len(text):
        if quote == '"' and text[at] == "\\":
            at += 1
        elif text[at] == quote:
            if quote == '"' or text[at + 1:at + 2] != quote:
                return at + 1
            at += 1
        at += 1
    return None


def ends_word(text, at):
    return at + 1 == len(text) or text[at + 1] in BLANKS


def comment_start(text):
    """Where a comment begins, or the size: '#' at the start or after a blank, outside of quoted scalars. These begin
    where a scalar can: after the indentation, a dash or a key, and in a flow collection."""
    may_begin, in_flow, at = True, False, 0
    while at < len(text):
        c = text[at]
        if c == "#" and (at == 0 or text[at - 1] in BLANKS):
            return at
        if c not in BLANKS:
            if may_begin and c in "'\"":
                end = quoted_end(text, at)
                if end is None:
                    return len(text)
                at, may_begin = end - 1, False
            elif may_begin and c in "[{":
                in_flow = True
            else:
                may_begin = (may_begin and c == "-" and ends_word(text, at)) or (c == ":" and ends_word(text, at)) or \
                    (in_flow and c == ",")
        at += 1
    return len(text)


def trim(text):
    return text.strip(" \t\r")


def is_item(text):
    return text == "-" or text.startswith("- ")


def key_end(text):
    """The colon that ends a key: followed by a blank or the end, outside of quotes. None when there is none."""
    at = quoted_end(text, 0) if text[:1] in ("'", '"') else 0
    if at is None:
        return None
    return next((i for i in range(at, len(text)) if text[i] == ":" and ends_word(text, i)), None)


def unquote(text):
    if text[:1] not in ("'", '"'):
        return text
    end = quoted_end(text, 0)
    if end is None:
        raise ListError("a quote is not closed")
    if end != len(text):
        raise ListError("text after the closing quote")
    inside = text[1:-1]
    if text[0] == "'":
        return inside.replace("''", "'")

    def unescape(match):
        if match[1] not in 'nt"\\/':
            raise ListError(f"the escape {match[0]} has no place in an operator list")
        return {"n": "\n", "t": "\t"}.get(match[1], match[1])
    return re.sub(r"\\(.)", unescape, inside, flags=re.DOTALL)


def scalar(text):
    if is_item(text) or text[0] in "[{":
        raise ListError(f"'{text}': a collection in another is expected on lines of its own")
    if text[0] in "&*!|>":
        raise ListError(f"'{text}': anchors, tags and block text have no place in an operator list")
    return unquote(text)


def inline_value(text):
    """What stands behind a key or a dash: a scalar or a flow collection."""
    if text[0] not in "[{":
        return scalar(text)
    if text[-1] != {"[": "]", "{": "}"}[text[0]]:
        raise ListError("a flow collection must end on its line")
    inside = trim(text[1:-1])
    if text[0] == "{":
        if inside:
            raise ListError("a mapping is expected on lines of its own")
        return {}
    items = []
    while inside:
        quoted = quoted_end(inside, 0) if inside[0] in "'\"" else 0
        comma = inside.find(",", len(inside) if quoted is None else quoted)
        comma = len(inside) if comma < 0 else comma
        item = trim(inside[:comma])
        if not item:
            raise ListError("an item of a flow collection is missing")
        items.append(scalar(item))
        inside = trim(inside[comma + 1:])
    return items


class YamlParser:
    def __init__(self, text):
        self.at = 0
        self.lines = []  # [number, indent, text without indent and comment]
        for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
            content = trim(line[:comment_start(line)])
            if content in ("", "---", "..."):
                continue
            indent = len(line) - len(line.lstrip(" "))
            if line[indent] == "\t":
                self.refuse(number, "a tab cannot indent YAML")
            self.lines.append([number, indent, content])

    @staticmethod
    def refuse(number, why):
        raise ListError(f"line {number}: {why}")

    def run(self):
        if not self.lines:
            return None
        value = self.block(self.lines[0][1], 0)
        if self.at < len(self.lines):
            self.refuse(self.lines[self.at][0], "the indentation does not fit the lines above")
        return value

    def here(self, indent, items):
        """Whether the next line is one of the block: an item of a sequence, or a member of a mapping."""
        return self.at < len(self.lines) and self.lines[self.at][1] == indent and \
            is_item(self.lines[self.at][2]) == items

    def block(self, indent, depth):
        first = self.lines[self.at]
        if depth > MAX_YAML_DEPTH:
            self.refuse(first[0], "nested too deeply")
        return self.sequence(indent, depth) if is_item(first[2]) else self.mapping(indent, depth)

    def sequence(self, indent, depth):
        items = []
        while self.here(indent, True):
            line = self.lines[self.at]
            rest = trim(line[2][1:])
            if not rest:
                self.at += 1
                items.append(self.nested(indent + 1, depth))
            elif key_end(rest) is not None and rest[0] not in "[{" and not is_item(rest):
                # A mapping that begins on the line of its dash.
                line[1] += len(line[2]) - len(rest)
                line[2] = rest
                items.append(self.block(line[1], depth + 1))
            else:
                items.append(self.checked(line[0], inline_value, rest))
                self.at += 1
        return items

    def mapping(self, indent, depth):
        members = {}
        while self.here(indent, False):
            number, _, line = self.lines[self.at]
            self.at += 1
            colon = key_end(line)
            if colon is None:
                self.refuse(number, f"expected 'key: value', got '{line}'")
            key = self.checked(number, unquote, trim(line[:colon]))
            if key in members:
                self.refuse(number, f"'{key}' is there twice")
            rest = trim(line[colon + 1:])
            if rest:
                members[key] = self.checked(number, inline_value, rest)
            else:
                # The items of a sequence may stand at the indentation of their key.
                members[key] = self.nested(indent if self.here(indent, True) else indent + 1, depth)
        return members

    def nested(self, least, depth):
        """The block that begins on the next line if it is indented by `least` or more; None otherwise."""
        if self.at < len(self.lines) and self.lines[self.at][1] >= least:
            return self.block(self.lines[self.at][1], depth + 1)
        return None

    def checked(self, number, read, text):
        try:
            return read(text)
        except ListError as error:
            self.refuse(number, error)


def parse_yaml(text):
    """Scalars are strings; nothing is None."""
    return YamlParser(text).run()


# --- Lists. ---

def as_bool(value, key):
    if value in ("true", "True", "TRUE"):
        return True
    if value in ("false", "False", "FALSE"):
        return False
    raise ListError(f"'{key}' is true or false, not '{value}'")


def as_names(value, key):
    if value is None or value == {}:
        return []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ListError(f"'{key}' is a list of names")
    return value


def as_mapping(value, key):
    if value is None or value == []:
        return {}
    if not isinstance(value, dict):
        raise ListError(f"'{key}' is a mapping")
    return value


def check_operator(name):
    if not isinstance(name, str) or not re.fullmatch(r"[^\s(:]+::[^\s(]+", name):
        raise ListError(f"'{name}' is not an operator (expected a name such as aten::add.Tensor)")


class OperatorList:
    """One list, or several united."""

    def __init__(self):
        self.ops, self.classes, self.features = set(), set(), set()
        self.kernels = {}          # of kernel_metadata: name -> dtypes
        self.all_ops = False
        self.all_else = False      # every dtype and class
        self.is_foreign = False    # one that 'wick trace' did not write, which names neither frontends nor kernels
        self.all_dtypes = False    # a foreign one that names no dtypes
        self.tells_code = True     # what the models' code does, and of which kinds files of tensors are
        self.tells_saves = True

    def add_operator(self, name, properties):
        check_operator(name)
        for key in properties:
            if key not in OPERATOR_KEYS:
                raise ListError(f"'{key}' is not a property of an operator")
        every = as_bool(properties.get("include_all_overloads", "true"), "include_all_overloads") and "." not in name
        if as_bool(properties.get("is_root_operator", "true"), "is_root_operator"):
            self.ops.add(name + (".*" if every else ""))

    def read(self, text):
        document = parse_yaml(text)
        if isinstance(document, list):
            for name in document:
                self.add_operator(name, {})
            self.all_else = self.is_foreign = self.all_dtypes = True
            return
        if not isinstance(document, dict):
            raise ListError("the operator list is empty")
        for key in document:
            if key not in LIST_KEYS:
                raise ListError(f"'{key}' is not a key of an operator list")
        everything = as_bool(document.get("include_all_operators", "false"), "include_all_operators")
        self.all_ops |= everything
        self.all_else |= everything or as_bool(document.get("include_all_non_op_selectives", "false"),
                                               "include_all_non_op_selectives")
        for name, properties in as_mapping(document.get("operators"), "operators").items():
            self.add_operator(name, as_mapping(properties, name))
        kernels = {name: as_names(dtypes, name)
                   for name, dtypes in as_mapping(document.get("kernel_metadata"), "kernel_metadata").items()}
        for name, dtypes in kernels.items():
            self.kernels.setdefault(name, set()).update(dtypes)
        self.classes.update(as_names(document.get("custom_classes"), "custom_classes"))
        features = set(as_names(document.get("build_features"), "build_features"))
        self.features |= features
        self.tells_code &= "wick.code" in features
        self.tells_saves &= any(feature.startswith("wick.saved.") for feature in features)
        if not any(feature.startswith("wick.") for feature in features):
            self.is_foreign = True
            self.all_dtypes |= not any(kernels.values())


def read_lists(paths):
    lists = OperatorList()
    for path in paths:
        if not path.is_file():
            raise ListError(f"there is no file {path}")
        try:
            lists.read(path.read_text(encoding="utf-8", errors="surrogateescape"))
        except ListError as error:
            raise ListError(f"{path}: {error}") from None
    return lists


# --- The configuration. ---

def base(op):
    return op.split(".")[0]


def functional(op):
    """The planner calls the functional form of an in-place operator: aten::relu_ -> aten::relu."""
    name = base(op)
    return name[:-1] + op[len(name):] if name.endswith("_") and not name.endswith("__") else op


def mistyped(ops):
    """(name, the operator that it nearly is) of what no operator is called; names of others' namespaces are theirs."""
    known = [op for part in operator_lists.read_lists(ROOT) for op in part.operators]
    names = {op.full_name for op in known} | {base(op.full_name) for op in known}
    by_namespace = {}
    for name in sorted(names):
        by_namespace.setdefault(name.split("::")[0], []).append(name)
    for op in sorted(ops):
        name = op.removesuffix(".*")
        if name in names or name.split("::")[0] not in by_namespace:
            continue
        near = difflib.get_close_matches(name, by_namespace[name.split("::")[0]], n=1, cutoff=0.87)
        if near and base(near[0]) != base(name):
            yield name, near[0]


def configuration(lists, options):
    """The constants of src/config/build.h, in its order."""
    ops = lists.ops | {functional(op) for op in lists.ops}
    if "aten::_transformer_encoder_layer_fwd" in ops:
        ops.add("aten::gelu")  # which its layers are fused with
    bases = {base(op) for op in ops}
    features = lists.features
    all_ops, all_features = lists.all_ops, lists.is_foreign
    asked = [name for name in options.dtypes.split(",") if name]
    all_dtypes = not asked and (lists.all_dtypes or lists.all_else)
    dtypes = set(asked) if asked else set().union(*lists.kernels.values())
    has_tensors = all_dtypes or bool(dtypes) or "wick.tensors" in features
    has_integers = all_dtypes or bool(dtypes & INTEGERS)
    for name in sorted(dtypes):
        if name not in DTYPES:
            raise ListError(f"'{name}' is not a dtype (Float, Long, Byte, ...)")
    dtypes |= ALWAYS_DTYPES

    def has(feature):
        return all_features or feature in features

    def has_code(what):
        """What the models' code does; one from source, or of a list that does not say, may do anything."""
        return not lists.tells_code or "wick.frontend.torchscript" in features or has("wick.code." + what)

    def has_op(*names):
        return all_ops or bool(bases & set(names))

    def has_namespace(prefix):
        return all_ops or any(op.startswith(prefix) for op in ops)

    def has_dtype(*names):
        return all_dtypes or bool(dtypes & set(names))

    def has_one_of(prefix, which):
        """One that was traced, or any when a list names the kernel and none of its kinds."""
        return has(prefix + which) or (prefix in features and not any(re.fullmatch(re.escape(prefix) + r"\d+", f)
                                                                      for f in features))

    def selects(changes):
        """Whether an operator is in the build with an argument for which `changes` is true."""
        return any(op.full_name in ops or f"{op.namespace}::{op.name}.*" in ops
                   for part in operator_lists.read_lists(ROOT) for op in part.operators
                   if any(map(changes, op.arguments)))

    has_text = has_tensors and (options.text or all_features or has_op(*PRINTING_OPS))
    prints_tensors = all_dtypes or bool(asked) or any(base(op).split("::")[1] in lists.kernels for op in PRINTING_OPS)
    quantized_only = [] if all_dtypes or asked else [
        name for name, of in lists.kernels.items() if not of - QUANTIZED]
    return {
        "kIsSelective": True,
        "kListName": ", ".join(path.name for path in options.lists),
        "kAllOps": all_ops,
        "kOps": sorted(ops),
        "kInstructionOps": lists.is_foreign,
        "kAllClasses": lists.all_else,
        "kClasses": sorted(lists.classes),
        "kAllDTypes": all_dtypes,
        "kDTypes": sorted(DTYPES[name] for name in dtypes),
        "kTensors": has_tensors,
        "kPlanner": has("wick.planner"),
        "kGpu": options.gpu,
        "kProfiles": has("wick.profile"),
        "kTorchScript": "wick.frontend.torchscript" in features,
        "kFlatbuffer": has("wick.frontend.flatbuffer"),
        "kLegacySaves": not lists.tells_saves or has("wick.saved.legacy"),
        "kObjects": has_code("objects"),
        "kContainers": has_code("containers"),
        "kRestores": has_code("restores") or has("wick.frontend.flatbuffer"),
        "kLimits": all_features or options.limits or has_code("restores") or has("wick.frontend.flatbuffer"),
        "kSourceLines": all_features or options.source_lines,
        "kEnums": has("wick.enums"),
        "kText": has_text,
        "kTensorText": has_text and (options.text or all_features or prints_tensors),
        "kIntegers": has_integers,
        "kQuantized": has_namespace("quantized::") or has_dtype(*QUANTIZED),
        "kComplex": has_dtype("ComplexFloat", "ComplexDouble"),
        "kInPlace": all_ops or selects(lambda a: a.type.is_written and a.type.base == "Tensor"),
        # Batch norms write statistics, which their schemas do not say.
        "kMutates": all_ops or selects(lambda a: a.type.is_written or a.name.startswith("running_")),
        "kTransposedConv": has_op("aten::_convolution", "aten::_convolution_mode", "aten::convolution",
                                  "aten::convolution_overrideable") or
                           any("transpose" in op and "conv" in op for op in ops) or
                           has_namespace("vulkan_prepack::") or has_namespace("metal_prepack::"),
        "kAllSteps": all_features or "wick.steps" not in features,
        "kSteps": sorted(f[len("wick.step."):] for f in features if f.startswith("wick.step.")),
        "kQuantizedOnly": sorted(quantized_only),
        "kInterpreterKernels": all_ops or not has("wick.planner") or has("wick.kernel.interpreter"),
        "kDepthwise": has("wick.kernel.depthwise"),
        "kDepthwise3": has_one_of("wick.kernel.depthwise", "3"),
        "kDepthwise5": has_one_of("wick.kernel.depthwise", "5"),
        "kInt8Depthwise3": has("wick.kernel.int8_depthwise3") or "wick.kernel.int8" not in features,
        "kInt8Depthwise5": has("wick.kernel.int8_depthwise5") or "wick.kernel.int8" not in features,
        "kGroupedConv": has("wick.kernel.grouped"),
        "kWinograd2": has_one_of("wick.kernel.winograd", "2"),
        "kWinograd4": has_one_of("wick.kernel.winograd", "4"),
        "kPlanes": has("wick.kernel.planes"),
        "kMeans": has("wick.kernel.means"),
        "kInt8Floats": all_ops or any(re.search("dynamic|lstm|gru|rnn|fbgemm", op) for op in ops),
    }


def shaders(constants):
    """Of a build whose models run on GPUs."""
    ops = [op for op in constants["kOps"] if not NUMBERS.search(op)]
    names = {base(op).rstrip("_") for op in ops}
    out = set(ALWAYS_SHADERS)
    for group, pattern in SHADERS:
        if any(pattern.search(name) for name in names):
            out |= set(group)
    if any(SELDOM.search(name) for name in names):
        out.add("pointwise_all")
    if constants["kAllOps"]:
        out |= {"pointwise_all"}.union(*(group for group, _ in SHADERS))
    return sorted(out)


def for_gpu(constants):
    return f"""// Made by scripts/select_build.py of {constants['kListName']}.
namespace wick::gpu {{

{as_cpp("kShaders", shaders(constants))}
}}  // namespace wick::gpu
"""


def as_cpp(name, value):
    if isinstance(value, bool):
        return f"inline constexpr bool {name} = {'true' if value else 'false'};\n"
    if isinstance(value, str):
        return f'inline constexpr std::string_view {name} = "{value}";\n'
    if name == "kDTypes":
        return f"inline constexpr int {name}[] = {{{', '.join(str(code) for code in value)}}};\n"
    items = "".join(f'    "{item}",\n' for item in value or [""])
    return f"inline constexpr std::string_view {name}[] = {{\n{items}}};\n"


def header(constants):
    body = "".join(as_cpp(name, value) for name, value in constants.items())
    return f"""// Made by scripts/select_build.py of {constants['kListName']}; src/config/build.h says what the constants are.
namespace wick::build {{

{body}
}}  // namespace wick::build
"""


def exports(text, constants):
    """The map without parts between "only with X" and "end" that the models do not have."""
    missing = [name for name, there in {"tensors": constants["kTensors"], "tasks": constants["kTorchScript"]}.items()
               if not there]
    for part in missing:
        text = re.sub(rf"^ *# only with {part}\n.*?^ *# end\n", "", text, flags=re.M | re.S)
    return text


def for_cmake(constants):
    has_linalg = constants["kAllOps"] or any(LINALG.match(op) for op in constants["kOps"])
    facts = {"selected_has_tensors": constants["kTensors"], "selected_has_planner": constants["kPlanner"],
             "selected_has_torchscript": constants["kTorchScript"], "selected_has_linalg": has_linalg}
    return ("".join(f"set({name} {'ON' if value else 'OFF'})\n" for name, value in facts.items()) +
            f"set(selected_shaders {' '.join(shaders(constants))})\n")


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lists", nargs="+", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--dtypes", default="", help="dtypes to compute in, instead of those the lists name")
    parser.add_argument("--limits", action="store_true", help="loads and runs can be bounded and cancelled")
    parser.add_argument("--source-lines", action="store_true", help="errors name the lines of the model's Python code")
    parser.add_argument("--gpu", action="store_true", help="models may run on GPUs")
    parser.add_argument("--text", action="store_true", help="the library's interface prints values")
    parser.add_argument("--exports", type=Path, help="version script to write without what the models do not have")
    options = parser.parse_args()
    try:
        lists = read_lists(options.lists)
        constants = configuration(lists, options)
    except (ListError, OSError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        return 1
    for name, near in mistyped(lists.ops):
        print(f"no operator here is called {name}; did you mean {near}?", file=sys.stderr)
    options.output.mkdir(parents=True, exist_ok=True)
    write(options.output / "build_config.h", header(constants))
    write(options.output / "gpu_config.h", for_gpu(constants))
    write(options.output / "selection.cmake", for_cmake(constants))
    if options.exports:
        write(options.output / "exports.map", exports(options.exports.read_text(), constants))
    count = "all" if constants["kAllOps"] else len(constants["kOps"])
    print(f"selective build of {constants['kListName']}: {count} operators")
    return 0


if __name__ == "__main__":
    sys.exit(main())
