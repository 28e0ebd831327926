"""PyTorch's operator schemas, and arguments brought into their order."""
import functools

import torch


@functools.lru_cache(maxsize=None)
def all_schemas():
    table = {}
    for schema in torch._C._jit_get_all_schemas():
        key = schema.name + ("." + schema.overload_name if schema.overload_name else "")
        table.setdefault(key, schema)
    return table


_FORMULAS = {}  # of operators that later PyTorches have


def later(text, formula):
    """Adds an operator this PyTorch lacks: its schema text, and a function of all its arguments that says the same
    with what this PyTorch has. The function writes to `out` and in-place arguments itself."""
    schema = torch._C.parse_schema(text)
    key = schema.name + ("." + schema.overload_name if schema.overload_name else "")
    all_schemas().setdefault(key, schema)
    _FORMULAS[key] = formula
    return key


def exists(op):
    return op in all_schemas()


def schema_of(op):
    try:
        return all_schemas()[op]
    except KeyError:
        raise KeyError(f"PyTorch has no operator {op}") from None


def is_vararg(schema):
    return "..." in str(schema).split("->")[0]


def fill(op, args, kwargs):
    """All arguments in schema order: keywords put in place, defaults filled in."""
    schema = schema_of(op)
    if is_vararg(schema):
        return list(args)
    full = list(args)
    kwargs = dict(kwargs)
    if len(full) > len(schema.arguments):
        raise TypeError(f"{op} takes {len(schema.arguments)} arguments, the case gives {len(full)}")
    for i in range(len(full), len(schema.arguments)):
        argument = schema.arguments[i]
        if argument.name in kwargs:
            full.append(kwargs.pop(argument.name))
        elif argument.has_default_value():
            full.append(argument.default_value)
        else:
            raise TypeError(f"{op}: the case gives no value for '{argument.name}'")
    if kwargs:
        raise TypeError(f"{op} has no argument named {', '.join(kwargs)}")
    return full


def written(op):
    """Numbers of the arguments the operator writes to."""
    return [i for i, a in enumerate(schema_of(op).arguments) if a.alias_info is not None and a.alias_info.is_write]


@functools.lru_cache(maxsize=None)
def overload(op):
    name, _, which = op.partition(".")
    return torch._C._get_operation_overload(name, which)[0]


def call(op, full):
    """Calls exactly this overload. `full` holds the arguments afterwards."""
    from . import graph_call
    schema = schema_of(op)
    if op in _FORMULAS:
        return _FORMULAS[op](*full)
    if graph_call.needed(schema, full):
        result, full[:] = graph_call.call(op, schema, full)
        return result
    positional, named = [], {}
    for value, argument in zip(full, schema.arguments):
        if argument.kwarg_only:
            named[argument.name] = value
        else:
            positional.append(value)
    return overload(op)(*positional, **named)
