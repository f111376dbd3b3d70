"""Which scheduler suits which workload: ratios to the best, in one picture."""

import math

from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Patch, Rectangle

import style
import words
from figures import panels
from figures.cost_by_population import summarise

# One hue from dark (the best) to white (a hundred times slower): order survives printing in grey.
_SHADES = LinearSegmentedColormap.from_list("timerbench", ["#0B4F8A", "#6BAED6", "#DCE9F5", "#FFFFFF"])
_PALE = 100.0

_FIELD_HEIGHT = 0.42


def figures(field):
    """{file stem: figure}: winners_handle, winners_id."""
    drawn = {}
    for level in ("handle", "id"):
        contests = field.contests(level)
        if contests:
            drawn[f"winners_{level}"] = _map(field, level, contests)
    return drawn


def _map(field, level, contests):
    names = field.defaults
    legend = [
        (Patch(facecolor=_shade(1)[0], edgecolor="white"), "best"),
        (Patch(facecolor=_shade(3)[0], edgecolor="#BBBBBB"), "3x"),
        (Patch(facecolor=_shade(30)[0], edgecolor="#BBBBBB"), "30x"),
        (
            Patch(facecolor=_shade(1)[0], edgecolor="white", hatch="///"),
            "hatched: cannot be told from the best in this run",
        ),
        (Patch(facecolor=style.FAILED_COLOUR), "FAILED: wrong result"),
        (Patch(facecolor="white", edgecolor="#999999", linestyle=":"), "not measured"),
    ]
    wrapped = [name.replace("_", "_\n") for name in names]
    lines = max((text.count("\n") + 1 for text in wrapped), default=1)
    figure, (axes,) = panels.sheet(
        field,
        f"Which scheduler suits which workload ({level} level)",
        1,
        1,
        panel_height=_FIELD_HEIGHT * len(contests),
        subtitle=summarise(field, contests, names),
        caption="Each field: cost as a multiple of the best scheduler of its row, and median ns per operation. N is the "
        "largest that most schedulers have; traces have one of their own. Hatched: cannot be told from the best in "
        "this run, whatever the ratio, because the quartile ranges overlap, there were fewer than 3 repetitions, or "
        "the best leads by less than 3 % or by less than what one scheduler, measured twice on this workload, "
        "differs from itself. Each family with its default parameter; the floor is no scheduler and not ranked.",
        legend=legend,
        legend_columns=3,
        left=1.95,
        above=0.22 + 0.15 * lines,
        below=0.36,
    )
    axes.set_xlim(0, max(len(names), 1))
    axes.set_ylim(len(contests), 0)
    for row, contest in enumerate(contests):
        for column, name in enumerate(names):
            _draw_field(axes, column, row, contest, name)
    axes.set_xticks(
        [column + 0.5 for column in range(len(names))],
        wrapped,
        fontweight="bold",
        fontsize=8.5 if len(names) <= 7 else 7,
    )
    axes.xaxis.tick_top()
    axes.set_yticks(
        [row + 0.5 for row in range(len(contests))],
        [f"{c.workload}\nN = {words.count(c.population)}" for c in contests],
    )
    axes.set_xlabel("scheduler (multiple of the best, ns per operation)")
    axes.set_ylabel("workload")
    axes.tick_params(length=0)
    axes.grid(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def _shade(ratio):
    """(fill, text colour) of a multiple of the best."""
    position = min(math.log(max(ratio, 1.0)) / math.log(_PALE), 1.0)
    return _SHADES(position), "white" if position < 0.28 else "black"


def _draw_field(axes, column, row, contest, name):
    timing = contest.timings.get(name)
    hatch, line, weight = "", "-", "normal"
    if timing is None:
        fill, ink, text, line = "white", style.NOTE_COLOUR, "not measured", ":"
    elif timing.failed:
        fill, ink, text, weight = style.FAILED_COLOUR, "white", "FAILED", "bold"
    else:
        ratio = contest.ratio(timing)
        fill, ink = _shade(ratio)
        text = f"{words.ratio(ratio)}\n{words.significant(timing.median)} ns"
        weight = "bold" if timing is contest.best else "normal"
        # One scheduler alone has nobody to win against.
        hatch = "///" if len(contest.leaders) > 1 and timing in contest.leaders else ""
    axes.add_patch(
        Rectangle(
            (column + 0.02, row + 0.04),
            0.96,
            0.92,
            facecolor=fill,
            hatch=hatch,
            linestyle=line,
            edgecolor="#999999" if timing is None else "#C9D3DC" if not hatch else "white",
            linewidth=0.8,
        )
    )
    axes.text(
        column + 0.5,
        row + 0.5,
        text,
        ha="center",
        va="center",
        fontsize=8.2,
        color=ink,
        fontweight=weight,
        linespacing=1.15,
        bbox={"facecolor": fill, "edgecolor": "none", "pad": 1.2},
    )
