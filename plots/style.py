"""How schedulers look: one colour and marker for each family, in every figure and every run.

Families known today have their look by name. A family unknown today takes a look that follows from its
name alone, so that adding one scheduler does not repaint the others and two runs can be laid side by side.
"""

import zlib
from dataclasses import dataclass

import matplotlib

# Colours of Okabe and Ito, which people with any of the usual colour deficiencies tell apart; the pairs
# that come close in grey differ in their markers. Where not all fit into a panel, the first five are drawn
# together: the wheels that jump over empty ticks, the fast heap and the simplest wheel; then the others.
_KNOWN = {
    "hierarchical_wheel": ("#0072B2", "o"),
    "aligned_wheel": ("#E69F00", "P"),
    "chunked_wheel": ("#000000", "X"),
    "indexed_heap": ("#882255", "p"),
    "hashed_wheel": ("#009E73", "^"),
    "hierarchical_wheel_stepping": ("#56B4E9", "s"),
    "binary_heap": ("#D55E00", "D"),
    "scan_list": ("#CC79A7", "v"),
}

# The wheels often cost the same. What is drawn first is larger, and still seen where another covers it.
_SIZES = {"hierarchical_wheel": 8.0, "hierarchical_wheel_stepping": 6.0}
_SIZE = 4.5
_FLOOR = ("#767676", "")

# For families yet to come: further colours (Paul Tol's muted scheme) and markers that the known ones do not use.
_SPARE_COLOURS = ("#332288", "#E69F00", "#882255", "#999933", "#117733", "#AA4499", "#661100", "#44AA99")
_SPARE_MARKERS = ("P", "X", "p", "<", ">", "h", "*", "d")

# Variants of one family share colour and marker; the default one is solid and filled.
_LINES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)), (0, (3, 1, 1, 1, 1, 1)))

_DEFAULT_PARAMETERS = {
    "hierarchical_wheel": 256,
    "hierarchical_wheel_stepping": 256,
    "aligned_wheel": 256,
    "chunked_wheel": 256,
    "indexed_heap": 4,
    "hashed_wheel": 512,
    "binary_heap": 4,
}

# In the figures for comparison, but of itself no news: no headline speaks of them.
NO_HEADLINE = ("scan_list",)

FAILED_COLOUR = "#B00000"
NOTE_COLOUR = "#555555"


def use():
    """Sets matplotlib up so that equal data give equal bytes, whatever the user's own settings are."""
    matplotlib.use("Agg")
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(
        {
            "font.family": "DejaVu Sans",  # comes with matplotlib
            "text.parse_math": False,  # a name with dollars is a name
            "font.size": 9,
            "axes.titlesize": 9.5,
            "axes.labelsize": 8.5,
            "xtick.labelsize": 8.5,
            "ytick.labelsize": 8.5,
            "legend.fontsize": 9,
            "axes.grid": True,
            "grid.color": "#DDDDDD",
            "grid.linewidth": 0.6,
            "axes.axisbelow": True,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "hatch.linewidth": 0.8,
            "svg.hashsalt": "timerbench",
            "svg.fonttype": "none",
        }
    )


@dataclass(frozen=True)
class Look:
    colour: str
    marker: str
    line: object = "-"
    filled: bool = True
    size: float = _SIZE

    def line_arguments(self):
        """For Axes.plot and Axes.errorbar."""
        return {
            "color": self.colour,
            "marker": self.marker or None,
            "linestyle": self.line,
            "markersize": self.size,
            "linewidth": 1.5 * (self.size / _SIZE) ** 0.8,
            "markerfacecolor": self.colour if self.filled else "white",
        }


def natural_key(scheduler):
    """binary_heap/8 before binary_heap/16."""
    family, _, parameter = scheduler.partition("/")
    return family, (0, int(parameter), "") if parameter.isdigit() else (1, 0, parameter)


def family_order(family):
    """Known families in the order in which they are told about, then the others by name."""
    known = list(_KNOWN)
    return (known.index(family), "") if family in _KNOWN else (len(known), family)


def scheduler_order(scheduler):
    return family_order(scheduler.partition("/")[0]), natural_key(scheduler)


def listed_default(family):
    """The name of the family's variant that is shown where there is room for one; None if not known."""
    parameter = _DEFAULT_PARAMETERS.get(family)
    return None if parameter is None else f"{family}/{parameter}"


class Looks:
    """The looks of one report. `variants` maps a family to its schedulers, the default one first."""

    def __init__(self, variants, floors=()):
        self._looks = {}
        taken = set(_KNOWN.values())
        for family in sorted(variants):
            if family in floors:
                colour, marker, lines = *_FLOOR, ("--",) * len(variants[family])
            else:
                colour, marker = _KNOWN.get(family) or self._spare(family, taken)
                taken.add((colour, marker))
                lines = _LINES
            for index, scheduler in enumerate(variants[family]):
                self._looks[scheduler] = Look(
                    colour,
                    marker,
                    lines[index % len(lines)],
                    filled=index == 0,
                    size=_SIZES.get(family, _SIZE),
                )

    @staticmethod
    def _spare(family, taken):
        # A checksum, not hash(): the latter changes with every start of Python.
        start = zlib.crc32(family.encode())
        pairs = len(_SPARE_COLOURS) * len(_SPARE_MARKERS)
        for step in range(pairs):
            colour, marker = divmod((start + step) % pairs, len(_SPARE_MARKERS))
            pair = (_SPARE_COLOURS[colour], _SPARE_MARKERS[marker])
            if pair not in taken:
                return pair
        return _SPARE_COLOURS[start % len(_SPARE_COLOURS)], _SPARE_MARKERS[start % len(_SPARE_MARKERS)]

    def of(self, scheduler):
        return self._looks[scheduler]
