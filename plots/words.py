"""How numbers and names are written, in figures and tables alike."""

import math


def significant(value, digits=3):
    """0.312, 1.23, 12.3, 123, 1,230: three significant digits, as many zeros as needed."""
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    # 9.996 rounds to 10.0, which has one decimal less.
    exponent = math.floor(math.log10(abs(round(value, digits - 1 - exponent))))
    decimals = digits - 1 - exponent
    return f"{round(value, decimals):,.{max(decimals, 0)}f}"


def ratio(value):
    return f"{significant(value)}x"


def count(value):
    """1,000,000, for tables."""
    return f"{value:,.0f}" if value == int(value) else significant(value)


def short_count(value):
    """100, 1k, 250k, 4M: for axes and where there is little room."""
    for unit, suffix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{value / unit:.3g}{suffix}"
    return f"{value:.3g}"


def size(value):
    """Bytes: 48 KiB, 1.25 MiB."""
    for unit, suffix in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if value >= unit:
            return f"{value / unit:.3g} {suffix}"
    return f"{value:.3g} B"


def listed(names):
    """a, b and c."""
    names = list(names)
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1] if names else ""


def plural(number, one, many):
    return f"{number} {one if number == 1 else many}"
