"""ExecuTorch with the XNNPACK delegate; the model is built again with PyTorch 2 and the same parameters."""


def convert(folder, model):
    import models
    import torch
    from executorch.backends.xnnpack.partition.xnnpack_partitioner import XnnpackPartitioner
    from executorch.exir import to_edge_transform_and_lower

    net = model.make().eval()
    net.load_state_dict(torch.load(folder / "state.pt"))
    exported = torch.export.export(net, tuple(models.example_inputs(model)))
    program = to_edge_transform_and_lower(exported, partitioner=[XnnpackPartitioner()]).to_executorch()
    (folder / "model.pte").write_bytes(program.buffer)


# The library itself: the Python package around it takes ten seconds to import, for tools that are not used here.
def library():
    import torch  # noqa: F401
    from executorch.extension.pybindings import _C

    return _C


def prepare(threads):
    library()._unsafe_reset_threadpool(threads)


def load(folder, model, inputs, threads, form):
    import torch

    module = library()._load_for_executorch(str(folder / "model.pte"))
    tensors = tuple(torch.from_numpy(x) for x in inputs)

    def run():
        return module.run_method("forward", tensors)[0].numpy()

    run()  # which makes the method ready
    return run
