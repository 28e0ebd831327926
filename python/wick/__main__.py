"""python -m wick ...: the `wick` command itself."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    from wick import _wick

    # Ctrl-C ends the command, as it ends the program of the same name.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    return _wick.run_command(["wick", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
