"""PyTorch 2: the scripted file, frozen and optimized for inference (oneDNN convolutions), images channels last."""


def prepare(threads):
    import torch

    torch.set_num_threads(threads)
    torch.set_num_interop_threads(1)


def load(folder, model, inputs, threads, form):
    import torch

    module = torch.jit.optimize_for_inference(torch.jit.freeze(torch.jit.load(str(folder / "model.pt")).eval()))
    tensors = [torch.from_numpy(x) for x in inputs]
    if model.is_image:
        tensors = [x.contiguous(memory_format=torch.channels_last) for x in tensors]

    def run():
        with torch.inference_mode():
            return module(*tensors).numpy()

    for _ in range(2):
        run()
    return run
