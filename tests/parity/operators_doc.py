#!/usr/bin/python3
"""docs/operators.md: which of PyTorch's operators Wick has, which it lacks and why, and the results of OpInfo's samples.

  operators_doc.py            writes it, from the runner's list of operators and opinfo_results.txt
  operators_doc.py --check    fails when it is not what would be written

The pass rates are those of the last `opinfo.py --record` over everything.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from lib import schemas  # noqa: E402
from run import find_runner  # noqa: E402

DOCUMENT = HERE.parent.parent / "docs" / "operators.md"
# What a name (or the text of its schema) says about why an operator is not in Wick; the first that matches counts.
REASONS = [
    (r"backward|_grad\b|_jvp|_make_dual|_unpack_dual|_fw_primal|AutogradAdd|Autograd|DifferentiableGraph|get_gradients|"
     r"aten::grad$|_masked_scale|RequiresGrad|_fused_dropout|_grad_sum_to_size", "the backward pass"),
    (r"_fused_(adam|sgd|adagrad)|_amp_", "optimizers"),
    (r"cudnn|cuda|miopen|cufft|mps|vulkan|metal|_triton|_cslt|_mixed_dtypes|record_stream|_philox|nvprims|xla|"
     r"_flash_attention|_efficient_attention|overrideable|_pin_memory|_scaled_grouped|_scaled_mm_v2|_int4pack_mm$|"
     r"_convert_weight_to_int4pack$|with_scales_and_zeros|_fill_mem_eff|_flash_scaled|batch_norm_(stats|elemt|gather)|"
     r"_scaled_dot_product_(flash|efficient)_attention|_copy_from", "other devices than the CPU"),
    (r"sparse|coo|csr|csc|bsr|_nnz|_indices|_values|::indices|::values|_dim[IV]$|coalesce|_spdiags|hspmm|smm\b|sspaddmm|"
     r"_spsolve|_to_dense|native_norm|_rowwise_prune|_efficientzero", "sparse tensors"),
    (r"^quantized::|^_quantized::|quantiz|qint|choose_qparams|fused_moving_avg|_saturate_weight|^onednn::|"
     r"_dyn_quant|_wrapped_(linear|quant)|_fake_quantize_learnable", "quantized models: the desktop engines' own forms, and forms of training"),
    (r"mkldnn|MKLDNN|fbgemm|nnpack|oneDNN|^mkl", "formats of PyTorch's own backends"),
    (r"[dD]imname|names|Dimname|named|align_|rename", "named tensors, which TorchScript refuses"),
    (r"nested|jagged", "nested tensors, but for what nn.TransformerEncoder uses"),
    (r"c10d|rpc|symm_mem|_dtensor|to_here|owner|local_value", "distributed programs"),
    (r"^(nv)?prims::|^rngprims|^inductor|^debug|^export::|_functional_|dep_token|Fusion|TensorExpr|Static|BailOut|"
     r"Bailout|Guard|profile|TypeCheck|FallbackGraph|MMTree|MMBatch|FusedConcat|VarConcat|VarStack|ConstantChunk|"
     r"ChunkSizes|BroadcastSizes|ReductionSizes|add_optional|TupleUnpack|PythonOp|AddStatValue|TimePoint|"
     r"static_runtime|onnx|_add_batch_dim|_remove_batch_dim|batch_dim|_new_zeros_with|awaitable|sym_is_contiguous|"
     r"_linalg_check|_debug_has|slice_inverse|shallow_copy|_print$|_propagate",
     "internal to PyTorch's compilers; not in files"),
    (r"_test|_foobar", "PyTorch's own tests"),
    (r"_foreach_\w+\.\w*out$", "out forms over lists"),
    (r"\bset\.|set_\.source_Storage|set_data|Storage|from_file|aten::save|_resize_output",
     "storages and files, which a model may not touch"),
    (r"_sobol|hash_tensor|_standard_gamma|_dirichlet|_decoder_only|_helper|_compute_linear|_ncf|_neg_view|"
     r"_reshape_from|_to_cpu|sublist|powsum|rrelu_with_noise_functional|get_cpu_capability|_sdp_choice|_histogramdd|"
     r"empty_permuted|_native|embedding_renorm|aten::set|_with_update_functional",
     "internal, or not reachable from TorchScript"),
]


def reason(name, text):
    for pattern, why in REASONS:
        if re.search(pattern, name) or (why.startswith("named") and "Dimname" in text):
            return why
    return "not done"


def base(name):
    return name.split(".")[0]


def read_results():
    """{OpInfo name: {dtype: (passed, failed, missing)}}"""
    out = collections.defaultdict(dict)
    for line in (HERE / "opinfo_results.txt").read_text().splitlines():
        name, dtype, *counts = line.split()
        out[name][dtype] = tuple(map(int, counts))
    return out


def rate(counts):
    total = sum(counts)
    return f"{100 * counts[0] / total:.2f} %" if total else "-"


def document(runner):
    listed = subprocess.run([runner, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
    have = {line.split("(")[0] for line in listed}
    theirs = {name: str(schema) for name, schema in schemas.all_schemas().items()}
    theirs.update({name: "" for name in (HERE / "torch2_operators.txt").read_text().split() if name not in theirs})
    missing = collections.defaultdict(list)
    for name, text in theirs.items():
        if name not in have:
            missing[reason(name, text)].append(name)
    results = read_results()
    by_dtype, total = collections.defaultdict(lambda: [0, 0, 0]), [0, 0, 0]
    for rows in results.values():
        for dtype, counts in rows.items():
            for i in range(3):
                by_dtype[dtype][i] += counts[i]
                total[i] += counts[i]

    lines = ["# Operators", "", "Generated by `make docs` (`tests/parity/operators_doc.py`); do not edit.", "",
             f"Wick has {len(have)} operators (overloads counted), "
             f"{len(have & set(theirs))} of them in the tables of PyTorch 1.13.1 and 2.14. Those it lacks are "
             "listed with the reason.", "",
             "## PyTorch's own samples (OpInfo)", "",
             "Every sample input of PyTorch 1.13.1's table that PyTorch can trace and write, run in Wick and compared: "
             f"{rate(total)} of {sum(total)} samples agree, in {len(results)} operators.", "",
             "| dtype | samples | agree | differ | operator missing | rate |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
    for dtype in sorted(by_dtype):
        p, f, m = by_dtype[dtype]
        lines.append(f"| {dtype} | {p + f + m} | {p} | {f} | {m} | {rate((p, f, m))} |")
    lines += ["", "Operators with samples that differ, and why:", ""]
    for line in (HERE / "opinfo_known.txt").read_text().splitlines():
        name, why = line.split(None, 1)
        lines.append(f"- `{name}`: {why}")
    lines += ["", "## PyTorch's operators that Wick does not have", ""]
    for why in [w for _, w in REASONS] + ["not done"]:
        if missing[why]:
            lines += [f"**{why[0].upper() + why[1:]}** ({len(missing[why])}): " + ", ".join(
                f"`{n}`" for n in compact(missing[why], {base(n) for n in have})) + ".", ""]
    lines += ["## Operators that Wick has", "", "Overloads in brackets, where there is more than one.", ""]
    groups = collections.defaultdict(list)
    for name in have:
        groups[base(name)].append(name)
    spaces = collections.defaultdict(list)
    for name in sorted(groups):
        count = len(groups[name])
        spaces[name.split("::")[0]].append(f"`{name.split('::')[1]}`" + (f" ({count})" if count > 1 else ""))
    for space in sorted(spaces):
        lines += [f"**{space}::** " + ", ".join(spaces[space]) + ".", ""]
    return "\n".join(wrapped(line) for line in lines)


def wrapped(line):
    """The line in 100 columns, unless it is a row of a table."""
    indent = "  " if line.startswith("- ") else ""
    return line if line.startswith("|") else textwrap.fill(line, 100, subsequent_indent=indent, break_long_words=False,
                                                           break_on_hyphens=False)


def compact(names, partly):
    """One name for all overloads of an operator, unless Wick has some of them."""
    counts = collections.Counter(n if base(n) in partly else base(n) for n in names)
    return [n + (f" ({c})" if c > 1 else "") for n, c in sorted(counts.items())]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--check", action="store_true")
    p.add_argument("--runner", default=None)
    options = p.parse_args()
    text = document(options.runner or find_runner())
    if not options.check:
        DOCUMENT.write_text(text)
        return 0
    current = DOCUMENT.exists() and DOCUMENT.read_text() == text
    print("1 passed, 0 failed" if current else "docs/operators.md is not current: run `make docs`\n0 passed, 1 failed")
    return 0 if current else 1


if __name__ == "__main__":
    sys.exit(main())
