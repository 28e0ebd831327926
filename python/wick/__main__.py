"""python -m wick ...: the `wick` command itself."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    from wick import _wick

    # Ctrl-C and a reader that has gone end the command, as they end the program of the same name.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdout.flush()
    return _wick.run_command(["wick", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
