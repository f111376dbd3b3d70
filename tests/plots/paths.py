"""Makes the modules of plots/ importable; every test imports this first."""

import sys
from pathlib import Path

PLOTS = Path(__file__).resolve().parents[2] / "plots"
if str(PLOTS) not in sys.path:
    sys.path.insert(0, str(PLOTS))
