"""Which operators are functions and methods of a C++ API, and how: names, parameters, results.

signatures(operators, types) -> [Signature], in table order, without those that C++ could not tell apart. A flavor of
the API is a class of types (see generate_api.WickTypes): what a schema's type is called in C++, and which it knows.
"""
from dataclasses import dataclass

from operator_lists import Type

# Four arguments that factories take together: one TensorOptions in C++.
OPTION_NAMES = ("dtype", "layout", "device", "pin_memory")
KNOWN_BASES = {"Tensor", "int", "float", "bool", "str", "Scalar", "ScalarType", "Layout", "Device", "MemoryFormat",
               "Generator"}
# Schemas of TorchScript for C++ types that are not told apart there, or that the API has by hand.
LEFT_OUT = {
    "aten::copy_.Tensor", "aten::copy_.int", "aten::copy_.float",
    # std(1) is of dimension 1, not of "unbiased"
    "aten::std", "aten::var", "aten::std_mean", "aten::var_mean",
    "aten::std.correction", "aten::var.correction", "aten::std_mean.correction", "aten::var_mean.correction",
    "aten::std.correction_out", "aten::var.correction_out",
}
LEFT_OUT_NAMES = {"aten::tensor", "aten::as_tensor", "aten::len", "aten::list"}
# Arguments that schemas require and C++ may leave out.
EXTRA_DEFAULTS = {("std", "dim"): "None", ("var", "dim"): "None", ("std_mean", "dim"): "None",
                  ("var_mean", "dim"): "None"}
KEYWORDS = {"and", "or", "xor", "not", "default", "new", "union", "operator", "register", "int", "float", "bool", "double",
            "char", "short", "long", "signed", "unsigned", "auto", "template", "class", "this", "using", "delete"}


class CppTypes:
    """What flavors have in common. One says how C++ names things (scalars, dtypes, optional, nullopt, dtype_prefix,
    format_prefix, memory_formats) and what a parameter's type is; with no_methods, which members it has by hand."""

    def default(self, parameter):
        text, kind = parameter.default, parameter.type
        if text == "None":
            return "{}" if parameter.role == "options" else self.nullopt
        if kind.is_list:
            return text.replace("[", "{").replace("]", "}")
        if kind.base == "bool":
            return text.lower()
        if kind.base == "str":
            return '"' + text[1:-1] + '"'
        if kind.base == "ScalarType" or parameter.role == "options":
            return self.dtype_prefix + self.dtypes[int(text)]
        if kind.base == "MemoryFormat":
            return self.format_prefix + self.memory_formats[int(text)]
        return text

    def result(self, signature):
        returns = [self.result_of(r.type) for r in signature.operator.returns]
        if not returns:
            return "void"
        return returns[0] if len(returns) == 1 else "std::tuple<" + ", ".join(returns) + ">"

    def result_of(self, kind):
        name = "std::string" if kind.base == "str" else self.scalars[kind.base]
        if kind.is_list:
            return f"std::vector<{name}>"
        return f"{self.optional}<{name}>" if kind.is_optional and kind.base != "Tensor" else name

    def is_known(self, signature):
        """Without lists of strings, and generators that are not left out."""
        arguments = signature.operator.arguments + signature.operator.returns
        return all(not (a.type.is_list and a.type.base in ("str", "Layout", "ScalarType")) for a in arguments) and \
            all(p.role != "generator" or p.default == "None" for p in signature.parameters) and \
            all(r.type.base != "Generator" for r in signature.operator.returns)


@dataclass(frozen=True)
class Parameter:
    name: str
    role: str             # "value", "options" (four arguments), "generator" or "output"
    type: Type
    default: str | None   # as the schema writes it


@dataclass(frozen=True)
class Signature:
    operator: object      # operator_lists.Operator
    name: str             # in C++: "add_", "add_out"
    parameters: tuple     # in the schema's order: what the operator's function is given
    is_method: bool       # one of the parameters is a Tensor named self

    @property
    def namespace(self):
        return self.operator.namespace

    @property
    def declared(self):
        """The parameters in the order of C++: outputs first."""
        outputs = [p for p in self.parameters if p.role == "output"]
        return outputs + [p for p in self.parameters if p.role != "output"]

    @property
    def returns_first(self):
        """The result is the tensor that is written to."""
        returns = self.operator.returns
        return len(returns) == 1 and returns[0].type.is_tensor and returns[0].type.is_written


def cpp_name(operator):
    name = operator.name
    if operator.outputs and not name.endswith("_out"):
        name += "_out"
    return name


def argument_name(name):
    return name + "_" if name in KEYWORDS else name


def parameters_of(operator):
    out, at, arguments = [], 0, operator.arguments
    outputs = set(operator.outputs)
    while at < len(arguments):
        argument = arguments[at]
        if tuple(a.name for a in arguments[at:at + 4]) == OPTION_NAMES and \
                tuple(a.type.base for a in arguments[at:at + 4]) == ("ScalarType", "Layout", "Device", "bool"):
            out.append(Parameter("options", "options", Type("TensorOptions"), arguments[at].default))
            at += 4
            continue
        role = "output" if argument in outputs else "generator" if argument.type.base == "Generator" else "value"
        default = argument.default
        if default is None:
            default = EXTRA_DEFAULTS.get((operator.name, argument.name))
        out.append(Parameter(argument_name(argument.name), role, argument.type, default))
        at += 1
    return tuple(without_early_defaults(out))


def without_early_defaults(parameters):
    """C++ has defaults at the end alone."""
    required = max((i for i, p in enumerate(parameters) if p.default is None and p.role in ("value", "options")),
                   default=-1)
    return [Parameter(p.name, p.role, p.type, None if i < required and p.role != "generator" else p.default)
            for i, p in enumerate(parameters)]


def is_function(operator):
    """Whether the operator has a place in a C++ API: it has to do with tensors, and C++ knows its types."""
    arguments = operator.arguments + operator.returns
    name = f"{operator.namespace}::{operator.name}"
    return (not operator.is_vararg and operator.namespace != "prim" and operator.full_name not in LEFT_OUT
            and name not in LEFT_OUT_NAMES
            and all(a.type.base in KNOWN_BASES for a in arguments)
            and any(a.type.base == "Tensor" for a in arguments)
            and not operator.overload.startswith("prim_") and not operator.overload.endswith("hacked_twin")
            and not operator.name.startswith("__")
            and not operator.name[0].isupper() and operator.name not in KEYWORDS)


def is_method(operator, no_methods):
    return (operator.namespace == "aten" and operator.self_index >= 0 and not operator.outputs
            and not operator.name.startswith(("_", "sym_")) and operator.name not in no_methods)


def may_be_confused(a, b, types):
    """Whether a call could mean both: the same types for some number of arguments that both may be called with."""
    first, second = [[p for p in s.declared if p.role != "generator"] for s in (a, b)]
    for count in range(max(required(first), required(second)), min(len(first), len(second)) + 1):
        if all(types.parameter(x) == types.parameter(y) for x, y in zip(first[:count], second[:count])):
            return True
    return False


def required(parameters):
    return sum(p.default is None for p in parameters)


def signatures(operators, types):
    chosen = {}  # by namespace and name
    out = []
    for operator in operators:
        if not is_function(operator):
            continue
        signature = Signature(operator, cpp_name(operator), parameters_of(operator),
                              is_method(operator, types.no_methods))
        if not types.is_known(signature):
            continue
        others = chosen.setdefault((operator.namespace, signature.name), [])
        confused = [o for o in others if may_be_confused(signature, o, types)]
        # Of two that a call could mean, the one with more to say; it can be asked for what the other does.
        if any(len(o.parameters) >= len(signature.parameters) for o in confused):
            continue
        for other in confused:
            others.remove(other)
            out.remove(other)
        others.append(signature)
        out.append(signature)
    return out
