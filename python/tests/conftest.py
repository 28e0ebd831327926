"""Models of the tests: the project's own files of test data, and small ones that are written here as TorchScript."""

import os
import pathlib

import pytest
from small_models import torchscript

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"


@pytest.fixture(scope="session")
def data():
    return DATA


@pytest.fixture(scope="session")
def segment():
    return ROOT / "examples" / "segment" / "segment.ptl"


@pytest.fixture(scope="session")
def script():
    """script(body) loads a model with these methods."""
    import wick

    return lambda body: wick.load(torchscript(body))


@pytest.fixture(scope="session")
def script_bytes():
    return torchscript


@pytest.fixture(scope="session")
def command():
    """The `wick` program of the build to compare with; skipped where there is none."""
    path = pathlib.Path(os.environ.get("WICK_COMMAND", ROOT / "build" / "bin" / "wick"))
    if not path.exists():
        pytest.skip(f"no command at {path}")
    return path
