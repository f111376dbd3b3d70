"""What one kind of operation costs alone: schedule, cancel, advance ... at both levels."""

from matplotlib.patches import Patch

import style
import words
from figures import panels
from ranking import largest_common

_NAMES = {
    "only_schedule": "schedule",
    "only_cancel": "cancel",
    "only_reschedule": "reschedule",
    "only_advance": "advance\n(per fired job)",
    "only_next": "next_expiry",
    "cold_start": "first calls\n(cold start)",
}


def figures(field):
    """{file stem: figure}: operations."""
    levels = field.levels("operation")
    if not levels:
        return {}
    return panels.name_pages(
        "operations", [_page(field, levels, names) for names in panels.series_pages(field)]
    )


def _page(field, levels, names):
    rows = {level: _chosen(field, level) for level in levels}
    everyone = [t for chosen in rows.values() for t in chosen]
    # Two panels side by side invite to be compared: they get the same axis.
    legend = [
        (
            Patch(
                facecolor=field.looks.of(name).colour,
                hatch="////" if name in field.floors else "",
                edgecolor="white" if name in field.floors else "none",
            ),
            panels.legend_label(field, name),
        )
        for name in [*names, *field.floors[:1]]
    ]
    figure, axes = panels.sheet(
        field,
        "Cost of each kind of operation alone, by handle and by job id",
        len(levels),
        1,
        panel_height=2.35,
        below=0.88,
        subtitle="The id level adds to every operation the look-up of the job by its id, the same map for all schedulers.",
        caption="Lower is better. Bars are medians, lines reach from the first to the third quartile, and where one runs "
        "out of the panel a caret marks it. "
        + (
            "The axis is logarithmic: compare where bars end, not how long they are. "
            if panels.is_wide(panels.medians(everyone))
            else ""
        )
        + "Advance is timed per job fired. First calls: a new scheduler whose memory was never touched.",
        legend=legend,
    )
    for axis, level in zip(axes, levels):
        _panel(field, axis, level, rows[level], names)
        panels.scale_timings(axis, "y", everyone)
    return figure


def _chosen(field, level):
    """Rows at one population for each operation."""
    chosen = []
    for label in field.workloads(level, "operation"):
        rows = [
            t
            for t in field.timings(level=level, kind="operation")
            if t.subject.workload_label == label
            and (field.is_default(t.subject) or field.is_floor(t.subject))
        ]
        if rows:
            population = largest_common([t.subject for t in rows])
            chosen += [t for t in rows if t.subject.population == population]
    return chosen


def _panel(field, axes, level, rows, names):
    labels = [
        label
        for label in field.workloads(level, "operation")
        if any(t.subject.workload_label == label for t in rows)
    ]
    series = [*names, *field.floors[:1]]
    width = 0.84 / max(len(series), 1)
    for index, name in enumerate(series):
        mine = {t.subject.workload_label: t for t in rows if t.subject.scheduler == name and not t.failed}
        passed = [mine[label] for label in labels if label in mine]
        for position, label in enumerate(labels):
            if label not in mine:
                # A gap would be read as "costs nothing".
                failed = any(
                    t.failed and (t.subject.scheduler, t.subject.workload_label) == (name, label)
                    for t in rows
                )
                axes.text(
                    position + (index - (len(series) - 1) / 2) * width,
                    0.02,
                    "FAILED" if failed else "not measured",
                    transform=axes.get_xaxis_transform(),
                    rotation=90,
                    ha="center",
                    va="bottom",
                    fontsize=7.5,
                    color=style.FAILED_COLOUR if failed else style.NOTE_COLOUR,
                )
        if not passed:
            continue
        floor = name in field.floors
        axes.bar(
            [
                labels.index(t.subject.workload_label) + (index - (len(series) - 1) / 2) * width
                for t in passed
            ],
            [t.median for t in passed],
            width * 0.92,
            color=field.looks.of(name).colour,
            label=name,
            hatch="////" if floor else "",
            edgecolor="white" if floor else "none",
            linewidth=0,
            yerr=[[t.median - t.q1 for t in passed], [t.q3 - t.median for t in passed]],
            capsize=2,
            error_kw={"elinewidth": 1.0, "ecolor": "#222222"},
        )
    populations = {t.subject.workload_label: t.subject.population for t in rows}
    axes.set_xticks(
        range(len(labels)),
        [f"{_NAMES.get(label, label)}\nN = {words.short_count(populations[label])}" for label in labels],
    )
    axes.tick_params(axis="x", length=0)
    axes.grid(False, axis="x")
    axes.set_xlim(-0.55, len(labels) - 0.45)
    axes.set_title(f"{level} level", loc="left", fontweight="bold")
    axes.set_xlabel("kind of operation")
    axes.set_ylabel("ns per operation")
