"""The programs in cases_language/."""
import pathlib

from lib.language import FOLDER, programs


def cases():
    for path in sorted((pathlib.Path(__file__).resolve().parent.parent / FOLDER).glob("*.py")):
        yield from programs(path.stem)
