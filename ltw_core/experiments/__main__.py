"""``python -m ltw_core.experiments``, as the command line of studies was called before."""

import sys

from ltw_core.studies.__main__ import main

if __name__ == "__main__":
    sys.stderr.write("ltw_core.experiments is called ltw_core.studies now; the old name will go one day.\n")
    sys.exit(main())
