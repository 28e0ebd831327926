#!/usr/bin/python3
"""Runs models and operators on the GPU below Vulkan's validation layer, synchronization validation included, and expects
it to say nothing.

  gpu_validation.py [--cases models_small models_vision ...]    needs Debian's vulkan-validationlayers
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LAYER = "VK_LAYER_KHRONOS_validation"
SETTINGS = """khronos_validation.enables = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.report_flags = error,warn
khronos_validation.log_filename = {log}
"""


def messages_of(command, folder, name):
    """What the layer says of a program; None when it was not there."""
    log = folder / f"{name}.txt"
    (folder / "vk_layer_settings.txt").write_text(SETTINGS.format(log=log))
    env = dict(os.environ, VK_INSTANCE_LAYERS=LAYER, VK_LAYER_SETTINGS_PATH=str(folder))
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    print(done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-400:], flush=True)
    return (log.read_text() if log.exists() else None), done.returncode


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--cases", nargs="*", default=["models_small", "models_vision", "models_text", "models_detection",
                                                  "models_forms", "rnn", "conv", "attention"])
    p.add_argument("--runner", default=None)
    options = p.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for family in options.cases:
            for precision in ("fp32", "fp16"):
                command = [sys.executable, str(HERE / "run.py"), "--backend", "gpu", "--precision", precision, "--cases",
                           family] + (["--runner", options.runner] if options.runner else [])
                said, status = messages_of(command, pathlib.Path(scratch), f"{family}-{precision}")
                problem = None
                if said is None:
                    problem = "the layer was not loaded: install vulkan-validationlayers"
                elif said.strip():
                    problem = said.strip()[:2000]
                elif status != 0:
                    problem = "cases failed"
                passed, failed = passed + (problem is None), failed + (problem is not None)
                if problem:
                    print(f"FAIL {family} {precision}: {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
