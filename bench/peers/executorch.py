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


def prepare(threads):
    from executorch.extension.pybindings import portable_lib

    portable_lib._unsafe_reset_threadpool(threads)


def load(folder, model, inputs, threads, form):
    import torch
    from executorch.runtime import Runtime, Verification

    program = Runtime.get().load_program(folder / "model.pte", verification=Verification.Minimal)
    method = program.load_method("forward")
    tensors = [torch.from_numpy(x) for x in inputs]
    return lambda: method.execute(tensors)[0].numpy()
