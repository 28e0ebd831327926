"""Operators written in Python."""

import pytest
import wick

np = pytest.importorskip("numpy")


def test_an_operator_in_python(script):
    @wick.operator("pytest_ops::scale(Tensor x, float by=2.) -> Tensor")
    def scale(x, by):
        assert isinstance(x, wick.Tensor) and isinstance(by, float)
        return np.asarray(x) * np.float32(by)

    model = script("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return ops.pytest_ops.scale(x, 3.)\n")
    assert model(np.ones(2, "float32")).tolist() == [3, 3]
    assert any("pytest_ops::scale" in schema for schema in wick.registered_operators())
    assert wick.remove_operator("pytest_ops::scale") and not wick.remove_operator("pytest_ops::scale")
    assert model(np.ones(2, "float32")).tolist() == [3, 3]  # a loaded model keeps it


def test_several_results_and_none(script):
    seen = []

    @wick.operator("pytest_ops::split(Tensor x, int[] at) -> (Tensor, int)")
    def split(x, at):
        return x[at[0]:], at[0]

    @wick.operator("pytest_ops::note(str text) -> ()")
    def note(text):
        seen.append(text)

    model = script(
        "  def forward(self: __torch__.M, x: Tensor) -> Tuple[Tensor, int]:\n"
        "    y, n = ops.pytest_ops.split(x, [1])\n"
        "    _0 = ops.pytest_ops.note(\"here\")\n"
        "    return (y, n)\n"
    )
    y, n = model(np.arange(3.0))
    assert y.tolist() == [1, 2] and n == 1 and seen == ["here"]
    for name in ("split", "note"):
        wick.remove_operator("pytest_ops::" + name)


def test_exceptions_keep_their_cause(script):
    @wick.operator("pytest_ops::fail(Tensor x) -> Tensor")
    def fail(x):
        return 1 / 0

    model = script("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return ops.pytest_ops.fail(x)\n")
    with pytest.raises(wick.ModelError, match="ZeroDivisionError") as error:
        model(np.ones(2))
    assert isinstance(error.value.__cause__, ZeroDivisionError) and error.value.operator == "pytest_ops::fail"
    wick.remove_operator("pytest_ops::fail")


def test_interrupts_pass_through(script):
    @wick.operator("pytest_ops::stop(Tensor x) -> Tensor")
    def stop(x):
        raise KeyboardInterrupt

    model = script("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return ops.pytest_ops.stop(x)\n")
    with pytest.raises(KeyboardInterrupt):
        model(np.ones(2))
    wick.remove_operator("pytest_ops::stop")


def test_wrong_results_are_refused(script):
    @wick.operator("pytest_ops::wrong(Tensor x) -> Tensor")
    def wrong(x):
        return "text"

    model = script("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return torch.add(ops.pytest_ops.wrong(x), 1)\n")
    with pytest.raises(wick.Error):
        model(np.ones(2))
    wick.remove_operator("pytest_ops::wrong")


def test_bad_schemas_and_names():
    for schema in ("no arrow", "x::y(Tensor x -> Tensor", "aten::relu(Tensor self) -> Tensor"):
        with pytest.raises(ValueError):
            wick.operator(schema)(lambda x: x)


def test_a_model_inside_of_an_operator(script):
    inner = script("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return torch.add(x, 1)\n")

    @wick.operator("pytest_ops::inner(Tensor x) -> Tensor")
    def run(x):
        return inner(x)

    model = script("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return ops.pytest_ops.inner(x)\n")
    assert model(np.zeros(2, "float32")).tolist() == [1, 1]
    wick.remove_operator("pytest_ops::inner")


def test_results_are_of_the_schemas_types(script):
    for schema, kind, given in (
        ("typed_ops::a(Tensor x) -> Tensor", "Tensor", [None, 3, [1, 2], "a"]),
        ("typed_ops::b(Tensor x) -> Tensor[]", "List[Tensor]", [None, 3, [1.5]]),
        ("typed_ops::c(Tensor x) -> int", "int", [2.5, None, "a", True]),
        ("typed_ops::d(Tensor x) -> (Tensor, Tensor)", "Tuple[Tensor, Tensor]",
         [None, 3, wick.tensor([1, 2]), (1, 2), (wick.tensor(1),)]),
    ):
        name, answers = schema.split("(")[0], []
        wick.operator(schema)(lambda x, answers=answers: answers[0])
        try:
            call = f"ops.{name.replace('::', '.')}(x)"
            model = script(f"  def forward(self: __torch__.M, x: Tensor) -> {kind}:\n    return {call}\n")
            for wrong in given:
                answers[:] = [wrong]
                with pytest.raises(wick.Error) as error:
                    model(np.ones(2, "float32"))
                assert error.value.operator == name, (schema, wrong)
        finally:
            wick.remove_operator(name)
