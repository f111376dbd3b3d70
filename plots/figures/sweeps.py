"""Cost against one parameter of the workload: cancel share, horizon, empty ticks."""

from dataclasses import dataclass

from matplotlib.ticker import PercentFormatter

import words
from figures import panels

MAX_PANELS = 4
COLUMNS = 2


@dataclass(frozen=True)
class Sweep:
    workload: str
    title: str
    axis: str
    caption: str
    share: bool = False  # from 0 to 1, shown in percent
    beside: tuple = ()  # two families that are to stand on one page


SWEEPS = (
    Sweep(
        "cancel_share",
        "Cost against the share of jobs that are cancelled before they are due",
        "jobs cancelled (%)",
        "Most timers of real systems never fire: the right side is their home. Where cancelling is dear, the curve rises "
        "to the right; where firing is, it falls.",
        share=True,
    ),
    Sweep(
        "horizon",
        "Cost against the horizon, the longest delay",
        "horizon (ticks)",
        "A longer horizon means more levels of wheels and more cascades, or more rounds in a hashed wheel; a heap orders "
        "jobs whatever their distance.",
    ),
    Sweep(
        "empty_ticks",
        "Cost of empty ticks: stepping through them against jumping over them",
        "gap (ticks between two jobs)",
        "A scheduler that walks every tick pays for each one in which nothing is due, and its curve rises with the gap; "
        "that of a jumping wheel rises only with the number of wheels it has to look into.",
        beside=("hierarchical_wheel", "hierarchical_wheel_stepping"),
    ),
)


def figures(field):
    """{file stem: figure}: cancel_share, horizon, empty_ticks."""
    drawn = {}
    for sweep in SWEEPS:
        rows = [
            t
            for t in field.timings(kind="sweep", workload=sweep.workload)
            if t.subject.swept_value is not None
            and (field.is_default(t.subject) or field.is_floor(t.subject))
        ]
        if rows:
            drawn.update(
                panels.name_pages(
                    sweep.workload,
                    [_page(field, sweep, rows, names) for names in panels.series_pages(field, sweep.beside)],
                )
            )
    return drawn


def _page(field, sweep, rows, names):
    groups = sorted({(t.subject.level, t.subject.population) for t in rows}, key=lambda g: (-g[1], g[0]))[
        :MAX_PANELS
    ]
    groups.sort()
    # If one panel needs a logarithmic axis all get one: they are there to be compared.
    log = any(panels.is_wide(panels.medians(_of_group(rows, group))) for group in groups)
    columns = min(COLUMNS, len(groups))
    figure, axes = panels.sheet(
        field,
        sweep.title,
        -(-len(groups) // columns),
        columns,
        panel_height=2.9 if columns > 1 else 3.6,
        subtitle=_finding(field, rows, names, max(g for g in groups if g[0] == groups[0][0])),
        caption=sweep.caption + f" Lower is better. Points are medians, {panels.QUARTILES}.",
        legend=panels.legend_entries(field, names),
    )
    for axis, group in zip(axes, groups):
        _panel(
            field,
            axis,
            sweep,
            _of_group(rows, group),
            group,
            names,
            log,
        )
    for axis in axes[len(groups) :]:
        axis.set_visible(False)
    return figure


def _of_group(rows, group):
    return [t for t in rows if (t.subject.level, t.subject.population) == group]


def _finding(field, rows, names, group):
    """By how much each end differs, for the scheduler that it matters most to and least to."""
    changes, end = [], max(t.subject.swept_value for t in _of_group(rows, group))
    for name in panels.headliners(field, names):
        mine = sorted(
            (
                t
                for t in rows
                if t.subject.scheduler == name
                and not t.failed
                and (t.subject.level, t.subject.population) == group
            ),
            key=lambda t: t.subject.swept_value,
        )
        if len(mine) > 1:
            # A series that was too slow for the last values ends before them.
            last = mine[-1].subject.swept_value
            upto = f" by {words.short_count(last)}" if last < end else ""
            changes.append((mine[-1].median / mine[0].median, name, upto))
    if len(changes) < 2:
        return ""
    least, most = min(changes), max(changes)
    return (
        f"Left to right, the cost of {least[1]} {_change(least[0])}{least[2]}, that of {most[1]} "
        f"{_change(most[0])}{most[2]} "
        f"({group[0]} level, N = {words.short_count(group[1])})."
    )


def _change(ratio):
    if 0.95 < ratio < 1.05:
        return "stays the same"
    return f"falls to {words.significant(100 * ratio)} %" if ratio < 1 else f"rises to {words.ratio(ratio)}"


def _panel(field, axes, sweep, rows, group, names, log):
    shown = [t for t in rows if t.subject.scheduler in names or field.is_floor(t.subject)]
    for name in [*field.floors[:1], *names]:
        panels.draw_timings(
            field, axes, [t for t in shown if t.subject.scheduler == name], lambda t: t.subject.swept_value
        )
    values = sorted({t.subject.swept_value for t in rows})
    if sweep.share:
        axes.set_xlim(-0.03, 1.03)
        axes.xaxis.set_major_formatter(PercentFormatter(1, symbol=""))
    elif panels.is_wide(values) and values[0] > 0:
        panels.log_scale(axes, "x", values[0] / 1.4, values[-1] * 1.4)
    panels.scale_timings(axes, "y", rows, always_log=log)
    axes.set_title(f"{group[0]} level, N = {words.short_count(group[1])}", loc="left", fontweight="bold")
    axes.set_xlabel(sweep.axis)
    axes.set_ylabel("ns per operation")
    panels.show_failed(axes, shown, lambda t: words.short_count(t.subject.swept_value))
