"""Values as the runner reads and writes them; wire.h says what the tags mean."""
import torch

DTYPE_CODES = {torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4, torch.float16: 5,
               torch.float32: 6, torch.float64: 7, torch.complex32: 8, torch.complex64: 9, torch.complex128: 10,
               torch.bool: 11, torch.qint8: 12, torch.quint8: 13, torch.qint32: 14, torch.bfloat16: 15,
               torch.quint4x2: 16, torch.quint2x4: 17}
FORMAT_CODES = {torch.contiguous_format: 0, torch.preserve_format: 1, torch.channels_last: 2,
                torch.channels_last_3d: 3}
LAYOUT_CODES = {torch.strided: 0, torch.sparse_coo: 1, torch.sparse_csr: 2}


class Call:
    """An argument that an operator call makes, on both sides: for packed weights and other opaque objects."""

    def __init__(self, op, *args, **kwargs):
        self.op, self.args, self.kwargs = op, args, kwargs


class TypedList(list):
    """A list with a stated element type, for empty lists: TypedList("str")."""

    def __init__(self, element, items=()):
        super().__init__(items)
        self.element = element


class Generator:
    """A random generator argument with its seed."""

    def __init__(self, seed):
        self.seed = seed


def encode(value, type_text="", fixed_size=None):
    """`type_text` is the schema's type of this argument; ints become floats and lists where it asks for them."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        if type_text in ("float", "Optional[float]"):
            return float(value)
        if type_text in ("List[int]", "Optional[List[int]]") and fixed_size:
            return [value] * fixed_size
        return value
    if isinstance(value, float):
        return value
    if isinstance(value, complex):
        return ("#complex", value.real, value.imag)
    if isinstance(value, torch.device):
        return ("#device", str(value))
    if isinstance(value, torch.dtype):
        return DTYPE_CODES[value]
    if isinstance(value, torch.memory_format):
        return FORMAT_CODES[value]
    if isinstance(value, torch.layout):
        return LAYOUT_CODES[value]
    if isinstance(value, torch.Tensor):
        return value.detach().resolve_conj().resolve_neg()
    if isinstance(value, Call):
        from . import schemas
        return ("#call", value.op, encode_args(value.op, schemas.fill(value.op, value.args, value.kwargs)))
    if isinstance(value, Generator):
        return ("#generator", value.seed)
    if isinstance(value, TypedList):
        return ("#list", value.element, [encode(v) for v in value])
    if isinstance(value, list):
        inner = type_text[type_text.index("[") + 1:-1] if "[" in type_text else ""
        return [encode(v, inner) for v in value]
    if isinstance(value, tuple):
        return tuple(encode(v) for v in value)
    if isinstance(value, dict):
        return {encode(k): encode(v) for k, v in value.items()}
    raise TypeError(f"a case cannot hold a {type(value).__name__}")


def encode_args(op, full):
    from . import schemas
    schema = schemas.schema_of(op)
    if schemas.is_vararg(schema):
        return [encode(v) for v in full]
    return [encode(v, str(a.type), a.N) for v, a in zip(full, schema.arguments)]


def live(value):
    """The argument as PyTorch takes it: calls made, generators seeded."""
    if isinstance(value, Call):
        from . import schemas
        return schemas.call(value.op, [live(v) for v in schemas.fill(value.op, value.args, value.kwargs)])
    if isinstance(value, Generator):
        return torch.Generator().manual_seed(value.seed)
    if type(value) is list:
        return [live(v) for v in value]
    return value


def plain(value):
    """A PyTorch result in the form the runner's results have."""
    if isinstance(value, (type(None), bool, int, float, str)):
        return value
    if isinstance(value, torch.Tensor):
        return value.detach().resolve_conj().resolve_neg()
    if isinstance(value, (complex, torch.device, torch.dtype, torch.memory_format, torch.layout)):
        return encode(value)
    if isinstance(value, tuple):
        return tuple(plain(v) for v in value)
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {plain(k): plain(v) for k, v in value.items()}
    if isinstance(value, torch._C.Future):
        return ("#future", plain(value.wait()))
    if hasattr(value, "name") and hasattr(value, "value") and type(value).__mro__[1].__name__ == "Enum":
        return ("#enum", type(value).__name__, plain(value.value))
    return ("#opaque", type(value).__name__)
