"""The job of `unmold.spark` as a file: `spark-submit "$(unmold spark-job)" crawl.parquet out`."""

import sys

if __name__ == "__main__":
    # Functions that are sent to other processes must be found there under their own name.
    from unmold.spark import main

    sys.exit(main())
