#!/usr/bin/env python3
"""Writes the operator part of compat/: every operator on tensors as a function of namespace at and a method of at::Tensor.

generate_at.py --output FOLDER

Writes, and touches only when the content changes:

  FOLDER/include/ATen/generated_functions.inc   the functions' declarations, included inside of namespace at
  FOLDER/include/ATen/tensor_methods.inc        the methods' declarations, included inside of class at::Tensor
  FOLDER/include/torch/linalg.h, fft.h, special.h   the functions of these names as torch::linalg::inv and so on
  FOLDER/src/LIST.cpp                           definitions, one file for each list of operators
  FOLDER/sources.cmake                          the names of these files

Names, parameters and results are those of PyTorch's C++ API; each definition calls Wick's function of the same operator.
"""
import argparse
import sys
from dataclasses import replace
from pathlib import Path

from cpp_signatures import KEYWORDS, CppTypes, signatures
from generate_api import source_name, write_if_changed
from operator_lists import ListError, read_lists

HEAD = "// Made by scripts/generate_at.py from the operator lists of src/ops.\n"
# Functions that compat/ has by hand.
BY_HAND = {"to", "contiguous", "from_blob", "tensor", "size", "stride", "numel", "dim", "item", "is_contiguous", "std",
           "var", "std_mean", "var_mean", "data", "dense_dim", "is_same_size_", "requires_grad_", "requires_grad",
           "detach_", "cpu", "cuda", "backward", "set_data", "qscheme", "index_put_", "is_leaf", "is_pinned", "pin_memory",
           "resolve_conj", "resolve_neg", "is_conj", "is_neg", "is_complex", "is_floating_point", "is_signed", "layout",
           "device", "dtype", "storage_offset", "element_size", "is_nonzero", "is_set_to", "is_inference", "get_device",
           "is_same", "is_non_overlapping_and_dense", "retain_grad", "output_nr", "_version", "ndimension", "nbytes", "itemsize", "type", "cast",
           "is_quantized", "is_cpu", "is_cuda", "is_meta", "is_mps", "is_sparse", "is_vulkan", "is_mkldnn", "is_xpu",
           "is_ort", "is_ipu", "is_nested", "is_sparse_csr", "grad", "retains_grad"}
# Operators whose tensors are made of nothing, with PyTorch's default dtype.
FACTORIES = {"zeros", "ones", "empty", "rand", "randn", "eye", "linspace", "logspace", "empty_strided", "hann_window",
             "hamming_window", "bartlett_window", "blackman_window", "kaiser_window"}
# Those of them that have headers of their own.
BY_HAND_FUNCTIONS = {"from_blob", "tensor", "std", "var", "std_mean", "var_mean", "to", "contiguous", "size", "stride", "item"}
# Operators that PyTorch has as methods alone: as functions they would hide those of an application, such as
# torch::nn::init::normal_.
METHODS_ONLY = set("""
absolute_ add_ addbmm_ addcdiv_ addcmul_ addmm_ addr_ arctan2_ atan2_ baddbmm_ bernoulli_ bitwise_and_
bitwise_left_shift_ bitwise_not_ bitwise_or_ bitwise_right_shift_ bitwise_xor_ cauchy_ copy_ copysign_ cumprod_
cumsum_ digamma_ div_ divide_ eq_ erfinv_ exponential_ fill_diagonal_ float_power_ floor_divide_ fmod_ ge_
geometric_ greater_ greater_equal_ gt_ heaviside_ hypot_ igamma_ igammac_ index_add_ index_copy_ index_fill_
index_reduce_ le_ lerp_ less_ less_equal_ lgamma_ log_normal_ logical_and_ logical_not_ logical_or_ logical_xor_
lt_ masked_fill_ masked_scatter_ mul_ multiply_ mvlgamma_ ne_ nextafter_ normal_ not_equal_ polygamma_ pow_ put_
random_ remainder_ renorm_ scatter_ scatter_add_ scatter_reduce_ set_ sgn_ sign_ squeeze_ sub_ subtract_
swapaxes_ swapdims_ t_ transpose_ tril_ triu_ true_divide_ uniform_ unsqueeze_
""".split())
WRITTEN_BY_HAND_METHODS = {"index", "index_put", "index_put_", "alias", "values", "indices"}


class AtTypes(CppTypes):
    """What a schema's types are in PyTorch's C++ API."""
    no_methods = BY_HAND | WRITTEN_BY_HAND_METHODS
    scalars = {"int": "int64_t", "float": "double", "bool": "bool", "str": "c10::string_view", "Scalar": "at::Scalar",
               "ScalarType": "at::ScalarType", "Layout": "at::Layout", "Device": "at::Device",
               "MemoryFormat": "at::MemoryFormat", "Tensor": "at::Tensor"}
    optional, nullopt, dtype_prefix, format_prefix = "c10::optional", "c10::nullopt", "at::k", "at::MemoryFormat::"
    memory_formats = ("Contiguous", "Preserve", "ChannelsLast", "ChannelsLast3d")
    dtypes = ("Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double")

    def parameter(self, parameter):
        if parameter.role == "options":
            return "at::TensorOptions"
        if parameter.role == "generator":
            return "c10::optional<at::Generator>"
        if parameter.role == "output":
            return "at::TensorList" if parameter.type.is_list else "at::Tensor&"
        kind = parameter.type
        if kind.is_list and kind.base == "int":
            return "at::OptionalIntArrayRef" if kind.is_optional else "at::IntArrayRef"
        if kind.is_list and kind.elements_optional:
            return "const c10::List<c10::optional<at::Tensor>>&"
        if kind.is_list and kind.base == "Tensor":
            return "at::TensorList"
        name = self.scalars[kind.base]
        if kind.is_list:
            return f"c10::optional<at::ArrayRef<{name}>>" if kind.is_optional else f"at::ArrayRef<{name}>"
        if kind.is_optional:
            name = f"c10::optional<{name}>"
        return f"const {name}&" if kind.base in ("Tensor", "Scalar") else name

    def result(self, signature):
        outputs = [p for p in signature.parameters if p.role == "output"]
        if any(p.type.is_list for p in outputs):
            return "void"
        if outputs:
            return "at::Tensor&" if len(outputs) == 1 else "std::tuple<" + ", ".join(["at::Tensor&"] * len(outputs)) + ">"
        if signature.returns_first:
            return "at::Tensor&"
        return super().result(signature)

    def is_known(self, signature):
        return super().is_known(signature) and signature.namespace == "aten" and signature.name not in BY_HAND and \
            any(p.type.base == "Tensor" or p.role == "options" for p in signature.parameters)


def declaration(signature, types, name, parameters, defaults):
    texts = []
    written = signature.returns_first and not any(p.role == "output" for p in signature.parameters)
    for at, parameter in enumerate(parameters):
        kind = types.parameter(parameter)
        if written and parameter.type.is_tensor and parameter.type.is_written:
            kind = "const at::Tensor&"
        text = f"{kind} {parameter.name}"
        if defaults and parameter.default is not None and all(p.default is not None for p in parameters[at:]):
            text += f" = {types.default(parameter)}"
        texts.append(text)
    return f"{types.result(signature)} {name}({', '.join(texts)})"


def without_self(signature):
    return [p for p in signature.declared if p.name != "self"]


def call(signature, self_name):
    """The expression that calls Wick's function."""
    formats = any(p.type.base == "MemoryFormat" for p in signature.parameters)
    arguments = []
    for p in signature.declared:
        name = self_name if p.name == "self" else p.name
        if p.role == "generator":
            continue
        if p.role == "options":
            name = f"default_dtype({name})" if signature.name in FACTORIES else name
        elif p.type.base == "MemoryFormat" and any(o.role == "options" for o in signature.parameters) and formats:
            name = f"memory_format_of({name}, options)"
        arguments.append(f"w({name})")
    return f"wick::functions::{signature.name}({', '.join(arguments)})"


def body(signature, types):
    drawn = "".join(f"const DrawsFrom source({p.name}); " for p in signature.parameters if p.role == "generator")
    outputs = [p.name for p in signature.parameters if p.role == "output"]
    options = any(p.role == "options" for p in signature.parameters)
    expression = call(signature, "self")
    if outputs and types.result(signature) != "void":
        result = outputs[0] if len(outputs) == 1 else f"std::tie({', '.join(outputs)})"
        return f"try {{ {drawn}{expression}; return {result}; }} catch (...) {{ rethrow(); }}"
    if signature.returns_first:
        first = next(p.name for p in signature.parameters if p.type.is_tensor and p.type.is_written)
        return f"try {{ {drawn}{expression}; return const_cast<at::Tensor&>({first}); }} catch (...) {{ rethrow(); }}"
    if options and types.result(signature) == "at::Tensor":
        return f"try {{ {drawn}return with_grad(a({expression}), options); }} catch (...) {{ rethrow(); }}"
    if types.result(signature) == "void":
        return f"try {{ {drawn}{expression}; }} catch (...) {{ rethrow(); }}"
    return f"try {{ {drawn}return a({expression}); }} catch (...) {{ rethrow(); }}"


def write_methods(all_signatures, types):
    out = [HEAD]
    for s in all_signatures:
        if s.is_method:
            out.append(declaration(s, types, s.name, without_self(s), True) + " const;\n")
    return "".join(out)


def write_functions(all_signatures, types):
    out = [HEAD]
    for s in all_signatures:
        if s.name not in METHODS_ONLY:
            out.append(declaration(s, types, s.name, s.declared, True) + ";\n")
    return "".join(out)


def write_definitions(own, types):
    out = [HEAD, '#include "bridge.h"\n#include "wick/functions.h"\nnamespace at {\nusing namespace wick_compat;\n']
    for s in own:
        definition = f"{declaration(s, types, s.name, s.declared, False)} {{\n  {body(s, types)}\n}}\n"
        out.append(f"namespace method_only {{\n{definition}}}\n" if s.name in METHODS_ONLY else definition)
    for s in own:
        if s.is_method:
            space = "at::method_only" if s.name in METHODS_ONLY else "at"
            head = declaration(s, types, f"Tensor::{s.name}", without_self(s), False)
            arguments = ", ".join("*this" if p.name == "self" else p.name for p in s.declared)
            out.append(f"{head} const {{ return {space}::{s.name}({arguments}); }}\n")
    out.append("}\n")
    return "".join(out)


# Functions at::linalg_inv and so on that are torch::linalg::inv, too.
NAMESPACES = ("linalg", "fft", "special")


def write_namespace(space, all_signatures, types):
    out = [HEAD, f"#pragma once\n#include <ATen/ATen.h>\nnamespace torch {{\nnamespace {space} {{\n"]
    for s in all_signatures:
        short = s.name[len(space) + 1:]
        if s.name.startswith(space + "_") and short.isidentifier() and short not in KEYWORDS:
            head = declaration(s, types, short, s.declared, True)
            arguments = ", ".join(p.name for p in s.declared)
            out.append(f"inline {head} {{ return at::{s.name}({arguments}); }}\n")
    out.append("}\n}\n")
    return "".join(out)


def write_forwarders(root, include):
    spelled = [str(p.relative_to(root / "compat/include")) for p in (root / "compat/include/torch").rglob("*.h")]
    for line in (root / "compat/forwarders.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        target, headers = line.split(": ")
        spelled += headers.split()
        for header in headers.split():
            write_if_changed(include / header, f"#pragma once\n#include <{target}>\n")
    # Headers of the C++ frontend by the folder in which PyTorch keeps them.
    for header in spelled + ["torch/fft.h", "torch/linalg.h", "torch/special.h"]:
        if header.startswith("torch/") and not header.startswith("torch/csrc/"):
            write_if_changed(include / "torch/csrc/api/include" / header, f"#pragma once\n#include <{header}>\n")


def write_operator_headers(all_signatures, include):
    """ATen/ops/relu.h and so on, which sources include one by one."""
    for name in {s.name.removesuffix("_out").rstrip("_") for s in all_signatures} | BY_HAND_FUNCTIONS:
        write_if_changed(include / f"ATen/ops/{name}.h", "#pragma once\n#include <ATen/Functions.h>\n")


def with_start_and_end(signature):
    """arange(start, end, step, options) beside arange(start, end, options), which is written by hand."""
    if signature.name not in ("arange", "range"):
        return signature
    return replace(signature, parameters=tuple(replace(p, default=None) if p.name == "step" else p
                                               for p in signature.parameters))


def generate(root, output):
    write_forwarders(root, output / "include")
    types = AtTypes()
    lists = [one for one in read_lists(root) if one.is_of_tensors]
    all_signatures = [with_start_and_end(s)
                      for s in signatures([o for one in lists for o in one.operators], types)]
    write_if_changed(output / "include/ATen/tensor_methods.inc", write_methods(all_signatures, types))
    write_if_changed(output / "include/ATen/generated_functions.inc", write_functions(all_signatures, types))
    for space in NAMESPACES:
        write_if_changed(output / f"include/torch/{space}.h", write_namespace(space, all_signatures, types))
    write_operator_headers(all_signatures, output / "include")
    chosen = {id(s.operator): s for s in all_signatures}
    sources = []
    for one in lists:
        own = [chosen[id(o)] for o in one.operators if id(o) in chosen]
        if own:
            path = output / "src" / source_name(one)
            write_if_changed(path, write_definitions(own, types))
            sources.append(path.as_posix())
    write_if_changed(output / "sources.cmake", "set(wick_compat_generated\n" + "\n".join("  " + s for s in sources) + ")\n")
    return all_signatures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", required=True, type=Path)
    arguments = parser.parse_args()
    try:
        found = generate(Path(__file__).resolve().parent.parent, arguments.output)
    except ListError as error:
        sys.exit(f"generate_at.py: {error}")
    print(f"{len(found)} functions, {sum(s.is_method for s in found)} methods")


if __name__ == "__main__":
    main()
