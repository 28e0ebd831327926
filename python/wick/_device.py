"""wick.Device."""

from __future__ import annotations

from wick import _wick


class Device(str):
    """A device as models take and give it: Device("cpu"), Device("cuda:0"). Other strings are strings to a model."""

    __slots__ = ()

    def __new__(cls, device: object) -> Device:
        return super().__new__(cls, _wick.device_name(str(device)))

    @property
    def type(self) -> str:
        return self.partition(":")[0]

    @property
    def number(self) -> int | None:
        """Of the device among those of its type; None where none is said."""
        number = self.partition(":")[2]
        return int(number) if number else None

    def __repr__(self) -> str:
        return f"wick.Device({str.__repr__(self)})"
