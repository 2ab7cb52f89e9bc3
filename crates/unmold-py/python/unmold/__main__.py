"""The command line: `python -m unmold`, the same as the command `unmold` that is installed with the package.

`unmold spark-job` is of the package alone: it prints where the file is that `spark-submit` takes.
"""

import sys
from pathlib import Path

from ._unmold import run_command


def main() -> int:
    if sys.argv[1:] == ["spark-job"]:
        print(Path(__file__).with_name("spark_job.py"))
        return 0
    return run_command(["unmold", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
