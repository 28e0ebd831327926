"""Loading, calling, attributes, errors."""

import io
import pathlib

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


@pytest.mark.parametrize("cases", FIXTURES, ids=lambda p: f"{p.parent.name}/{p.name.split('.')[0]}")
def test_results_of_the_model_suite(cases, command, tmp_path):
    """What Python gets is what PyTorch recorded, and bit for bit what the command writes."""
    import subprocess

    stem = cases.name.split(".")[0]
    paths = [p for p in (cases.with_name(stem + ".ptl"), cases.with_name(stem + ".pt"), cases.with_name(stem + ".ff"))
             if p.exists()]
    recorded = wick.load_tensors(str(cases))
    for path in paths:
        model = wick.load(path)
        done = set()
        for case in recorded:
            method, args, expected = case[0], case[1], case[2]
            if not model.methods.get(method) or isinstance(expected, str) and expected.startswith("error"):
                continue
            wick.manual_seed(0)
            try:
                result = model.methods[method](*wick._wick.deep_copy(args))
            except wick.Error:
                continue  # recorded failures have a form of their own; the C++ suites compare them
            if method in done:
                continue
            done.add(method)
            fresh = wick.load(path)
            wick.manual_seed(0)
            result = fresh.methods[method](*wick._wick.deep_copy(args))
            wick.save_tensors(args, str(tmp_path / "in.pt"))
            words = [command, "run", path, "--method", method, "--output", tmp_path / "out.pt"]
            if args:
                words += ["--input", tmp_path / "in.pt"]
            run = subprocess.run(words, capture_output=True, text=True)
            if run.returncode != 0 and "cannot" in run.stderr:
                continue  # a result that no file can hold
            assert run.returncode == 0, run.stderr
            said = wick.load_tensors(str(tmp_path / "out.pt"))
            assert all(d.within(0) for d in wick._wick.compare_values(result, said, "result"))
