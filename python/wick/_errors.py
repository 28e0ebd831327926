"""What Wick raises. Every exception is a `wick.Error`, and Python's own kind where there is one."""

from __future__ import annotations


class Error(RuntimeError):
    """What went wrong; str(error) says what was expected, what was found and where.

    code      the kind of error, as C++ and the command have it: "invalid_argument", "corrupt_file", ...
    summary   the message without where in the model it happened
    context   where it happened: lines, the innermost first
    operator  the operator of the model that failed, e.g. "aten::mm"; None when none did
    file      the file of the model's code, and
    line      the line in it; None when they are not known
    """

    code: str = "internal"
    summary: str = ""
    context: str = ""
    operator: str | None = None
    file: str | None = None
    line: int | None = None


class InvalidArgumentError(Error, ValueError):
    """A caller's argument is wrong: count, type or value."""


class NotFoundError(Error, LookupError):
    """A file, record, method or attribute does not exist."""


class MissingFileError(NotFoundError, FileNotFoundError):
    """A file that was to be read does not exist; errno and filename are set."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class FileError(Error, OSError):
    """The operating system refused to read or write; filename is set, and errno where the reason is known."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class CorruptFileError(Error, ValueError):
    """The bytes are not a well-formed model or archive."""


class UnsupportedVersionError(Error):
    """A well-formed file of a version that this build cannot run."""


class MissingOperatorError(Error, NotImplementedError):
    """The model needs an operator that this build does not have."""


class UnsupportedError(Error, NotImplementedError):
    """A dtype, layout or feature that is not available."""


class TypeMismatchError(Error, TypeError):
    """A value has another type than the operation needs."""


class ShapeMismatchError(Error, ValueError):
    """Tensor sizes do not fit the operation."""


class IndexOutOfRangeError(Error, IndexError):
    """An index or dim is outside of its range."""


class ModelError(Error):
    """The model itself raised an exception, or an operator written in Python did (see __cause__)."""


class OutOfMemoryError(Error, MemoryError):
    """An allocation failed."""


class LimitExceededError(Error):
    """A limit was reached: max_memory, max_operations, or a documented one."""


class CancelledError(Error):
    """A Cancellation stopped the load or run."""


class DeadlineError(Error, TimeoutError):
    """A load or run took longer than its timeout."""


CLASSES = {
    "invalid_argument": InvalidArgumentError,
    "not_found": NotFoundError,
    "io": FileError,
    "corrupt_file": CorruptFileError,
    "unsupported_version": UnsupportedVersionError,
    "missing_operator": MissingOperatorError,
    "unsupported": UnsupportedError,
    "type_mismatch": TypeMismatchError,
    "shape_mismatch": ShapeMismatchError,
    "index_out_of_range": IndexOutOfRangeError,
    "model_exception": ModelError,
    "out_of_memory": OutOfMemoryError,
    "limit_exceeded": LimitExceededError,
    "cancelled": CancelledError,
    "deadline_exceeded": DeadlineError,
}
