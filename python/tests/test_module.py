"""Loading, calling, attributes, errors."""

import copy
import errno
import io
import pathlib
import pickle

import pytest
import wick

np = pytest.importorskip("numpy")


def test_load_from_path_bytes_and_file(segment):
    names = set(wick.load(segment).methods)
    assert "forward" in names
    assert set(wick.load(str(segment)).methods) == names
    data = pathlib.Path(segment).read_bytes()
    assert set(wick.load(data).methods) == names
    assert set(wick.load(memoryview(data)).methods) == names
    assert set(wick.load(io.BytesIO(data)).methods) == names
    with open(segment, "rb") as file:
        assert set(wick.load(file, copy=True).methods) == names


def test_what_cannot_be_loaded(tmp_path):
    with pytest.raises(FileNotFoundError) as missing:
        wick.load(tmp_path / "nope.ptl")
    assert isinstance(missing.value, wick.NotFoundError) and missing.value.code == "not_found"
    assert str(missing.value).count("nope.ptl") == 1
    with pytest.raises(wick.CorruptFileError) as bad:
        wick.load(b"these are not the bytes of a model")
    assert bad.value.code == "corrupt_file"
    with pytest.raises(TypeError, match="rb"):
        wick.load(3)


def test_files_that_cannot_be_opened(tmp_path):
    nope = tmp_path / "nope.ptl"
    for read in (wick.load, wick.image, wick.load_tensors, wick.trace):
        with pytest.raises(FileNotFoundError) as missing:
            read(nope)
        e = missing.value
        assert isinstance(e, wick.Error) and e.errno == errno.ENOENT and e.filename == str(nope) and e.strerror
        assert str(e).count("nope.ptl") == 1 and e.code == "not_found"
    assert wick.check(nope).problem.errno == errno.ENOENT
    with pytest.raises(OSError) as folder:
        wick.load(tmp_path)
    assert folder.value.errno == errno.EISDIR and folder.value.code == "io" and folder.value.filename == str(tmp_path)
    assert "directory" in str(folder.value) and not str(folder.value).startswith("[Errno")
    with pytest.raises(OSError) as refused:
        wick.save_tensors(1, tmp_path / "no" / "t.pt")
    assert refused.value.errno == errno.ENOENT and isinstance(refused.value, wick.FileError)
    again = pickle.loads(pickle.dumps(folder.value))
    assert str(again) == str(folder.value) and again.code == "io"


def test_methods_attributes_and_files(data):
    model = wick.load(data / "script" / "tree.pt")
    assert "forward" in model.methods and callable(model.methods["forward"])
    assert model.parameters and all(isinstance(t, wick.Tensor) for t in model.parameters.values())
    name, tensor = next(iter(model.parameters.items()))
    assert model.get_attribute(name).data_ptr() == tensor.data_ptr()
    assert "forward" in repr(model) and name in repr(model)
    with pytest.raises(AttributeError, match="no_such"):
        model.no_such
    with pytest.raises(wick.NotFoundError):
        model.get_method("no_such")


def test_keywords_and_defaults(script):
    model = script(
        "  def forward(self: __torch__.M, x: Tensor, scale: float=2., shift: int=0) -> Tensor:\n"
        "    return torch.add(torch.mul(x, scale), shift)\n"
    )
    x = np.ones(2, "float32")
    assert model(x).tolist() == [2, 2]
    assert model(x, shift=3).tolist() == [5, 5]
    assert model(scale=4.0, x=x).tolist() == [4, 4]
    assert model.forward(x, 1.0, shift=1).tolist() == [2, 2]
    assert model.run((x,), {"shift": 5}).tolist() == [7, 7]
    assert model.forward.arguments[1] == {"name": "scale", "type": "float", "default": 2.0}
    with pytest.raises(TypeError, match="takes no argument 'y'; it takes x, scale, shift"):
        model(y=1)
    for bad, message in [({"shif": 1}, "takes no argument 'shif'"), ({"x": x}, "twice"), ({}, None)]:
        if message:
            with pytest.raises(TypeError, match=message):
                model(x, **bad)
    with pytest.raises(TypeError, match="needs the argument 'x'"):
        model(shift=1)
    with pytest.raises(wick.InvalidArgumentError):
        model()


def test_set_attribute(data):
    model = wick.load(data / "script" / "tree.pt")
    name, tensor = next(iter(model.parameters.items()))
    model.set_attribute(name, np.zeros(tensor.shape, "float32"))
    assert not np.asarray(model.get_attribute(name)).any()


def test_attributes_are_set_by_name(data):
    model = wick.load(data / "script" / "tree.pt")
    assert model.training is False
    model.training = True
    assert model.training is True and model.get_attribute("training") is True
    name, tensor = next(iter(model.parameters.items()))
    setattr(model, name, np.full(tensor.shape, 2, "float32"))
    assert (model.parameters[name].numpy() == 2).all()
    with pytest.raises(AttributeError, match="no attribute 'trainig'"):
        model.trainig = True
    assert not hasattr(model, "trainig")
    with pytest.raises(AttributeError, match="member of wick.Module"):
        model.parameters = {}
    with pytest.raises(AttributeError, match="no attribute 'mro'"):  # a member of the type, not of its instances
        model.mro = 1
    with pytest.raises(ValueError):
        model.training = "yes"
    with pytest.raises(AttributeError):
        del model.training


def test_settings_of_runs(segment):
    x = np.random.default_rng(0).standard_normal((1, 3, 64, 64)).astype("float32")
    model = wick.load(segment)
    wanted = model(x).numpy()
    model.set_exact(True)
    assert np.abs(model(x).numpy() - wanted).max() <= 1e-4 * np.abs(wanted).max()
    assert any(step.is_planned for step in wick.profile(model, x, iterations=1).steps)
    model.set_planning(False)
    assert not any(step.is_planned for step in wick.profile(model, x, iterations=1).steps)
    assert np.abs(model(x).numpy() - wanted).max() <= 1e-4 * np.abs(wanted).max()
    model.set_planning(True)
    for precision in ("float16", "auto", "float32"):
        model.set_precision(precision)
        assert np.abs(model(x).numpy() - wanted).max() <= 0.05 * np.abs(wanted).max()
    with pytest.raises(ValueError, match="float16"):
        model.set_precision("int8")
    before = wick.num_threads()
    model.set_max_threads(1)
    assert np.array_equal(model.run((x,), max_threads=1).numpy(), model(x).numpy())
    wick.set_num_threads(3)
    assert wick.num_threads() == 3
    wick.set_num_threads(before)


def test_backends(segment):
    x = np.random.default_rng(0).standard_normal((1, 3, 64, 64)).astype("float32")
    model = wick.load(segment)
    wanted = model(x).numpy()
    for wrong in ({"backend": "tpu"}, {"backend": "gpu", "precision": "int8"}):
        with pytest.raises(ValueError):
            model.set_backend(**wrong)
    model.set_backend("auto")
    assert np.abs(model(x).numpy() - wanted).max() <= 1e-3 * np.abs(wanted).max()
    if wick.is_gpu_available():
        devices = wick.gpu_devices()
        assert devices and devices[0].name in repr(devices[0]) and devices[0].kind and devices[0].memory >= 0
        model.set_backend("gpu", precision="float32", device=0)
        assert np.abs(model(x).numpy() - wanted).max() <= 1e-3 * np.abs(wanted).max()
        with pytest.raises(wick.Error):
            model.set_backend("gpu", device=len(devices))
    else:
        with pytest.raises(wick.UnsupportedError):
            model.set_backend("gpu")
    model.set_backend("cpu")
    assert np.array_equal(model(x).numpy(), wanted)


def test_models_are_copied_and_pickled(segment, data):
    x = np.random.default_rng(0).standard_normal((1, 3, 64, 64)).astype("float32")
    model = wick.load(segment)
    back = pickle.loads(pickle.dumps(model))
    assert np.array_equal(back(x).numpy(), model(x).numpy()) and len(back.bundled_inputs) == len(model.bundled_inputs)
    tree = wick.load(data / "script" / "tree.pt")
    name = next(iter(tree.parameters))
    deep, shared = copy.deepcopy(tree), copy.copy(tree)
    tree.set_attribute(name, np.zeros(tree.parameters[name].shape, "float32"))
    assert deep.parameters[name].numpy().any() and not shared.parameters[name].numpy().any()
    assert wick.info(deep).kind == "torchscript" and deep.parameters.keys() == tree.parameters.keys()


def test_keywords_of_any_mapping(script):
    import types

    model = script("  def forward(self: __torch__.M, a: int, b: int=2) -> int:\n    return torch.add(a, b)\n")
    assert model.run((), types.MappingProxyType({"a": 1, "b": 5})) == 6
    with pytest.raises(TypeError, match="strings"):
        model.run((1,), {2: 3})


def test_errors_say_operator_file_and_line(script):
    model = script("  def forward(self: __torch__.M, a: Tensor, b: Tensor) -> Tensor:\n    c = torch.mm(a, b)\n    return c\n")
    with pytest.raises(wick.Error) as error:
        model(np.ones((2, 3), "float32"), np.ones((2, 3), "float32"))
    e = error.value
    assert e.operator == "aten::mm" and e.line == 7 and e.file.endswith("__torch__.py")
    assert "mat1" in e.summary and e.context and str(e).startswith(e.summary)
    assert isinstance(e, RuntimeError) and e.code in ("shape_mismatch", "invalid_argument")


def test_model_exceptions(data):
    model = wick.load(data / "lite" / "arithmetic.ptl")
    with pytest.raises(wick.ModelError, match="expected a matrix"):
        model.describe(np.zeros(3, "float32"))
    assert "2 x 3" in model.describe(np.zeros((2, 3), "float32"))


def test_bundled_inputs_and_extra_files(data):
    model = wick.load(data / "lite" / "bundled.ptl")
    assert model.bundled_inputs and isinstance(model.bundled_inputs[0], tuple)
    model(*model.bundled_inputs[0])
    assert isinstance(model.extra_files, dict)


def test_hooks_run(data):
    model = wick.load(data / "script" / "hooks.pt")
    cases = wick.load_tensors(str(data / "script" / "hooks.cases.pt"))
    for method, args, expected in cases:
        if method in ("", "__call__"):
            assert not [d for d in wick._wick.compare_values(model(*args), expected, "r") if not d.within(1e-6)]


FIXTURES = sorted(
    p for folder in ("lite", "script", "quantized")
    for p in (pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / folder).glob("*.cases.pt")
)


def assert_close(got, wanted, tolerance, where):
    """Values of a model and what PyTorch recorded; containers item by item."""
    if isinstance(wanted, wick.Tensor):
        assert isinstance(got, wick.Tensor) and (got.dtype, got.shape) == (wanted.dtype, wanted.shape), where
        a, b = (np.asarray(t.dequantize() if t.is_quantized else t) for t in (got, wanted))
        if a.dtype.kind in "fc":
            largest = np.abs(b, where=np.isfinite(b), out=np.zeros(b.shape)).max(initial=0)
            assert np.allclose(a, b, rtol=1e-5, atol=max(1e-6, tolerance * largest), equal_nan=True), where
        elif tolerance:  # 8-bit results may round the other way here and there
            assert (a != b).sum() <= np.ceil(0.005 * b.size), where
        else:
            assert np.array_equal(a, b), where
    elif isinstance(wanted, (tuple, list)):
        assert isinstance(got, type(wanted)) and len(got) == len(wanted), where
        for i, (one, other) in enumerate(zip(got, wanted)):
            assert_close(one, other, tolerance, f"{where}[{i}]")
    elif isinstance(wanted, dict):
        assert list(got) == list(wanted), where
        for key in wanted:
            assert_close(got[key], wanted[key], tolerance, f"{where}[{key!r}]")
    else:
        assert got == wanted and type(got) is type(wanted), where


def call(model, method, args):
    args = wick._wick.deep_copy(args)
    wick.manual_seed(0)
    return model.methods[method](*args) if method else model(*args)


@pytest.mark.parametrize("cases", FIXTURES, ids=lambda p: f"{p.parent.name}/{p.name.split('.')[0]}")
def test_results_of_the_model_suite(cases, command, tmp_path):
    """What Python gets is what PyTorch recorded, and bit for bit what the command writes."""
    import subprocess

    stem = cases.name.split(".")[0]
    paths = [p for p in (cases.with_name(stem + end) for end in (".ptl", ".pt", ".ff")) if p.exists()]
    recorded = wick.load_tensors(cases)
    tolerance = 2e-2 if cases.parent.name == "quantized" else 0
    compared = 0
    for path in paths:
        model = wick.load(path)
        if stem == "interfaces":  # the file lacks what an interface's method is: PyTorch refuses it, too
            with pytest.raises(wick.NotFoundError, match="Twice has no method 'forward'"):
                call(model, *recorded[0][:2])
            return
        for i, (method, args, expected) in enumerate(recorded):
            assert_close(call(model, method, args), expected, tolerance, f"{path.name} case {i} {method}")
            compared += 1
    assert paths and recorded and compared == len(paths) * len(recorded)

    for path in paths:
        ran = set()
        for method, args, _ in recorded:
            if method in ran:
                continue
            ran.add(method)
            wick.save_tensors(args, tmp_path / "in.pt")
            words = [command, "run", path, "--output", tmp_path / "out.pt"]
            words += ["--method", method] if method else []
            words += ["--input", tmp_path / "in.pt"] if args else []
            run = subprocess.run(words, capture_output=True, text=True)
            assert run.returncode == 0, run.stderr
            said = wick.load_tensors(tmp_path / "out.pt")
            result = call(wick.load(path), method, args)
            assert all(d.within(0) for d in wick._wick.compare_values(result, said, "result")), (path.name, method)


def test_names_are_completed_and_suggested(data):
    model = wick.load(data / "script" / "tree.pt")
    names = dir(model)
    assert {"forward", "parameters", "run"} <= set(names) and {name.partition(".")[0] for name in model.parameters} <= set(names)
    with pytest.raises(AttributeError) as error:
        model.forwrd
    assert error.value.name == "forwrd" and error.value.obj is not None and "'forwrd'" in str(error.value)


def test_methods_are_functions(script):
    import inspect

    model = script("  def forward(self: __torch__.M, x: Tensor, scale: float=2.) -> Tensor:\n    return torch.mul(x, scale)\n")
    for one in (model, model.forward):
        signature = inspect.signature(one)
        assert list(signature.parameters) == ["x", "scale"] and signature.return_annotation == "Tensor"
        assert signature.parameters["scale"].default == 2.0 and signature.parameters["x"].default is inspect.Parameter.empty
        assert signature.bind(1).args == (1,)
    assert model.forward.__name__ == "forward" and model.forward == model.get_method("forward") and model.forward != 3
    assert len({model.forward, model.get_method("forward")}) == 1
    assert model.forward.__self__(np.ones(1, "float32")).item() == 2
    other = script("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return x\n")
    assert model.forward != other.forward
    with pytest.raises(AttributeError, match="nothing"):
        model.forward.nothing
    back = pickle.loads(pickle.dumps(model.forward))
    assert back.name == "forward" and back(np.ones(2, "float32")).tolist() == [2, 2]
    assert list(map(float, map(model.forward, [np.ones(1, "float32")] * 2))) == [2.0, 2.0]


def test_seeds_and_threads_are_checked(script):
    model = script("  def forward(self: __torch__.M) -> Tensor:\n    return torch.rand([4], dtype=None, layout=None, device=None, pin_memory=None)\n")
    drawn = []
    for seed in (-1, 2**64 - 1, 5, np.int64(5)):
        wick.manual_seed(seed)
        drawn.append(model().tolist())
    assert drawn[0] == drawn[1] != drawn[2] == drawn[3]
    with pytest.raises(TypeError):
        wick.manual_seed("1")
    with pytest.raises(ValueError, match="number of threads"):
        wick.set_num_threads(-1)
    with pytest.raises(TypeError, match="a path"):
        wick.load(None)


def test_missing_operators_are_suggested(script_bytes):
    body = "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return torch.reluu(x)\n"
    with pytest.raises(wick.MissingOperatorError, match="did you mean aten::relu instead of aten::reluu"):
        wick.load(script_bytes(body))
    assert wick.load(script_bytes(body), allow_missing_operators=True).operators == ["aten::reluu"]
