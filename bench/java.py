#!/usr/bin/env python3
"""java.py [--output TABLE.md] [--rounds N] [--seconds S]: rows per second on the JVM, beside ONNX Runtime's Java API
and DJL with PyTorch, both from Maven.

Three ways, batches of 1 and 16: calls of one thread; the service of examples/server with two clients; the job of
examples/spark on two cores. Every engine runs in each round, in one virtual machine, and its calls keep to one thread.
The models have random weights with fixed seeds: MobileNetV2, and letters through an embedding, two convolutions and a
dense layer; Wick and DJL read the same TorchScript file, ONNX Runtime an export of it. Engines whose scores differ end
the run.

Needs what `make java` builds, PyTorch 1.13 and Maven (1 GB of packages)."""
import argparse
import collections
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench"))
FOLDER = ROOT / "build/bench/java"
OPENS = ["java.lang", "java.lang.invoke", "java.io", "java.net", "java.nio", "java.util", "java.util.concurrent",
         "sun.nio.ch", "sun.util.calendar"]  # what Spark needs of a JDK 17
WORKLOADS = {"call": "calls, one thread", "server": "`examples/server`, two clients", "spark": "`examples/spark`, two cores"}


def make_models():
    import models
    import torch

    class Topics(torch.nn.Module):
        """Scores of a text: a row of letters as bytes, or as floats."""

        def __init__(self):
            super().__init__()
            self.letters = torch.nn.Embedding(256, 128)
            self.first, self.second = torch.nn.Conv1d(128, 128, 5, padding=2), torch.nn.Conv1d(128, 128, 5, padding=2)
            self.scores = torch.nn.Linear(128, 16)

        def forward(self, text: torch.Tensor) -> torch.Tensor:
            x = self.letters(text.to(torch.int64)).transpose(1, 2)
            x = torch.relu(self.second(torch.relu(self.first(x))))
            return self.scores(x.amax(2))

    def write(net, name, example, batch_axes):
        frozen = torch.jit.freeze(torch.jit.script(net.eval()))
        frozen.save(str(FOLDER / f"{name}.pt"))
        torch.onnx.export(net, (example,), str(FOLDER / f"{name}.onnx"), opset_version=17, input_names=["rows"],
                          output_names=["scores"], dynamic_axes={"rows": batch_axes, "scores": {0: "batch"}})

    FOLDER.mkdir(parents=True, exist_ok=True)
    write(models.calibrated(models.model_named("mobilenet_v2")), "image", torch.rand(1, 3, 224, 224), {0: "batch"})
    torch.manual_seed(7)
    topics = Topics()
    letters = torch.randint(97, 123, (1, 64))
    write(topics, "text", letters.to(torch.uint8), {0: "batch", 1: "letters"})
    write(topics, "text_of_floats", letters.float(), {0: "batch", 1: "letters"})


def run(rounds, seconds):
    """{workload: {engine: [(rows per second, processor milliseconds a row)]}} and the versions of the packages."""
    maven = ["mvn", "-q", "-B", "-ntp", "-P", "bench", "-pl", "server,../examples/server,../examples/spark,../bench/java"]
    paths = FOLDER / "classpath"
    subprocess.run([*maven, "package", "-DskipTests", "-Dmaven.javadoc.skip=true",
                    "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath",
                    f"-Dmdep.outputFile={paths}"], cwd=ROOT / "java", check=True)
    classes = f"{ROOT / 'bench/java/target/classes'}:{paths.read_text().strip()}"
    opens = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENS]
    done = subprocess.run(["java", "-Xmx2g", *opens, f"-Dwick.library.path={ROOT / 'build/lib'}",
                           "-Dai.djl.pytorch.num_threads=1", "-Dai.djl.pytorch.num_interop_threads=1",
                           "-Dai.djl.offline=true", "-cp", classes, "wick.bench.Main", FOLDER, str(rounds), str(seconds)],
                          env={**os.environ, "OMP_NUM_THREADS": "1"}, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}\nbench/java.py: the benchmark ended with {done.returncode}")
    measured = collections.defaultdict(lambda: collections.defaultdict(list))
    for line in done.stdout.splitlines():
        if line.startswith("measured\t"):
            _, workload, engine, rate, processor = line.split("\t")
            measured[workload][engine].append((float(rate), float(processor)))
    return measured, re.findall(r"/(onnxruntime|pytorch-engine|pytorch-native-cpu|spark-core_2\.12)-([\d.]+\d)", classes)


def table(measured, versions, rounds, seconds):
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    java = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr.splitlines()[0]
    engines = list(next(iter(measured.values())))
    lines = ["# Java: rows per second", "", __doc__.split("\n\n")[1].strip(), "",
             f"{cpu}, {os.cpu_count()} cores, {platform.system()}; {java.replace(chr(34), '')}; "
             + ", ".join(f"{name} {version}" for name, version in sorted(set(versions)))
             + f"; load of the machine {os.getloadavg()[2]:.1f}. Medians of {rounds} rounds of {seconds:g} s: rows per "
             "second, and in brackets milliseconds of processor time a row for the whole virtual machine, clients and "
             "decoding of pictures included.", "",
             "| what | batch | " + " | ".join(engines) + " | Wick beside the faster |",
             "| --- | --- |" + " --- |" * (len(engines) + 1)]
    for workload, by_engine in measured.items():
        *what, batch = workload.split()
        rates = {name: statistics.median(rate for rate, _ in runs) for name, runs in by_engine.items()}
        spent = {name: statistics.median(time for _, time in runs) for name, runs in by_engine.items()}
        others = max(rate for name, rate in rates.items() if name != "Wick")
        title = WORKLOADS[what[0]] + "".join(f", {name}" for name in what[1:])
        lines.append(f"| {title} | {batch} | " + " | ".join(f"{rates[e]:,.0f} ({spent[e]:.3g})" for e in engines)
                     + f" | {rates['Wick'] / others:.2f} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1)
    options = parser.parse_args()
    if not (FOLDER / "text_of_floats.onnx").exists():
        make_models()
    text = table(*run(options.rounds, options.seconds), options.rounds, options.seconds)
    print(text)
    if options.output:
        options.output.write_text(text)


if __name__ == "__main__":
    main()
