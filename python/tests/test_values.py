"""Values in and out: what a model takes and gives, and whose memory it is."""

import array
import collections
import copy
import ctypes
import gc
import pickle
import sys
import weakref

import pytest
import wick

np = pytest.importorskip("numpy")

ECHO = "  def forward(self: __torch__.M, x: Any) -> Any:\n    return x\n"


@pytest.fixture(scope="module")
def echo(script):
    return script(ECHO)


@pytest.mark.parametrize(
    "value", [None, True, 3, -(2**63), 2.5, 1 + 2j, "text", "", "gr\u00fc\u00df", [1, 2], [], (), (1, "a"), {"a": 1}, {},
              {1: [2.0]}, [[1], [2]], ("x", None, [True])]
)
def test_plain_values_come_back(echo, value):
    assert echo(value) == value
    assert type(echo(value)) is type(value)


def test_integers_beyond_64_bits_are_refused(echo):
    t = wick.tensor([1, 2, 3])
    for wrong in (
        lambda: echo(2**63), lambda: echo([-(2**63) - 1]), lambda: wick.tensor([2**63]), lambda: t + 2**64,
        lambda: t[2**63], lambda: t[0, -(2**70)], lambda: echo(np.uint64(2**63)), lambda: wick.asarray(2**100),
    ):
        with pytest.raises(OverflowError, match="64 bits"):
            wrong()
    assert t[: 2**70].tolist() == [1, 2, 3] and t[-(2**70) :: 2**63 - 1].tolist() == [1] and t[2**63 :].tolist() == []
    with pytest.raises(TypeError):
        t[1.5:]


def test_unknown_types_say_what_is_expected(echo):
    with pytest.raises(TypeError, match="takes no object"):
        echo(object())
    loop = []
    loop.append(loop)
    with pytest.raises(ValueError, match="nested"):
        echo(loop)


def test_named_tuples_stay_named(echo):
    Point = collections.namedtuple("Point", "x y")
    back = echo(Point(1, [2.0]))
    assert back._fields == ("x", "y") and back == (1, [2.0]) and type(back).__name__ == "Point"
    assert type(echo(Point(1, [2.0]))) is type(back)


@pytest.mark.parametrize(
    "dtype", ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex64",
              "complex128", "uint16", "uint32", "uint64"]
)
def test_numpy_arrays_are_not_copied(echo, dtype):
    a = np.arange(24).reshape(2, 3, 4).astype(dtype)
    out = echo(a)
    assert out.dtype == dtype and out.shape == (2, 3, 4)
    assert out.data_ptr() == a.ctypes.data
    assert np.asarray(out).ctypes.data == a.ctypes.data
    assert np.asarray(out).dtype == a.dtype and (np.asarray(out) == a).all()


def test_strided_arrays_are_not_copied(echo):
    a = np.arange(24, dtype="float32").reshape(4, 6)
    for view in (a.T, a[::2, 1:], a[1]):
        out = echo(view)
        assert out.data_ptr() == view.ctypes.data
        assert (np.asarray(out) == view).all() and np.asarray(out).strides == view.strides


def test_memory_that_cannot_be_used_is_copied(echo):
    a = np.arange(6, dtype="float32").reshape(2, 3)
    frozen = a.copy()
    frozen.flags.writeable = False
    misaligned = np.frombuffer(bytearray(25), dtype="uint8")[1:].view("float32")
    for view in (a[::-1], frozen, np.broadcast_to(np.float32(3), (2, 3)), misaligned):
        out = echo(view)
        assert out.data_ptr() != view.ctypes.data and (np.asarray(out) == view).all()


def test_empty_and_zero_dim_arrays(echo):
    assert echo(np.zeros((0, 3), "float32")).shape == (0, 3)
    assert np.asarray(echo(np.zeros((2, 0)))).shape == (2, 0)
    scalar = echo(np.array(7, "int32"))
    assert scalar.shape == () and scalar.item() == 7 and int(scalar) == 7 and [10, 20][echo(np.array(1))] == 20


def test_numpy_scalars_are_numbers(script):
    model = script("  def forward(self: __torch__.M, n: int, f: float) -> Tuple[int, float]:\n    return (n, f)\n")
    assert model(np.int64(3), np.float32(0.5)) == (3, 0.5)


def test_numpy_scalars_of_every_kind(echo):
    for value, wanted in [
        (np.longdouble(1.5), 1.5), (np.clongdouble(1 + 2j), 1 + 2j), (np.float16(0.5), 0.5), (np.bool_(True), True),
        (np.complex64(2j), 2j), (np.uint8(7), 7), (np.timedelta64, TypeError), (np.str_("x"), "x"),
    ]:
        if wanted is not TypeError:
            assert echo(value) == wanted and type(echo(value)) is type(wanted), value
    for value in (np.datetime64("2020-01-01", "ns"), np.timedelta64(3, "ns"), np.void(b"ab")):
        with pytest.raises(TypeError, match="a model takes no numpy"):
            echo(value)
    assert (wick.tensor([1.0]) * np.longdouble(3)).tolist() == [3]


def test_bfloat16_and_dates_of_numpy(echo):
    with pytest.raises(TypeError, match=r"datetime64\[ns\].*astype"):
        echo(np.array(["2020-01-01"], "datetime64[ns]"))
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a = np.arange(6, dtype=ml_dtypes.bfloat16).reshape(2, 3)
    t = wick.asarray(a)
    assert t.dtype == "bfloat16" and t.data_ptr() == a.ctypes.data and t.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert wick.asarray(a.T).strides == (1, 3) and wick.tensor(a).data_ptr() != a.ctypes.data
    a[0, 0] = 9
    assert t[0, 0].item() == 9
    assert wick.asarray(np.ones(2, ml_dtypes.float8_e4m3fn)).dtype == "float8_e4m3fn"
    assert echo(ml_dtypes.bfloat16(1.5)) == 1.5


def test_a_dict_that_changes_while_it_is_converted(echo):
    given = {}

    class Array:
        def __array__(self, dtype=None, copy=None):
            for i in range(1000):
                given[f"new {i}"] = i
            return np.ones(2, "float32")

    for i in range(4):
        given[f"old {i}"] = Array()
    assert list(echo(given)) == ["old 0", "old 1", "old 2", "old 3"]


def test_devices(script):
    model = script("  def forward(self: __torch__.M, d: Device) -> Device:\n    return d\n")
    back = model(wick.Device("cuda:1"))
    assert back == "cuda:1" and isinstance(back, wick.Device) and repr(back) == "wick.Device('cuda:1')"
    assert (back.type, back.number) == ("cuda", 1) and wick.Device("cpu").number is None
    assert model(back) == back and pickle.loads(pickle.dumps(back)) == back
    with pytest.raises(ValueError, match="nonsense"):
        wick.Device("nonsense")
    torch = pytest.importorskip("torch")
    assert model(torch.device("cuda", 1)) == "cuda:1"


def test_byte_order_and_types_that_are_no_tensors(echo):
    with pytest.raises(TypeError, match="astype"):
        echo(np.zeros(3, ">f4"))
    with pytest.raises(TypeError):
        echo(np.array(["a"]))


def test_buffers(echo):
    data = array.array("d", [1, 2, 3])
    assert echo(data).tolist() == [1, 2, 3] and echo(data).dtype == "float64"
    assert echo(data).data_ptr() == data.buffer_info()[0]
    assert echo(b"abc").tolist() == [97, 98, 99] and echo(bytearray(b"x")).dtype == "uint8"
    assert memoryview(echo(data)).tolist() == [1, 2, 3]


def test_lists_of_arrays(script):
    model = script(
        "  def forward(self: __torch__.M, xs: List[Tensor], d: Dict[str, Tensor]) -> Tuple[Tensor, int]:\n"
        "    return (torch.add(torch.index_select(xs[0], 0, xs[1]), d[\"a\"]), torch.len(xs))\n"
    )
    result, count = model([np.ones(3, "float32"), np.array([0, 2])], {"a": np.full(2, 4, "float32")})
    assert result.tolist() == [5, 5] and count == 2


def test_input_is_held_while_it_is_used(echo):
    a = np.ones(1000, "float32")
    before = sys.getrefcount(a)
    out = echo(a)
    assert sys.getrefcount(a) == before + 1
    with pytest.raises(ValueError):
        a.resize(10)
    del out
    gc.collect()
    assert sys.getrefcount(a) == before


def test_result_is_held_while_it_is_used(script):
    model = script("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return torch.add(x, 1)\n")
    view = np.asarray(model(np.zeros(100000, "float32")))
    del model
    gc.collect()
    others = [np.full(100000, 7, "float32") for _ in range(20)]
    assert (view == 1).all() and len(others) == 20
    part = memoryview(wick.tensor([1.0, 2.0]))
    gc.collect()
    assert part.tolist() == [1.0, 2.0]


def test_writes_are_shared(echo):
    a = np.zeros(4, "float32")
    out = echo(a)
    a[1] = 5
    out[2] = 6
    assert out.tolist() == [0, 5, 6, 0] and a.tolist() == [0, 5, 6, 0]


def test_tensors_are_weak_referenceable(echo):
    t = echo(np.zeros(2))
    ref = weakref.ref(t)
    del t
    gc.collect()
    assert ref() is None


def test_indices_and_arithmetic():
    t = wick.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert t.shape == (2, 3) and t.dtype == "float32" and len(t) == 2 and t.ndim == 2 and t.size == 6
    assert t[0, 1:].tolist() == [2, 3] and t[..., 0].tolist() == [1, 4] and t[None].shape == (1, 2, 3)
    assert t[t > 2].tolist() == [3, 4, 5, 6] and t[-1][0].item() == 4
    assert (t + 1)[0].tolist() == [2, 3, 4] and (2 * t)[0, 0].item() == 2 and (1 - t)[0].tolist() == [0, -1, -2]
    assert (t / t).sum().item() == 6 and (-t).max().item() == -1 and (6 / t)[1, 2].item() == pytest.approx(1)
    assert t.softmax().sum(1).tolist() == pytest.approx([1, 1]) and t.argmax(1).tolist() == [2, 2]
    values, where = t.topk(2)
    assert values.tolist() == [[3, 2], [6, 5]] and where.tolist() == [[2, 1], [2, 1]]
    assert t.reshape([3, 2]).shape == (3, 2) and t.permute([1, 0]).strides == (1, 3)
    assert t.to("int64").dtype == "int64" and t.to(np.float64).dtype == "float64"
    assert [row.tolist() for row in t] == [[1, 2, 3], [4, 5, 6]]
    with pytest.raises(IndexError):
        t[5]


def test_indices_of_numpy():
    t = wick.tensor(np.arange(12, dtype="float32").reshape(3, 4))
    a = t.numpy()
    for at in (np.array([0, 2]), np.array([0, 2], "int32"), np.array([True, False, True]), np.int64(1), np.array(1),
               (slice(None), np.array([3, 0])), (np.array([0, 1]), np.array([1, 2])), [0, 2], a > 4, np.bool_(True), []):
        wanted = a[at if not isinstance(at, list) else np.array(at, "int64")]
        got = t[at]
        assert got.shape == wanted.shape and got.tolist() == wanted.tolist(), at
    with pytest.raises(TypeError):
        t[np.float32(1)]
    with pytest.raises(TypeError):
        t[object()]


def test_items_are_set():
    a = np.zeros((3, 4), "float32")
    t = wick.asarray(a)
    t[0] = 1
    t[1, 2] = 5.0
    t[2, 1:3] = [7, 8]
    t[..., 3] = np.array([1, 2, 3])
    assert a.tolist() == [[1, 1, 1, 1], [0, 0, 5, 2], [0, 7, 8, 3]]
    t[t > 4] = -1
    t[np.array([0, 2]), 0] = 9
    assert a.tolist() == [[9, 1, 1, 1], [0, 0, -1, 2], [9, -1, -1, 3]]
    n = wick.tensor([1, 2])
    n[0] = 2.9
    assert n.tolist() == [2, 2]
    with pytest.raises(IndexError):
        t[3] = 0
    with pytest.raises(ValueError):
        t[0] = [1, 2, 3]
    with pytest.raises(TypeError):
        t[0] = "text"


def test_comparisons_with_what_is_no_tensor():
    t = wick.tensor([1, 2])
    for other in (None, object(), "text", ["a"], np.array(["a", "b"]), {}, wick.Device("cpu")):
        assert (t == other) is False and (t != other) is True, other
    assert None not in [t] and t in [t]
    assert (t == [1, 3]).tolist() == [True, False] and (t != 1).tolist() == [False, True]

    class Other:
        def __eq__(self, other):
            return "asked"

        def __radd__(self, other):
            return "added"

    assert (t == Other()) == "asked" and t + Other() == "added"
    for wrong in (lambda: t < None, lambda: t + None, lambda: t + "a", lambda: object() * t, lambda: t @ object()):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.parametrize("name", ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor", "matmul"])
def test_operators_of_python(name):
    import operator

    work = getattr(operator, name)
    kinds = ["int64"] if name in ("and_", "or_", "xor") else ["int64", "float32", "float64"]
    for dtype in kinds:
        a, b = np.array([[7, 2], [5, 3]], dtype), np.array([[2, 3], [1, 2]], dtype)
        for left, right in ((wick.asarray(a), wick.asarray(b)), (a, wick.asarray(b)), (wick.asarray(a), b)):
            got = work(left, right)
            assert isinstance(got, wick.Tensor) and np.allclose(got.numpy(), work(a, b)), (dtype, type(left))
        if name != "matmul":
            for left, right in ((wick.asarray(a), 3), (3, wick.asarray(a)), (np.int64(3), wick.asarray(a))):
                got = work(left, right)
                plain = [np.asarray(side) if isinstance(side, wick.Tensor) else side for side in (left, right)]
                assert isinstance(got, wick.Tensor) and np.allclose(got.numpy(), work(*plain)), (dtype, left)
                assert got.dtype == dtype or name == "truediv"
    if name in ("floordiv", "mod", "pow"):
        assert work(2.5, wick.tensor([1, 2])).dtype == "float32"


def test_invert():
    assert (~wick.tensor([0, 5])).tolist() == [-1, -6] and (~wick.tensor([True, False])).tolist() == [False, True]
    assert (wick.tensor([True, False]) & True).tolist() == [True, False]


def test_pickles_and_copies():
    for t in (wick.tensor(np.arange(6, dtype="float32").reshape(2, 3)).permute([1, 0]), wick.tensor([True]),
              wick.tensor([1.5, 2.5]).to("bfloat16"), wick.tensor(np.zeros((0, 3))), wick.tensor(3 + 4j)):
        for protocol in (2, pickle.HIGHEST_PROTOCOL):
            back = pickle.loads(pickle.dumps(t, protocol))
            assert (back.dtype, back.shape, back.tolist()) == (t.dtype, t.shape, t.tolist())
        deep = copy.deepcopy({"a": t})["a"]
        assert deep.tolist() == t.tolist() and (t.size == 0 or deep.data_ptr() != t.data_ptr())
        assert copy.copy(t).data_ptr() == t.data_ptr()


def test_quantized_tensors_are_not_pickled(script):
    quantize = script(
        "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return torch.quantize_per_tensor(x, 0.5, 0, 13)\n"
    )
    t = quantize(np.arange(3, dtype="float32"))
    assert t.is_quantized and t.numpy().tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="dequantize"):
        pickle.dumps(t)
    with pytest.raises(ValueError, match="without a copy"):
        t.__array__(copy=False)
    assert copy.deepcopy(t).is_quantized


def test_repr_shows_shapes():
    assert "float32 [2, 3]" in repr(wick.tensor(np.zeros((2, 3), "float32")))
    assert "int64 [5000]" in repr(wick.tensor(np.arange(5000))) and len(repr(wick.tensor(np.arange(5000)))) < 200


def test_ragged_lists_are_refused():
    with pytest.raises(ValueError):
        wick.tensor([[1, 2], [3]])
    with pytest.raises(ValueError):
        wick.tensor([1, [2]])


def test_tensor_copies_and_asarray_does_not():
    a = np.zeros(3, "float32")
    assert wick.tensor(a).data_ptr() != a.ctypes.data and wick.asarray(a).data_ptr() == a.ctypes.data
    assert wick.tensor([True, False]).dtype == "bool" and wick.tensor([1, 2]).dtype == "int64"


def test_dlpack_both_ways():
    a = np.arange(6, dtype="float32").reshape(2, 3)
    t = wick.asarray(a)
    back = np.from_dlpack(t)
    assert back.ctypes.data == a.ctypes.data and back.shape == (2, 3)
    capsule = t.__dlpack__()
    del t, capsule, back
    gc.collect()
    assert a.sum() == 15
    assert wick.tensor([1.0]).__dlpack_device__() == (1, 0)


def test_what_consumers_ask_for():
    t = wick.tensor([1.0, 2.0])
    address = t.data_ptr()
    assert t.__array__(copy=False).ctypes.data == address and t.__array__("float32", copy=False).ctypes.data == address
    assert t.__array__(copy=True).ctypes.data != address and t.__array__("float64").dtype == "float64"
    for wrong in (lambda: t.__array__("float64", copy=False), lambda: t.to("bfloat16").__array__(copy=False)):
        with pytest.raises(ValueError, match="without a copy"):
            wrong()
    for device in ((2, 0), (1, 1), (10, 0)):
        with pytest.raises(BufferError, match="processor"):
            t.__dlpack__(dl_device=device)
    assert wick.asarray(t.__dlpack__(dl_device=(1, 0), max_version=(1, 0))).data_ptr() == address
    assert wick.asarray(t.__dlpack__(copy=False)).data_ptr() == address
    copied = t.__dlpack__(copy=True, max_version=(1, 0))
    assert flags_of(copied) == 2 and flags_of(t.__dlpack__(max_version=(1, 0))) == 0
    assert wick.asarray(copied).data_ptr() != address


def flags_of(capsule):
    """Of DLManagedTensorVersioned: behind the version, the context and the deleter."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.c_uint64.from_address(get(capsule, b"dltensor_versioned") + 8 + 2 * ctypes.sizeof(ctypes.c_void_p)).value


def test_damaged_dlpack_tensors():
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    dims, shape, strides = 16, 24, 32  # where they are in DLTensor
    for at, kind, value in (
        (dims, ctypes.c_int32, -1),
        (dims, ctypes.c_int32, -(2**31)),
        (shape, ctypes.c_void_p, None),
        (0, ctypes.c_void_p, None),
    ):
        capsule = wick.tensor([1.0, 2.0]).__dlpack__()
        kind.from_address(get(capsule, b"dltensor") + at).value = value
        with pytest.raises((BufferError, wick.Error)):
            wick.asarray(capsule)
    capsule = wick.tensor([1.0, 2.0]).__dlpack__()
    wide = (ctypes.c_int64 * 1)(2**62)
    ctypes.c_void_p.from_address(get(capsule, b"dltensor") + strides).value = ctypes.addressof(wide)
    with pytest.raises(wick.Error):
        wick.asarray(capsule)


def test_torch_tensors():
    torch = pytest.importorskip("torch")
    x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    t = wick.asarray(x)
    assert t.data_ptr() == x.data_ptr() and t.shape == (2, 3)
    assert torch.from_dlpack(t).data_ptr() == x.data_ptr()
    assert wick.asarray(x.t()).strides == (1, 3)
    half = wick.asarray(torch.ones(2, dtype=torch.bfloat16))
    assert half.dtype == "bfloat16" and half.numpy().tolist() == [1, 1]
    with pytest.raises(BufferError, match="to\\('float32'\\)"):
        memoryview(half)
    address = x.data_ptr()
    del x
    gc.collect()
    assert t.data_ptr() == address and t.tolist() == [[0, 1, 2], [3, 4, 5]]


ITEM = (
    "  def forward(self: __torch__.M, n: int) -> __torch__.Item:\n"
    "    item = __torch__.Item.__new__(__torch__.Item)\n"
    "    _0 = (item).__init__(n, \"a name\", )\n"
    "    return item\n"
    "  def number(self: __torch__.M, item: __torch__.Item) -> int:\n"
    "    return item.type\n"
    "\n"
    "class Item:\n"
    "  type : int\n"
    "  name : str\n"
    "  def __init__(self: __torch__.Item, type: int, name: str) -> NoneType:\n"
    "    self.type = type\n"
    "    self.name = name\n"
    "    return None\n"
)


def test_objects_are_values(script):
    model = script(ITEM)
    item = model(3)
    assert isinstance(item, wick.Value) and "Item" in repr(item)
    assert item.type == 3 and item.name == "a name" and {"type", "name"} <= set(dir(item))  # the object's own
    assert model.number(item) == 3
    other = model(3)
    assert item == item and item != other and item != 3 and len({item, other, item}) == 2
    with pytest.raises(AttributeError, match="value"):
        item.value
    with pytest.raises(AttributeError):
        item.type = 4


def test_enums_are_values(data):
    color = wick.load(data / "lite" / "enums.ptl").color
    assert isinstance(color, wick.Value) and color.name == "GREEN" and color.value == 2 and "Color" in color.type
    again = wick.load(data / "lite" / "enums.ptl").color
    assert color == again and hash(color) == hash(again) and {color: 1}[again] == 1
    assert color != 2 and color != "GREEN" and {"type", "name", "value"} <= set(dir(color))
    with pytest.raises(AttributeError, match="nothing"):
        color.nothing


def test_sequences_and_mappings_of_python(script):
    import collections
    import types

    numbers = script("  def forward(self: __torch__.M, x: List[int]) -> List[int]:\n    return x\n")
    tensors = script("  def forward(self: __torch__.M, x: Dict[str, Tensor]) -> Dict[str, Tensor]:\n    return x\n")
    a = np.zeros(1, "float32")
    assert numbers(range(3)) == [0, 1, 2] and numbers(collections.deque([4, 5])) == [4, 5]
    for mapping in (types.MappingProxyType({"a": a}), collections.UserDict(a=a), collections.ChainMap({"a": a}),
                    collections.OrderedDict(a=a), collections.defaultdict(int, a=a)):
        assert list(tensors(mapping)) == ["a"]
    for wrong in ({1, 2}, (i for i in range(3)), object()):
        with pytest.raises(TypeError, match="a model takes no"):
            numbers(wrong)
    ring = collections.deque()
    ring.append(ring)
    with pytest.raises(ValueError, match="200 deep"):
        numbers(ring)


def test_functions_of_numpy_take_tensors():
    a = np.array([[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]], "float32")
    t = wick.tensor(a)
    for name in ("sum", "mean", "max", "min", "argmax", "argmin", "squeeze", "transpose", "sort", "std", "prod", "any", "clip",
                 "round", "ravel", "exp", "sqrt", "abs", "concatenate", "stack", "cumsum", "ptp", "median"):
        arguments = (2, 4) if name == "clip" else ()
        given, wanted = (([t, t], [a, a]) if name in ("concatenate", "stack") else (t, a))
        assert np.allclose(np.asarray(getattr(np, name)(given, *arguments)), getattr(np, name)(wanted, *arguments)), name
    for name in ("sum", "mean", "max", "min", "argmax", "argmin"):
        for axis in (0, 1, -1):
            for keepdims in (False, True):
                got, wanted = (getattr(np, name)(x, axis=axis, keepdims=keepdims) for x in (t, a))
                assert np.asarray(got).shape == wanted.shape and np.allclose(got, wanted), (name, axis, keepdims)
    assert np.sum(t, axis=(0, 1)).item() == a.sum() and np.sum(t, dtype="float64").dtype == "float64"
    with pytest.raises(TypeError, match="one thing"):
        t.sum(0, axis=1)
    with pytest.raises(TypeError, match="out is not supported"):
        t.sum(out=a)


def test_methods_of_pytorch():
    t = wick.tensor([[1.0, 5.0, 2.0], [4.0, 3.0, 6.0]])
    values, where = t.max(1)
    assert values.tolist() == [5, 6] and where.tolist() == [1, 2] and t.max(axis=1).tolist() == [5, 6]
    assert t.sum(dim=(0, 1)).item() == 21 and t.sum(1, keepdim=True).shape == (2, 1) and t.min(0)[0].tolist() == [1, 3, 2]
    assert t.reshape(3, 2).shape == t.reshape((3, 2)).shape == t.reshape([3, -1]).shape == t.view(3, 2).shape == (3, 2)
    assert t.permute(1, 0).shape == t.permute([1, 0]).shape == t.T.shape == t.t().shape == t.transpose(0, 1).shape == (3, 2)
    assert t.unsqueeze(0).shape == (1, 2, 3) and t.unsqueeze(0).squeeze(0).shape == t.unsqueeze(0).squeeze().shape == (2, 3)
    assert t.flatten().shape == (6,) and t.flatten(0, 1).shape == (6,) and t.unsqueeze(0).flatten(1).shape == (1, 6)
    assert t.sort(descending=True)[0].tolist() == [[5, 2, 1], [6, 4, 3]] and t.argsort()[0].tolist() == [0, 2, 1]
    assert t.clamp(2, 4).tolist() == [[2, 4, 2], [4, 3, 4]] and t.clamp(min=3).min().item() == 3
    assert t.log_softmax(1).exp().sum(1).tolist() == pytest.approx([1, 1]) and t.sqrt().abs().log().shape == (2, 3)
    assert wick.tensor([0.0]).sigmoid().item() == 0.5
    plain = t.detach().cpu().float().numpy()
    assert plain.ctypes.data == t.data_ptr() and t.to("cpu").data_ptr() == t.data_ptr() and str(t.device) == "cpu"
    assert t.clone().data_ptr() != t.data_ptr() and t.numel() == 6 and t.dim() == 2
    kinds = [x.dtype for x in (t.double(), t.half(), t.long(), t.int(), t.bool(), t.astype("f8"), t.to("i4"), t.to("?"))]
    assert kinds == ["float64", "float16", "int64", "int32", "bool", "float64", "int32", "bool"]
    for wrong in (lambda: t.reshape(), lambda: t.reshape(4), lambda: t.view("a"), lambda: t.transpose(0), lambda: t.to("f3")):
        with pytest.raises((TypeError, ValueError)):
            wrong()


def test_assignments_write_into_the_tensor():
    a = np.array([1.0, 2.0], "float32")
    t = same = wick.asarray(a)
    t += 1
    t *= [2, 3]
    t -= wick.tensor([1.0, 1.0])
    t /= 2
    assert t is same and a.tolist() == [1.5, 4.0]
    n = wick.tensor([1, 2])
    n += 1
    assert n.tolist() == [2, 3] and n.dtype == "int64"
    with pytest.raises(TypeError, match="cannot be kept"):
        n += 0.5
    with pytest.raises(ValueError, match="does not fit"):
        n += wick.tensor([[1], [2]])
    with pytest.raises(TypeError):
        n += "text"
    assert n.tolist() == [2, 3]


def test_numbers_are_formatted():
    assert f"{wick.tensor(2.5):.3f}" == "2.500" and f"{wick.tensor([7]):04d}" == "0007" and "%.1f" % wick.tensor(2.25) == "2.2"
    assert f"{wick.tensor([1, 2])}" == str(wick.tensor([1, 2])) and round(wick.tensor(2.567), 2) == 2.57 and round(wick.tensor(2.5)) == 2
    with pytest.raises(TypeError, match="one number"):
        f"{wick.tensor([1, 2]):.3f}"


def test_what_is_made_otherwise_says_how():
    for make, advice in ((wick.Tensor, "wick.tensor"), (wick.Module, "wick.load"), (wick.Method, "get_method")):
        with pytest.raises(TypeError, match=advice):
            make()
        with pytest.raises(TypeError, match=advice):
            make([1], name=2)


def test_errors_say_what_makes_the_argument(script):
    tensor = script("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return x\n")
    number = script("  def forward(self: __torch__.M, x: int) -> int:\n    return x\n")
    device = script("  def forward(self: __torch__.M, x: Device) -> Device:\n    return x\n")
    numbers = script("  def forward(self: __torch__.M, x: List[int]) -> List[int]:\n    return x\n")
    for model, given, advice in ((tensor, [1.0, 2.0], "wick.tensor"), (tensor, 3, "wick.tensor"), (number, np.array(3), "item"),
                                 (device, "cpu", "wick.Device"), (numbers, np.array([1, 2]), "tolist")):
        with pytest.raises(wick.InvalidArgumentError, match=advice):
            model(given)
    with pytest.raises(wick.InvalidArgumentError) as plain:
        tensor("text")
    assert "makes" not in str(plain.value)


def test_dtypes_of_torch_are_numbers(script):
    torch = pytest.importorskip("torch")
    cast = script("  def forward(self: __torch__.M, x: Tensor, dtype: int) -> Tensor:\n    return torch.to(x, dtype)\n")
    assert cast(torch.ones(2), torch.int16).dtype == "int16" and cast(torch.ones(2), dtype=torch.float64).dtype == "float64"
    assert cast(torch.ones(2, 3).t(), torch.float32).shape == tuple(torch.Size([3, 2]))
    weight = torch.nn.Parameter(torch.ones(2))
    with pytest.raises((BufferError, RuntimeError), match="detach"):
        cast(weight, torch.int16)
    assert cast(weight.detach(), torch.int16).tolist() == [1, 1]
