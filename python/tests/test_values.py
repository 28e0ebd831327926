"""Values in and out: what a model takes and gives, and whose memory it is."""

import array
import collections
import gc
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
    with pytest.raises(ValueError, match="64 bits"):
        echo(2**63)


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


def test_objects_and_enums_are_values(data):
    model = wick.load(data / "lite" / "enums.ptl")
    cases = wick.load_tensors(str(data / "lite" / "enums.cases.pt"))
    assert model.methods and cases is not None
