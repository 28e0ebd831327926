#!/usr/bin/env python3
"""Writes the C++ API of the operator table: every operator on tensors as a function and as a method of Tensor.

generate_api.py --output FOLDER [--only NAME,...]

Writes, and touches only when the content changes:

  FOLDER/include/wick/functions.h        the functions' declarations
  FOLDER/include/wick/tensor_methods.h   the methods' declarations, included inside of class Tensor
  FOLDER/src/functions/LIST.cpp          definitions, one file for each list of operators
  FOLDER/sources.cmake                   the names of these files
  FOLDER/schemas.txt                     every schema that was read, for a test

Each definition calls the C++ function of its operator's line in the table, and no other: a program links what it
calls. With --only, definitions of other functions are left out, for a shared library that is to be small.

Another flavor of the API is another emitter over the same signatures (cpp_signatures.py).
"""
import argparse
import sys
from pathlib import Path

from cpp_signatures import CppTypes, signatures
from operator_lists import ListError, read_lists

HEAD = "// Made by scripts/generate_api.py from the operator lists of src/ops.\n"


class WickTypes(CppTypes):
    """What a schema's types are in Wick's own API."""

    # Members of Tensor that are written by hand, or that mean something else in C++.
    no_methods = {"dim", "size", "stride", "numel", "storage_offset", "is_contiguous", "item", "data", "alias", "index",
                  "index_put", "index_put_", "is_non_overlapping_and_dense", "requires_grad", "is_quantized", "dtype",
                  "device", "layout", "contiguous", "as_strided", "is_same"}
    scalars = {"int": "int64_t", "float": "double", "bool": "bool", "str": "std::string_view", "Scalar": "Scalar",
               "ScalarType": "DType", "Layout": "Layout", "Device": "Device", "MemoryFormat": "MemoryFormat",
               "Tensor": "Tensor"}
    optional, nullopt, dtype_prefix, format_prefix = "std::optional", "std::nullopt", "DType::", "MemoryFormat::"
    memory_formats = ("kContiguous", "kPreserve", "kChannelsLast", "kChannelsLast3d")
    dtypes = ("kByte", "kChar", "kShort", "kInt", "kLong", "kHalf", "kFloat", "kDouble")

    def parameter(self, parameter):
        if parameter.role == "options":
            return "const TensorOptions&"
        kind = parameter.type
        if kind.is_list and kind.base == "int":
            return "const OptIntList&" if kind.is_optional else "const IntList&"
        name = self.scalars[kind.base]
        if kind.is_list:
            element = f"std::optional<{name}>" if kind.elements_optional else name
            return f"std::optional<Span<{element}>>" if kind.is_optional else f"Span<{element}>"
        if kind.is_optional:
            name = f"std::optional<{name}>"
        return f"const {name}&" if kind.base in ("Tensor", "Scalar") else name


def declaration(signature, types, name, *, parameters, defaults):
    texts = []
    for parameter in parameters:
        text = f"{types.parameter(parameter)} {parameter.name}"
        if defaults and parameter.default is not None:
            text += f" = {types.default(parameter)}"
        texts.append(text)
    return f"{types.result(signature)} {name}({', '.join(texts)})"


def shown(signature):
    """Generators are left out: functions draw from the default one, which manual_seed seeds."""
    return [p for p in signature.declared if p.role != "generator"]


def without_self(signature):
    return [p for p in shown(signature) if p.name != "self"]


def write_methods(all_signatures, types):
    out = [HEAD, "// Included inside of class Tensor (tensor.h); not to be included otherwise.\n"]
    for signature in all_signatures:
        if signature.is_method:
            out.append(declaration(signature, types, signature.name, parameters=without_self(signature), defaults=True) +
                       " const;\n")
    return "".join(out)


def write_functions(all_signatures, types):
    out = [HEAD, """// Every operator on tensors as a function: wick::softmax(x, -1). Where the first argument is a Tensor named self it is a
// method of Tensor too: x.softmax(-1). Arguments, defaults, results and errors are PyTorch's; several results are a
// std::tuple. In-place operators end in an underscore; those that write to a tensor of the caller's in _out, and take it
// first.
//
//   auto [scores, classes] = wick::topk(logits.softmax(-1), 5);
//
// Threads: as for Tensor. They use the threads of set_num_threads.
#pragma once

#include "wick/tensor.h"

namespace wick {
inline namespace functions {

"""]
    namespace = "aten"
    for signature in sorted(all_signatures, key=lambda s: (s.namespace != "aten", s.namespace)):
        if signature.namespace != namespace:
            out.append("}\n" if namespace != "aten" else "")
            namespace = signature.namespace
            out.append(f"namespace {namespace} {{\n")
        out.append(declaration(signature, types, signature.name, parameters=shown(signature), defaults=True) + ";\n")
    out.append("}\n" if namespace != "aten" else "")
    out.append("}  // namespace functions\n}  // namespace wick\n")
    return "".join(out)


def write_definitions(operators, own, types):
    out = [HEAD, f"""#include "functions/list_functions.h"
#include "{operators.path}"
namespace wick {{
namespace {{
"""]
    functions = {}
    for signature in own:
        functions.setdefault(signature.operator.function, f"kFunction{len(functions)}")
    for function, name in functions.items():
        bare = function[1:-1] if function.startswith("(") and function.endswith(")") else function
        out.append(f"constexpr auto {name} = &{bare};\n")
    out.append("}\ninline namespace functions {\n")
    for signature in own:
        out.append(definition(signature, types, functions[signature.operator.function]))
    out.append("}\n")
    for signature in own:
        if signature.is_method:
            out.append(method(signature, types))
    out.append("}\n")
    return "".join(out)


def definition(signature, types, function):
    arguments = ["DefaultGenerator{}" if p.role == "generator" else p.name for p in signature.parameters]
    head = declaration(signature, types, signature.name, parameters=shown(signature), defaults=False)
    body = f"{head} {{\n  return apply_{signature.operator.variant}<{function}, {types.result(signature)}>" \
           f"({', '.join(arguments)});\n}}\n"
    if signature.namespace != "aten":
        body = f"namespace {signature.namespace} {{\n{body}}}\n"
    return body


def method(signature, types):
    head = declaration(signature, types, f"Tensor::{signature.name}", parameters=without_self(signature), defaults=False)
    arguments = ", ".join("*this" if p.name == "self" else p.name for p in shown(signature))
    return f"{head} const {{ return functions::{signature.name}({arguments}); }}\n"


def source_name(operators):
    """"ops/nn/softmax_list.cpp" -> "nn_softmax.cpp"."""
    return operators.path.removeprefix("ops/").removesuffix("_list.cpp").replace("/", "_") + ".cpp"


def write_if_changed(path, text):
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


# What src/functions/indexing.cpp calls.
INDEXING = {"copy_", "index", "index_put_", "reshape", "select", "slice", "unsqueeze"}


def generate(root, output, only=None):
    types = WickTypes()
    all_lists = read_lists(root)
    write_if_changed(output / "schemas.txt", "".join(o.schema + "\n" for one in all_lists for o in one.operators))
    lists = [one for one in all_lists if one.is_of_tensors]
    all_signatures = signatures([o for one in lists for o in one.operators], types)
    write_if_changed(output / "include/wick/tensor_methods.h", write_methods(all_signatures, types))
    write_if_changed(output / "include/wick/functions.h", write_functions(all_signatures, types))
    if only is not None:
        only |= INDEXING
    chosen = {id(s.operator): s for s in all_signatures if only is None or s.name in only}
    sources = []
    for one in lists:
        own = [chosen[id(o)] for o in one.operators if id(o) in chosen]
        if own:
            path = output / "src/functions" / source_name(one)
            write_if_changed(path, write_definitions(one, own, types))
            sources.append(path.as_posix())
    for path in (output / "src/functions").glob("*.cpp"):
        if path.as_posix() not in sources:
            path.unlink()
    lines = ["set(wick_function_sources"] + ["  " + source for source in sources]
    write_if_changed(output / "sources.cmake", "\n".join(lines) + ")\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", required=True, type=Path)
    parser.add_argument("--only", help="names of functions, separated by commas")
    arguments = parser.parse_args()
    try:
        generate(Path(__file__).resolve().parent.parent, arguments.output,
                 set(arguments.only.split(",")) if arguments.only is not None else None)
    except ListError as error:
        sys.exit(f"generate_api.py: {error}")


if __name__ == "__main__":
    main()
