"""Threads, limits, cancellation, Ctrl-C, memory."""

import gc
import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
import wick

np = pytest.importorskip("numpy")

FOREVER = (
    "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n"
    "    y = x\n"
    "    for i in range(1000000000):\n"
    "      y = torch.mul(y, 1.)\n"
    "    return y\n"
)
ADD = "  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return torch.add(x, 1)\n"


def test_timeout(script):
    model = script(FOREVER)
    start = time.monotonic()
    with pytest.raises(TimeoutError) as error:
        model.run((np.ones(4, "float32"),), timeout=0.1)
    assert error.value.code == "deadline_exceeded" and time.monotonic() - start < 5
    with pytest.raises(ValueError):
        model.run((), timeout=0)


def test_limits(script):
    model = script(FOREVER)
    with pytest.raises(wick.LimitExceededError, match="operations"):
        model.run((np.ones(4, "float32"),), max_operations=1000)
    grow = script("  def forward(self: __torch__.M, n: int) -> Tensor:\n    return torch.zeros([n])\n")
    with pytest.raises(wick.LimitExceededError):
        grow.run((10_000_000,), max_memory=1_000_000)
    assert grow(10).shape == (10,)


def test_cancellation_from_another_thread(script):
    model, stop = script(FOREVER), wick.Cancellation()
    timer = threading.Timer(0.2, stop.cancel)
    timer.start()
    with pytest.raises(wick.CancelledError):
        model.run((np.ones(4, "float32"),), cancellation=stop, timeout=30)
    assert stop.cancelled


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals are the main thread's")
def test_ctrl_c_stops_a_run(script):
    model = script(FOREVER)
    # A program that a shell starts in the background ignores the signal: these tests do not.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    for _ in range(3):  # a stopped run leaves nothing behind
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        start = time.monotonic()
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            model.run((np.ones(4, "float32"),), timeout=20)
        assert time.monotonic() - start < 10
        timer.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)
    assert script(ADD)(np.zeros(1, "float32")).tolist() == [1]


def test_ctrl_c_while_a_future_is_waited_for(script):
    blocked, let_go = threading.Event(), threading.Event()

    @wick.operator("pytest_ops::block(Tensor x) -> Tensor")
    def block(x):
        blocked.set()
        let_go.wait(30)
        return x

    model = script(
        "  def forward(self: __torch__.M, x: Tensor) -> Future[Tensor]:\n"
        "    def task():\n"
        "      return ops.pytest_ops.block(x)\n"
        "    return fork(task)\n"
    )
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt():
        blocked.wait(10)
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    thread, start = threading.Thread(target=interrupt), time.monotonic()
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            model(np.ones(2, "float32"))
        assert time.monotonic() - start < 10
    finally:
        let_go.set()
        thread.join()
        signal.signal(signal.SIGINT, before)
        wick.remove_operator("pytest_ops::block")


def test_ctrl_c_as_a_terminal_sends_it(tmp_path, script_bytes):
    (tmp_path / "forever.pt").write_bytes(script_bytes(FOREVER))
    code = textwrap.dedent(f"""
        import signal, wick, numpy as np
        signal.signal(signal.SIGINT, signal.default_int_handler)
        model = wick.load({str(tmp_path / 'forever.pt')!r})
        print("ready", flush=True)
        try:
            model.run((np.ones(4, "float32"),), timeout=60)
        except KeyboardInterrupt:
            print("stopped", flush=True)
    """)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    start = time.monotonic()
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=20)[0] == "stopped\n" and child.returncode == 0
    assert time.monotonic() - start < 5


def test_the_gil_is_released(script):
    model, stop = script(FOREVER), wick.Cancellation()

    def run():
        try:
            model.run((np.ones(4, "float32"),), cancellation=stop)
        except wick.CancelledError:
            pass

    thread = threading.Thread(target=run)
    thread.start()
    count = 0
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        count += 1
    stop.cancel()
    thread.join()
    assert count > 1000


def test_eight_threads_at_once(segment):
    model = wick.load(segment)
    inputs = [np.random.default_rng(i).standard_normal((1, 3, 64, 64)).astype("float32") for i in range(8)]
    wanted = [np.array(model(x)) for x in inputs]
    wrong = []

    def run(i):
        for _ in range(5):
            if not np.array_equal(np.asarray(model(inputs[i])), wanted[i]):
                wrong.append(i)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_many_calls_do_not_grow(script):
    model, x = script(ADD), np.ones(16, "float32")
    count = int(os.environ.get("WICK_PYTHON_CALLS", "50000"))
    for _ in range(5000):
        model(x)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    references = sys.getrefcount(x)
    for _ in range(count):
        model(x)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1024, "KB"
    assert sys.getrefcount(x) == references


def test_exit_while_tensors_are_held(tmp_path, script_bytes):
    (tmp_path / "add.pt").write_bytes(script_bytes(ADD))
    code = textwrap.dedent(f"""
        import wick, numpy as np, sys
        @wick.operator("bye::now(Tensor x) -> Tensor")
        def now(x):
            return x
        model = wick.load({str(tmp_path / 'add.pt')!r})
        sys.kept = [wick.asarray(np.ones(3)), model(np.ones(3, "float32")), np.asarray(model(np.ones(3, "float32"))), model]
    """)
    done = subprocess.run([sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and "leaked" not in done.stderr, done.stderr


def test_other_interpreters_are_refused(script):
    """And the main one works on."""
    import sys

    interpreters = next((m for name in ("_interpreters", "_xxsubinterpreters") if (m := _module_or_none(name))), None)
    if interpreters is None:
        pytest.skip("this Python has no subinterpreters")
    model = script("  def forward(self: __torch__.M, x: Tensor) -> Tensor:\n    return torch.add(x, 1)\n")
    code = (f"import sys; sys.path[:0] = {sys.path!r}\n"
            "try:\n    import wick\nexcept ImportError as e:\n    said = str(e)\n"
            "assert 'main interpreter' in said or 'subinterpreter' in said, said\n")
    other = interpreters.create()
    run = getattr(interpreters, "exec", None) or interpreters.run_string
    assert run(other, code) is None
    interpreters.destroy(other)
    assert model(np.zeros(1, "float32")).tolist() == [1]
    with pytest.raises(wick.InvalidArgumentError):
        model()


def _module_or_none(name):
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        return None
