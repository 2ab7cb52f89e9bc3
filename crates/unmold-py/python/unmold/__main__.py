"""The command line: `python -m unmold`, the same as the command `unmold` that is installed with the package."""

import sys

from ._unmold import run_command


def main() -> int:
    return run_command(["unmold", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
