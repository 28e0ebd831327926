"""Calling an operator as one node of a graph: the way to those with type variables, varargs or written lists,
which the Python binding does not take, and to a bool given as a Scalar, which it turns into an int."""
import torch

from . import schemas
from .wire import TypedList

C = torch._C
_BASIC = {bool: C.BoolType, int: C.IntType, float: C.FloatType, complex: C.ComplexType, str: C.StringType,
          type(None): C.NoneType, torch.device: C.DeviceObjType}


def _named(text):
    return {"int": C.IntType, "float": C.FloatType, "bool": C.BoolType, "str": C.StringType,
            "complex": C.ComplexType, "Tensor": C.TensorType}[text].get()


def type_of(value):
    if type(value) in _BASIC:
        return _BASIC[type(value)].get()
    if isinstance(value, torch.Tensor):
        return C.TensorType.get()
    if isinstance(value, TypedList):
        return C.ListType(_named(value.element))
    if isinstance(value, list):
        return C.ListType(_common([type_of(v) for v in value]))
    if isinstance(value, tuple):
        return C.TupleType([type_of(v) for v in value])
    if isinstance(value, dict):
        return C.DictType(_common([type_of(k) for k in value]), _common([type_of(v) for v in value.values()]))
    return value._type()


def _common(kinds):
    concrete = [k for k in kinds if k != C.NoneType.get()]
    if not concrete:
        return C.IntType.get()
    return concrete[0] if len(concrete) == len(kinds) else C.OptionalType(concrete[0])


def _is_bool_number(argument, value):
    return isinstance(value, bool) and str(argument.type) in ("number", "Optional[number]")


def needed(schema, full):
    if schemas.is_vararg(schema) or "..." in str(schema):
        return True
    for argument, value in zip(schema.arguments, full):
        if _is_bool_number(argument, value):
            return True
        if "VarType" in type(argument.type).__name__ or _has_variable(argument.type):
            return True
        written = argument.alias_info is not None and argument.alias_info.is_write
        if written and not str(argument.type).startswith(("Tensor", "List[Tensor]", "Optional[Tensor]")):
            return True
    return False


def _has_variable(kind):
    if kind.kind() == "VarType":
        return True
    inner = getattr(kind, "containedTypes", None)
    if inner is not None:
        return any(_has_variable(k) for k in inner())
    return kind.kind() in ("ListType", "OptionalType", "FutureType") and _has_variable(kind.getElementType()) \
        or kind.kind() == "DictType" and (_has_variable(kind.getKeyType()) or _has_variable(kind.getValueType())) \
        or kind.kind() == "TupleType" and any(_has_variable(k) for k in kind.elements())


def call(op, schema, full):
    """(result, arguments afterwards)"""
    graph = C.Graph()
    inputs = []
    for value in full:
        node_input = graph.addInput()
        node_input.setType(type_of(value))
        inputs.append(node_input)
    given = list(inputs)
    for i, argument in enumerate(schema.arguments):
        if _is_bool_number(argument, full[i]):
            cast = graph.create("prim::unchecked_cast", [inputs[i]], 1)
            graph.appendNode(cast)
            cast.output().setType(C.NumberType.get())
            given[i] = cast.output()
    node = graph.create(op.partition(".")[0], given, len(schema.returns))
    graph.appendNode(node)
    outputs = list(node.outputs())
    for output in outputs:
        output.setType(C.AnyType.get())
    if node.schema() != str(schema):
        raise TypeError(f"these arguments choose {node.schema()}, not {schema}")
    together = graph.create("prim::TupleConstruct", outputs + inputs, 1)
    graph.appendNode(together)
    together.output().setType(C.TupleType([v.type() for v in outputs + inputs]))
    graph.registerOutput(together.output())
    try:
        values = C._create_function_from_graph("case", graph)(*full)
    except Exception as e:
        text = str(e)
        marker = "RuntimeError: "
        raise RuntimeError(text[text.rindex(marker) + len(marker):].strip() if marker in text else text) from None
    count = len(outputs)
    result = None if count == 0 else values[0] if count == 1 else tuple(values[:count])
    return result, list(values[count:])
