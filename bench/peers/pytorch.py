"""PyTorch 1.13's lite interpreter. The form names the file, and channels_last the layout of the image."""


def prepare(threads):
    import torch

    torch.set_num_threads(threads)
    torch.set_num_interop_threads(1)


def load(folder, model, inputs, threads, form):
    import torch
    from torch.jit.mobile import _load_for_lite_interpreter

    file, *layout = form.split()
    module = _load_for_lite_interpreter(str(folder / file))
    tensors = [torch.from_numpy(x) for x in inputs]
    if layout:
        tensors = [x.contiguous(memory_format=torch.channels_last) for x in tensors]

    def run():
        with torch.inference_mode():
            return module(*tensors).numpy()

    return run
