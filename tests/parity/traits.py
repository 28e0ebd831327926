#!/usr/bin/python3
"""The traits of Wick's operators against PyTorch 2's tags of the same names.

  traits.py --runner RUNNER      compares with the recorded tags
  traits.py --record FOLDER      records them anew; FOLDER holds the torchgen package of PyTorch 2 (a part of its wheel,
                                 of any platform)

The record, torch2_tags.txt, has a line for each operator with one of the tags compared.
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RECORD = HERE / "torch2_tags.txt"
TAGS = ("pointwise", "nondeterministic_seeded", "data_dependent_output", "dynamic_output_shape", "inplace_view")

# Operators that PyTorch 2 has without the tag, by name ("aten::add" for all overloads), and why they have it here.
# Variants in place and with `out` are not listed: PyTorch tags some and leaves out others; here all have the tags of
# the operator that gives a new tensor.
ONLY_HERE = {
    "pointwise": {
        "aten::hardswish": "forgotten: each element by itself, like hardsigmoid",
        "aten::leaky_relu": "forgotten, like elu",
        "aten::log_sigmoid": "a composition there",
        "aten::floor_divide": "forgotten, like div",
        "aten::_add_relu": "a sum and a relu",
        "aten::where": "forgotten for forms with numbers",
        "aten::rsub": "forgotten for the form with a tensor",
        "aten::true_divide": "forgotten for the form with a number",
    },
    "nondeterministic_seeded": {
        "aten::quantized_lstm": "drops values between layers in training, as lstm, which has it",
        "aten::quantized_gru": "as gru",
        "aten::_scaled_dot_product_attention": "an earlier name of scaled_dot_product_attention",
        "aten::_scaled_dot_product_attention_forward": "an earlier name of it",
        "quantized::dropout": "as aten::dropout",
        "aten::_no_grad_uniform_": "the in-place operator under another name",
        "aten::_no_grad_normal_": "the in-place operator under another name",
    },
    "data_dependent_output": {
        "aten::is_nonzero": "a composition of item there",
        "aten::Bool": "not in native_functions.yaml",
        "aten::Int": "not in native_functions.yaml",
        "aten::Float": "not in native_functions.yaml",
        "aten::Complex": "not in native_functions.yaml",
        "aten::IntImplicit": "not in native_functions.yaml",
        "aten::FloatImplicit": "not in native_functions.yaml",
        "aten::ComplexImplicit": "not in native_functions.yaml",
        "aten::ScalarImplicit": "not in native_functions.yaml",
    },
    "dynamic_output_shape": {
        "aten::_unique": "forgotten, like _unique2",
        "aten::nonzero_numpy": "a composition of nonzero",
        "aten::where": "with one argument, nonzero_numpy",
        "aten::index": "forms with out, and with a list without None",
        "aten::_unsafe_index": "takes masks as index does",
        "aten::repeat_interleave": "a composition of the form that has it",
        "aten::tensor_split": "sections read from a tensor",
        "aten::_pack_padded_sequence": "as many rows as the lengths add up to",
        "aten::_pad_packed_sequence": "as many rows as the greatest batch size",
    },
    "inplace_view": {},
}
# Operators with PyTorch's tag that do not have it here.
ONLY_THERE = {
    "pointwise": {
        "aten::equal": "gives one bool, not one an element",
        "aten::masked_fill": "gives row-major results; pointwise stands for kept strides, too",
        "aten::rrelu": "gives row-major results",
    },
    "nondeterministic_seeded": {
        "aten::rrelu_with_noise": "nothing is claimed: writes to an argument that the schema does not mark",
    },
}


def record(folder):
    sys.path.insert(0, str(folder))
    from torchgen.gen import parse_native_yaml
    native = pathlib.Path(folder) / "torchgen" / "packaged" / "ATen" / "native"
    functions = parse_native_yaml(native / "native_functions.yaml", native / "tags.yaml").native_functions
    lines = []
    for function in functions:
        tags = [tag for tag in TAGS if tag in function.tags]
        if tags:
            lines.append(" ".join([f"aten::{function.func.name}", *tags]))
    RECORD.write_text("\n".join(sorted(lines)) + "\n")
    print(f"{len(lines)} operators with tags")
    return 0


def read(lines):
    return {name: set(marks) for name, *marks in (line.split() for line in lines)}


def operators_of_pytorch():
    """Those of the PyTorch installed, and those that PyTorch 2 has in addition."""
    import torch
    names = {s.name + ("." + s.overload_name if s.overload_name else "") for s in torch._C._jit_get_all_schemas()}
    return names | set((HERE / "torch2_operators.txt").read_text().split())


def base(name):
    return name.split(".")[0]


def functional(name):
    """The name of the operator of which this is a variant, without its overload."""
    name = base(name)
    return name if name.endswith("__") else name.rstrip("_")


def is_variant(name):
    overload = name.partition(".")[2].lower()
    return functional(name) != base(name) or "out" in overload or overload in ("values", "values_stable")


def differences(ours, theirs, shared):
    used = set()
    for tag in TAGS:
        tagged = {name for name, tags in theirs.items() if tag in tags}
        families = {functional(name) for name in tagged}
        for name in sorted(shared):
            here, there = tag in ours[name], name in tagged
            if here == there:
                continue
            listed = (ONLY_HERE if here else ONLY_THERE).get(tag, {})
            key = next((k for k in (name, base(name), functional(name)) if k in listed), None)
            if key:
                used.add((here, tag, key))
            elif not (here and is_variant(name) and functional(name) in families):
                yield f"{name}: {tag} is {'only here' if here else 'only in PyTorch'}"
    for here, table in ((True, ONLY_HERE), (False, ONLY_THERE)):
        for tag, listed in table.items():
            for key in listed:
                if (here, tag, key) not in used:
                    yield f"{key}: {tag} is listed as a difference, but is none"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--record", metavar="FOLDER")
    p.add_argument("--runner", default=None)
    options = p.parse_args()
    if options.record:
        return record(options.record)
    from run import find_runner
    printed = subprocess.run([options.runner or find_runner(), "--traits"], capture_output=True, text=True, check=True)
    ours, theirs = read(printed.stdout.splitlines()), read(RECORD.read_text().splitlines())
    shared = ours.keys() & operators_of_pytorch()
    problems = list(differences(ours, theirs, shared))
    print("\n".join(problems))
    print(f"{len(shared) * len(TAGS) - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
