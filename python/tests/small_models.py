"""Small models, written as TorchScript."""

import io
import zipfile


def torchscript(body, name="M"):
    """A .pt file of one class without parameters: `body` is the source of its methods, indented by two."""
    source = (
        f"class {name}(Module):\n  __parameters__ = []\n  __buffers__ = []\n  training : bool\n"
        f"  _is_full_backward_hook : Optional[bool]\n" + body
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("m/data.pkl", pickle_of_object(name))
        archive.writestr("m/code/__torch__.py", source)
        archive.writestr("m/constants.pkl", b"\x80\x02).")
        archive.writestr("m/version", "3\n")
    return out.getvalue()


def pickle_of_object(name):
    """An object with no attributes but those that every module has, as torch.jit.save writes it."""

    def text(s):
        raw = s.encode()
        return b"X" + len(raw).to_bytes(4, "little") + raw

    return (
        b"\x80\x02c__torch__\n" + name.encode() + b"\n)\x81}(" + text("training") + b"\x89" +
        text("_is_full_backward_hook") + b"Nub."
    )
