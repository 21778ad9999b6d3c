"""`python -m idlepool.app`: the same as the command `idlepool`."""

import sys

from idlepool.app.main import main

sys.exit(main())
