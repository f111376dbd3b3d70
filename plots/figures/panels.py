"""The sheet that every figure is drawn on: title, legend, a grid of panels, caption, footer.

Distances are in inches and added up here rather than left to an automatic layout: text of known length
then never overlaps, and a figure keeps its look when a scheduler is added.
"""

import math
import textwrap

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.markers import CARETDOWN, CARETLEFT, CARETRIGHT, CARETUP
from matplotlib.ticker import FixedFormatter, FixedLocator, NullFormatter, NullLocator

import style
import words

WIDTH = 10.0  # inches; 1000 pixels at DPI, the width of a README
DPI = 100
MAX_SERIES = 6  # in one panel, the floor included
WIDE = 50  # an axis whose values spread further than this is logarithmic

# For captions of figures whose points are timings.
QUARTILES = (
    "bars reach from the first to the third quartile, and where one runs out of the panel a caret marks it"
)

_LINE = 0.165  # height of a line of small text
_LEGEND_LINE = 0.22
_SIDE = 0.12


def sheet(
    field,
    title,
    rows,
    columns,
    *,
    panel_height=2.15,
    subtitle="",
    caption="",
    legend=(),
    legend_columns=3,
    left=0.72,
    right=0.2,
    between=0.78,
    above=0.34,
    below=0.62,
):
    """A figure and its panels, row by row. `legend` holds (handle, label) pairs."""
    subtitle_lines = textwrap.wrap(subtitle, 135)
    caption_lines = textwrap.wrap(caption, 158)
    footer_lines = textwrap.wrap(footer(field.results), 170)
    legend_rows = math.ceil(len(legend) / legend_columns)

    top = 0.42 + 0.19 * len(subtitle_lines) + _LEGEND_LINE * legend_rows
    bottom = 0.14 + _LINE * (len(caption_lines) + len(footer_lines)) + 0.06
    height = top + rows * (above + panel_height + below) + bottom
    figure = Figure(figsize=(WIDTH, round(height, 2)), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)

    def text(y, content, **arguments):
        figure.text(_SIDE / WIDTH, 1 - y / height, content, va="top", ha="left", **arguments)

    text(0.12, title, fontsize=13, fontweight="bold")
    if subtitle_lines:
        text(0.40, "\n".join(subtitle_lines), fontsize=9.5)
    if legend:
        handles, labels = zip(*legend)
        figure.legend(
            handles,
            labels,
            loc="upper left",
            ncol=legend_columns,
            frameon=False,
            borderaxespad=0,
            borderpad=0,
            labelspacing=0.35,
            columnspacing=2.2,
            handlelength=2.6,
            bbox_to_anchor=(_SIDE / WIDTH, 1 - (0.42 + 0.19 * len(subtitle_lines)) / height),
        )
    y = height - bottom + 0.12
    if caption_lines:
        text(y, "\n".join(caption_lines), fontsize=8.2, color="#333333", linespacing=1.25)
    text(
        y + _LINE * len(caption_lines),
        "\n".join(footer_lines),
        fontsize=7.6,
        color=style.NOTE_COLOUR,
        linespacing=1.3,
    )
    if field.results.interrupted:
        figure.text(
            1 - _SIDE / WIDTH,
            1 - 0.12 / height,
            "PARTIAL RUN",
            va="top",
            ha="right",
            fontsize=10.5,
            fontweight="bold",
            color=style.FAILED_COLOUR,
        )

    width = (WIDTH - left - right - (columns - 1) * between) / columns
    axes = []
    for row in range(rows):
        base = height - top - row * (above + panel_height + below) - above - panel_height
        for column in range(columns):
            x = left + column * (width + between)
            axes.append(figure.add_axes([x / WIDTH, base / height, width / WIDTH, panel_height / height]))
    return figure, axes


def footer(results):
    """Where the numbers come from; all of it from the file, so that a figure can be drawn again."""
    about = results.about
    revision = about["revision"][:12] + (" with local changes" if about["dirty"] else "")
    build = (
        ""
        if about["build_type"] in ("Release", "RelWithDebInfo")
        else f", {about['build_type'].upper()} BUILD"
    )
    partial = "interrupted, partial results  |  " if results.interrupted else ""
    rough = "rough: a smoke run  |  " if about["profile"] == "smoke" else ""
    return (
        f"{partial}{rough}{about['cpu_model']}, {results.context.get('num_cpus', '?')} CPUs  |  {about['compiler']}{build}  |  "
        f"timerbench {about['version']}, revision {revision}  |  profile {about['profile']}  |  "
        f"{results.context['date'][:10]}"
    )


def pages(items, size):
    """The items in lists of at most `size`."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def series_pages(field, beside=()):
    """The default schedulers in lists that leave room for the floor in a panel.

    `beside` names two families of which the second is to follow right behind the first.
    """
    names = list(field.defaults)
    found = [name for family in beside for name in names if name.partition("/")[0] == family]
    if len(found) == 2:
        names.remove(found[1])
        names.insert(names.index(found[0]) + 1, found[1])
    return pages(names, MAX_SERIES - 1) or [[]]


def headliners(field, names):
    """The default schedulers among `names` of which a subtitle may speak."""
    return [
        name for name in names if name in field.defaults and name.partition("/")[0] not in style.NO_HEADLINE
    ]


def legend_entries(field, schedulers, floors=True):
    entries = []
    for name in list(schedulers) + (field.floors[:1] if floors else []):
        look = field.looks.of(name)
        entries.append((Line2D([], [], **look.line_arguments()), legend_label(field, name)))
    return entries


def legend_label(field, name):
    return f"{name} (floor: what no scheduler can avoid)" if name in field.floors else name


def name_pages(stem, figures):
    """{file stem: figure}; a second page is called stem_2."""
    return {stem if index == 0 else f"{stem}_{index + 1}": figure for index, figure in enumerate(figures)}


# --- Axes ---------------------------------------------------------------------------------------------


def is_wide(values):
    values = [value for value in values if value > 0]
    return bool(values) and max(values) / min(values) > WIDE


def log_ticks(low, high):
    """Round numbers within the limits: decades where there are many, else 1, 2, 5, else all digits."""
    for digits, enough in (((1,), 3), ((1, 2, 5), 3), ((1, 2, 3, 5, 7), 2), (range(1, 10), 2)):
        decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
        ticks = [digit * 10.0**decade for decade in decades for digit in digits]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if len(ticks) >= enough:
            # Labels of more than six decades would touch each other.
            return ticks[:: math.ceil(len(ticks) / 7)]
    return ticks


def log_scale(axes, which, low, high, ticks=None):
    """A logarithmic axis with few, round, written-out ticks; `ticks` where other places are wanted."""
    axis = getattr(axes, f"{which}axis")
    getattr(axes, f"set_{which}scale")("log")
    getattr(axes, f"set_{which}lim")(low, high)
    ticks = ticks or log_ticks(low, high)
    axis.set_major_locator(FixedLocator(ticks))
    axis.set_major_formatter(FixedFormatter([words.short_count(tick) for tick in ticks]))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def scale_values(axes, which, values, always_log=False, headroom=1.5):
    """The axis of measured values: logarithmic if they spread, otherwise from zero."""
    values = [value for value in values if value > 0]
    if not values:
        return
    if always_log or is_wide(values):
        log_scale(axes, which, min(values) / 2, max(values) * headroom)
    else:
        getattr(axes, f"set_{which}lim")(0, max(values) * (1 + 0.25 * (headroom - 1)))


def scale_timings(axes, which, timings, always_log=False, headroom=2.2):
    """The axis of medians. Of the bars only what lies near them is seen: one outlying quartile would
    otherwise press all curves of a panel together. Bars that run out are marked at the edge."""
    scale_values(axes, which, medians(timings), always_log, headroom)
    low, high = getattr(axes, f"get_{which}lim")()
    along = 1 if which == "y" else 0
    for container in [c for c in axes.containers if isinstance(c, ErrorbarContainer)]:
        for bars in container[2]:
            for segment in bars.get_segments():
                (first, last), place = sorted(point[along] for point in segment), segment[0][1 - along]
                colour = bars.get_color()[0]
                if first < low:
                    _mark_edge(axes, place, low, CARETDOWN if along else CARETLEFT, along, colour)
                if last > high:
                    _mark_edge(axes, place, high, CARETUP if along else CARETRIGHT, along, colour)


def _mark_edge(axes, place, edge, marker, along, colour):
    x, y = (place, edge) if along else (edge, place)
    axes.plot(
        [x],
        [y],
        marker=marker,
        markersize=6,
        color=colour,
        linestyle="none",
        clip_on=False,
        zorder=5,
        label="_beyond",
        scalex=False,
        scaley=False,
    )


def medians(timings):
    return [t.median for t in timings if not t.failed]


def show_failed(axes, timings, place):
    """Rows with a wrong result have no place on the axis, but must not vanish either.

    `place` says of a Timing where on the horizontal axis it would stand: "N = 1M".
    """
    failed = sorted(
        (t for t in timings if t.failed),
        key=lambda t: (style.scheduler_order(t.subject.scheduler), t.subject),
    )
    if failed:
        # Top left: costs rise to the right, so that curves leave this corner free.
        axes.text(
            0.03,
            0.9,
            "\n".join(f"FAILED at {place(t)}:\n{t.subject.scheduler}" for t in failed),
            transform=axes.transAxes,
            ha="left",
            va="top",
            fontsize=7.8,
            color=style.FAILED_COLOUR,
            fontweight="bold",
            zorder=6,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1},
        )


def at_population(timing):
    return f"N = {words.short_count(timing.subject.population)}"


# --- Series -------------------------------------------------------------------------------------------


def draw_timings(field, axes, timings, horizontal):
    """One series: medians with bars from quartile to quartile. `horizontal` maps a Timing to its x."""
    passed = sorted((t for t in timings if not t.failed), key=horizontal)
    if not passed:
        return
    name = passed[0].subject.scheduler
    floor = name in field.floors
    axes.errorbar(
        [horizontal(t) for t in passed],
        [t.median for t in passed],
        yerr=[[t.median - t.q1 for t in passed], [t.q3 - t.median for t in passed]],
        label=name,
        capsize=2.5,
        elinewidth=1.0,
        zorder=2 if floor else 3,
        markeredgewidth=0.9,
        **field.looks.of(name).line_arguments(),
    )
