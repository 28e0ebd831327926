"""The command's functions as functions, pictures of results, and the command itself."""

import json
import pathlib
import re
import subprocess
import sys

import pytest
import wick

np = pytest.importorskip("numpy")


def test_info_check_and_graph(segment, data):
    info = wick.info(segment)
    assert info.kind == "lite" and info.file_bytes == pathlib.Path(segment).stat().st_size and info.parameters > 1000
    assert any("forward(" in method for method in info.methods) and info.bundled_inputs.get("forward", 0) >= 1
    report = wick.check(segment)
    assert report and report.ok and not report.missing and "will run" in repr(report)
    graph = wick.graph(segment)
    assert graph.nodes and "aten::" in str(graph)
    svg = graph._repr_svg_()
    assert svg.startswith("<svg") and "aten::conv2d" in svg and svg.endswith("</svg>")
    import xml.dom.minidom

    xml.dom.minidom.parseString(svg)


def test_check_of_a_damaged_file(segment, tmp_path):
    data = bytearray(pathlib.Path(segment).read_bytes())
    data[len(data) // 2] ^= 0xFF
    (tmp_path / "bad.ptl").write_bytes(data)
    report = wick.check(tmp_path / "bad.ptl")
    assert not report and isinstance(report.problem, wick.Error)
    assert not wick.check(tmp_path / "nope.ptl")


def test_missing_operators_are_named(script_bytes, tmp_path):
    body = "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return ops.not_there.thing(x)\n"
    (tmp_path / "m.pt").write_bytes(script_bytes(body))
    report = wick.check(tmp_path / "m.pt")
    assert not report.ok and (report.missing or report.problem)


def test_bench_and_profile(segment):
    x = np.zeros((1, 3, 64, 64), "float32")
    result = wick.bench(segment, (x,), warmup=1, iterations=3)
    assert len(result.times_ms) == 3 and 0 < result.best_ms <= result.median_ms and result.load_ms > 0
    profile = wick.profile(segment, (x,), iterations=2)
    assert profile.steps and profile.seconds > 0 and list(profile.by_kind().values())[0] > 0
    import xml.dom.minidom

    xml.dom.minidom.parseString(profile._repr_svg_())
    assert "<table>" in profile._repr_html_() and "ms" in repr(profile)


def test_the_profile_picture_is_to_scale(segment):
    import xml.dom.minidom

    profile = wick.profile(segment, (np.zeros((1, 3, 64, 64), "float32"),), iterations=1)
    rects = xml.dom.minidom.parseString(profile._repr_svg_()).getElementsByTagName("rect")
    widths = [float(r.getAttribute("width")) for r in rects if r.getAttribute("height") == "56"]
    assert len(widths) == len(profile.steps)
    for width, step in zip(widths, profile.steps):
        assert width == pytest.approx(900 * step.seconds / profile.seconds, abs=0.01)


def test_optimize_and_compare(segment, tmp_path):
    x = np.random.default_rng(0).standard_normal((1, 3, 64, 64)).astype("float32")
    made = wick.optimize(segment, tmp_path / "fast.ptl", inputs=[(x,)], tolerance=1e-3)
    assert made.report.verified and any(p.changes for p in made.passes)
    assert wick.compare(segment, tmp_path / "fast.ptl", [(x,)], tolerance=1e-3)
    strict = wick.compare(segment, made.module, [(x + 1,), (x,)], tolerance=0)
    assert len(strict.differences) == 2
    with pytest.raises(ValueError):
        wick.optimize(segment, blocklist=["NO_SUCH_PASS"])


def test_one_array_is_no_list_of_inputs(segment, tmp_path):
    x = np.zeros((2, 3, 64, 64), "float32")
    for one in (x, wick.asarray(x), memoryview(x), {"x": x}, "x", 3):
        for call in (
            lambda: wick.compare(segment, segment, one), lambda: wick.optimize(segment, inputs=one),
            lambda: wick.bundle(segment, inputs=one), lambda: wick.trace(segment, inputs=one),
            lambda: wick.quantize(segment, mode="static", calibration=one),
        ):
            with pytest.raises(wick.InvalidArgumentError, match="list of lists of arguments"):
                call()
    assert wick.compare(segment, segment, (one for one in [(x,), x[:1]])).equal


def test_progress_of_optimize(segment):
    x = np.zeros((1, 3, 64, 64), "float32")
    said = []
    wick.optimize(segment, inputs=[(x,)], progress=lambda *words: said.append(words))
    assert said and all(isinstance(what, str) and 0 <= done <= total for what, done, total in said)

    def stop(what, done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        wick.optimize(segment, inputs=[(x,)], progress=stop)


def test_useless_models_are_not_written(data, tmp_path, command):
    bad = data / "quantized" / "bad"
    words = {"mode": "static", "calibration": [wick.load_tensors(bad / "wide_range_input.pt")]}
    out = tmp_path / "lost.ptl"
    with pytest.raises(wick.UnsupportedError, match="nothing is written.*force=True") as error:
        wick.quantize(bad / "wide_range.pt", out, **words)
    assert not out.exists() and error.value.code == "unsupported"
    theirs = [command, "quantize", bad / "wide_range.pt", out, "--static", "--calibrate", bad / "wide_range_input.pt"]
    assert subprocess.run(theirs, capture_output=True).returncode == 1
    loss = wick.quantize(bad / "wide_range.pt", **words).report.loss
    assert loss > 0.5
    wick.quantize(bad / "wide_range.pt", out, force=True, **words)
    assert wick.load(out).methods


def test_quantize(segment):
    x = np.random.default_rng(0).standard_normal((1, 3, 64, 64)).astype("float32")
    said = []
    made = wick.quantize(segment, mode="static", calibration=[(x,)], progress=lambda *words: said.append(words))
    assert any(layer.quantized for layer in made.layers) and made.report.output_snr > 0 and said
    assert made.module(x).shape == wick.load(segment)(x).shape
    assert wick.quantize(segment, mode="float16").module(x).dtype == "float32"
    with pytest.raises(ValueError, match="dynamic"):
        wick.quantize(segment, mode="statik")


def test_convert_bundle_and_trace(segment, data, tmp_path):
    wick.convert(data / "script" / "tree.pt", tmp_path / "tree.ptl")
    assert wick.info(tmp_path / "tree.ptl").kind == "lite"
    raw = wick.convert(data / "script" / "tree.pt", format="lite")
    assert isinstance(raw, bytes) and "forward" in wick.load(raw).methods
    with pytest.raises(ValueError, match="format"):
        wick.convert(data / "script" / "tree.pt", tmp_path / "tree.onnx")
    plain = tmp_path / "plain.ptl"
    wick.convert(segment, plain, strip_bundled=True)
    assert not wick.load(plain).bundled_inputs
    model = wick.load(segment)
    stored = len(model.bundled_inputs)
    for format in ("lite", "torchscript"):
        assert not wick.load(wick.convert(model, format=format, strip_bundled=True)).bundled_inputs
        assert len(model.bundled_inputs) == stored > 0  # the caller's model keeps them
    x = np.random.default_rng(0).standard_normal((1, 3, 32, 32)).astype("float32")
    wick.bundle(plain, tmp_path / "b.ptl", inputs=[(x,)], random=[[(1, 3, 16, 16)]])
    stored = wick.load(tmp_path / "b.ptl").bundled_inputs
    assert len(stored) == 2 and np.array_equal(np.asarray(stored[0][0]), x) and stored[1][0].shape == (1, 3, 16, 16)
    result = wick.trace(data / "select" / "branches.ptl", tmp_path / "ops.yaml")
    assert result.operators and (tmp_path / "ops.yaml").read_text() == result.yaml
    with pytest.raises(LookupError, match="bundle"):
        wick.bench(plain)


def test_trace_of_several_files(segment, data, tmp_path, command):
    files = [data / "select" / "branches.ptl", data / "select" / "recorded.ptl"]
    result = wick.trace(files, tmp_path / "ours.yaml")
    done = subprocess.run([command, "trace", *files, "--output", tmp_path / "theirs.yaml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ours.yaml").read_text() == (tmp_path / "theirs.yaml").read_text()
    for file in files:
        assert set(wick.trace(file).operators) <= set(result.operators)
    assert len(result.operators) > len(wick.trace(files[0]).operators)
    with pytest.raises(ValueError):
        wick.trace([])


def test_check_of_other_builds(data, segment, script_bytes, tmp_path):
    ops = tmp_path / "ops.yaml"
    wick.trace(data / "select" / "branches.ptl", ops)
    assert wick.check(data / "select" / "branches.ptl", ops=ops).ok
    report = wick.check(segment, ops=ops)
    assert not report and any("conv" in use.name for use in report.missing) and "missing" in repr(report)
    assert all(use.count > 0 and not use.available for use in report.missing)
    body = "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return ops.not_there.thing(x)\n"
    (tmp_path / "m.pt").write_bytes(script_bytes(body))
    (tmp_path / "custom.txt").write_text("not_there::thing(Tensor x) -> Tensor\n")
    assert not wick.check(tmp_path / "m.pt")
    for _ in range(2):  # nothing of it stays
        assert wick.check(tmp_path / "m.pt", custom=tmp_path / "custom.txt").ok
    assert not wick.check(tmp_path / "m.pt") and not any("not_there" in s for s in wick.registered_operators())
    with pytest.raises(FileNotFoundError):
        wick.check(segment, ops=tmp_path / "no.yaml")
    assert not wick.check(tmp_path / "nope.ptl", ops=ops)


def test_tables_for_notebooks(segment, data):
    import html.parser

    def cells(page):
        """The texts of all cells; that tags are closed in order is checked."""
        found, opened = [], []

        class Reader(html.parser.HTMLParser):
            def handle_starttag(self, tag, attributes):
                opened.append(tag)

            def handle_endtag(self, tag):
                assert opened.pop() == tag

            def handle_data(self, text):
                if opened[-1] in ("td", "th"):
                    found.append(text)

        Reader().feed(page)
        assert not opened
        return found

    x = np.random.default_rng(0).standard_normal((1, 3, 64, 64)).astype("float32")
    model = wick.load(segment)
    assert any("forward(" in one for one in cells(model._repr_html_())) and set(model.parameters) <= set(cells(model._repr_html_()))
    bench = wick.bench(model, x, warmup=1, iterations=3)
    assert f"{bench.median_ms:.3f}" in cells(bench._repr_html_()) and bench._repr_html_().count("<rect") == 3
    made = wick.optimize(model, inputs=[(x,)])
    assert {one.name for one in made.passes} <= set(cells(made._repr_html_()))
    small = wick.quantize(model, mode="static", calibration=[(x,)])
    assert {layer.name for layer in small.layers} <= set(cells(small._repr_html_()))
    apart = wick.compare(model, small.module, [(x,)], tolerance=0)
    assert "NO" in cells(apart._repr_html_()) and "DIFFERENT" in apart._repr_html_()
    assert "yes" in cells(wick.compare(model, model, [(x,)])._repr_html_())


def test_tensors_in_files(tmp_path):
    for path in (str(tmp_path / "t.pt"), tmp_path / "u.pt"):
        wick.save_tensors({"a": np.arange(3), "b": [1.5, "x", None]}, path)
        back = wick.load_tensors(path)
        assert back["a"].tolist() == [0, 1, 2] and back["b"] == [1.5, "x", None]


def test_images(segment):
    picture = pathlib.Path(segment).with_name("sample.png")
    x = wick.image(picture, size=64)
    assert x.shape == (1, 3, 64, 64) and x.dtype == "float32"
    assert wick.image(picture.read_bytes(), size=(40, 30), mean=None).shape == (1, 3, 30, 40)
    plain = wick.image(picture, size=64, mean=None).numpy()
    assert 0 <= plain.min() and plain.max() <= 1
    wanted = (plain - np.float32([0.485, 0.456, 0.406]).reshape(1, 3, 1, 1)) / np.float32([0.229, 0.224, 0.225]).reshape(1, 3, 1, 1)
    assert np.abs(x.numpy() - wanted).max() < 1e-5
    assert wick.load(segment)(x).shape[0] == 1


def run(*words):
    return subprocess.run([sys.executable, "-m", "wick", *map(str, words)], capture_output=True, text=True)


def test_python_m_wick_is_the_command(segment, command):
    ours, theirs = run("info", segment, "--json"), subprocess.run([command, "info", segment, "--json"], capture_output=True, text=True)
    assert ours.returncode == 0 and json.loads(ours.stdout) == json.loads(theirs.stdout)
    assert run("--version").stdout == subprocess.run([command, "--version"], capture_output=True, text=True).stdout
    wrong = run("inof", segment)
    assert wrong.returncode == 2 and "did you mean info" in wrong.stderr


def test_import_is_quick_and_needs_no_numpy():
    code = (
        "import sys, time; t = time.process_time(); import wick; s = time.process_time() - t; "
        "assert 'numpy' not in sys.modules and 'typing' not in sys.modules, 'imports'; print(s); "
        "m = wick.tensor([[1.0, 2.0]]); assert m.tolist() == [[1.0, 2.0]]; assert 'numpy' not in sys.modules"
    )
    times = []
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              cwd=pathlib.Path(wick.__file__).parents[1])
        assert done.returncode == 0, done.stderr
        times.append(float(done.stdout))
    assert min(times) < 0.05, times


def test_stubs_name_what_there_is():
    import ast

    stub = ast.parse((pathlib.Path(wick.__file__).parent / "_wick.pyi").read_text())
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            assert hasattr(wick._wick, node.name), node.name
        elif isinstance(node, ast.ClassDef):
            cls = getattr(wick._wick, node.name)
            named = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
            missing = {name for name in named if not hasattr(cls, name)} - {"__buffer__"}
            assert not missing, (node.name, missing)
            public = {name for name in vars(cls) if not name.startswith("_")}
            assert public <= named, (node.name, public - named)


def test_reports_are_pickled_and_copied(segment, data, tmp_path):
    import copy
    import pickle

    x = np.zeros((1, 3, 32, 32), "float32")
    model = wick.load(segment)
    optimized = wick.optimize(model, verify=True)
    reports = [
        wick.info(model), wick.check(segment), wick.bench(model, x, iterations=2), wick.profile(model, x, iterations=1),
        wick.compare(model, model, [(x,)]), wick.graph(model), wick.trace(segment), optimized.report,
        wick.quantize(model, mode="static", calibration=[(x,)]).report,
    ]
    for report in reports:
        for back in (pickle.loads(pickle.dumps(report)), copy.deepcopy(report)):
            assert type(back) is type(report) and repr(back).split(" at 0x")[0] == repr(report).split(" at 0x")[0]
    back = pickle.loads(pickle.dumps(reports[3]))
    assert [(s.name, s.seconds, s.layer) for s in back.steps] == [(s.name, s.seconds, s.layer) for s in reports[3].steps]
    whole = pickle.loads(pickle.dumps(optimized))
    assert np.allclose(whole.module(x).numpy(), model(x).numpy(), atol=1e-3) and whole.passes[0].name == optimized.passes[0].name


def test_models_as_bytes(segment):
    stored = segment.read_bytes()
    assert wick.info(stored).file_bytes == len(stored) and wick.bench(stored, iterations=1).load_ms > 0
    assert wick.profile(stored, iterations=1).steps and wick.compare(stored, segment)
    with pytest.raises(TypeError, match="path"):
        wick.check(stored)


def test_progress_of_profiles_and_traces(segment):
    seen = []
    wick.profile(segment, iterations=3, progress=lambda what, done, total: seen.append((what, done, total)))
    assert seen == [("running", 0, 3), ("running", 1, 3), ("running", 2, 3)]
    seen.clear()
    wick.trace(segment, progress=lambda what, done, total: seen.append((done, total)))
    assert seen and seen == [(i, len(seen)) for i in range(len(seen))]

    def stop(what, done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        wick.profile(segment, progress=stop)


def test_pictures_from_everywhere(segment):
    import io

    path = segment.parent / "sample.png"
    wanted = wick.image(path, size=64).numpy()
    with open(path, "rb") as file:
        assert np.array_equal(wick.image(file, size=64).numpy(), wanted)
    assert np.array_equal(wick.image(path.read_bytes(), size=64).numpy(), wanted)
    assert np.array_equal(wick.image(io.BytesIO(path.read_bytes()), size=64).numpy(), wanted)
    pixels = np.random.default_rng(0).integers(0, 256, (20, 30, 3)).astype("uint8")
    got = wick.image(pixels, mean=None, std=None).numpy()
    assert np.allclose(got[0], pixels.transpose(2, 0, 1) / 255.0, atol=1e-6)
    assert np.allclose(wick.image(pixels[::2, ::-1], mean=None).numpy()[0], pixels[::2, ::-1].transpose(2, 0, 1) / 255.0, atol=1e-6)
    gray = wick.image(pixels[:, :, 0], mean=None).numpy()
    assert gray.shape == (1, 3, 20, 30) and np.allclose(gray[0, 2], pixels[:, :, 0] / 255.0, atol=1e-6)
    assert wick.image(pixels, size=(7, 5)).shape == (1, 3, 5, 7) and wick.image(pixels, size=16, crop=8).shape == (1, 3, 8, 8)
    for wrong in (pixels.astype("float32"), pixels[:, :, :2], pixels[None], np.zeros((0, 3, 3), "uint8")):
        with pytest.raises(ValueError):
            wick.image(wrong)
    for words in ({"size": 0}, {"size": -5}, {"size": 10**6}, {"size": (3,)}, {"size": (3, 0)}, {"size": 32, "crop": 64}, {"crop": 8},
                  {"size": (8, 8), "crop": 4}):
        with pytest.raises(ValueError):
            wick.image(path, **words)
    for wrong in ({"size": 32.5}, {"size": "32"}):
        with pytest.raises(TypeError):
            wick.image(path, **wrong)


def test_pictures_of_pillow(segment):
    images = pytest.importorskip("PIL.Image")
    path = segment.parent / "sample.png"
    picture = images.open(path)
    assert np.array_equal(wick.image(picture, size=64).numpy(), wick.image(path, size=64).numpy())
    for mode in ("L", "RGBA", "P", "1", "CMYK"):
        assert wick.image(picture.convert(mode), size=32).shape == (1, 3, 32, 32), mode


def test_pictures_of_graphs_show_what_is_computed(segment, script):
    picture = wick.graph(segment)._repr_svg_()
    assert ">prim::GetAttr<" not in picture and ">prim::RaiseException<" not in picture
    assert picture.count(">aten::conv2d<") == 24 and ">stem.0<" in picture and ">down1.0.3<" in picture
    branch = script(
        "  def forward(self: __torch__.M, x: Tensor, on: bool) -> Tensor:\n"
        "    if on:\n      y = torch.add(x, 1)\n    else:\n      y = x\n    return torch.view(y, [2, -1])\n"
    )
    picture = wick.graph(branch)._repr_svg_()
    for shown in (">prim::If<", ">aten::add", ">aten::view<", "x", "on", ">return<"):
        assert shown in picture if shown.startswith(">") else re.search(rf">%?{shown}(\.\d+)?<", picture), shown
    assert not re.search(r">%?self(\.\d+)?<", picture) and ">prim::ListConstruct<" not in picture
    numbers = script("  def forward(self: __torch__.M, n: int) -> int:\n    return torch.add(torch.mul(n, 2), 1)\n")
    assert ">aten::mul" in wick.graph(numbers)._repr_svg_()
