"""How long single advances take: percentile curves, where rotation bursts show that a mean hides."""

import math

from matplotlib.lines import Line2D

import words
from figures import panels
from ranking import TAIL_ADVANCES, tail_population, with_tail, workload_order

# Where the tail tells most: bursts at rotations, crowds at one deadline, far jobs that cascade.
PREFERRED = ("rpc_timeouts", "ties", "far_horizon", "idle_sessions", "hold_exponential", "cache_ttl")
MAX_PANELS = 6
COLUMNS = 3

_MARKED = (50, 90, 99, 99.9, 100)
_CLOCK = {"color": "#444444", "linewidth": 0.9, "linestyle": ":"}


def figures(field):
    """{file stem: figure}: latency_handle, latency_id."""
    drawn = {}
    for level in ("handle", "id"):
        entries = [
            e
            for e in field.results.latency
            if e.subject.level == level
            and (field.is_default(e.subject) or field.is_floor(e.subject))
            and e.subject.role != "repeat"
        ]
        labels = _selected(with_tail(entries))
        without = _labels(entries) - _labels(with_tail(entries))
        if labels:
            pages = [
                _page(field, level, with_tail(entries), labels, names, sorted(without, key=workload_order))
                for names in panels.series_pages(field)
            ]
            drawn.update(panels.name_pages(f"latency_{level}", pages))
    return drawn


def _labels(entries):
    return {e.subject.workload_label for e in entries if e.subject.kind in ("synthetic", "trace")}


def _selected(entries):
    labels = _labels(entries)

    def preference(label):
        return (PREFERRED.index(label) if label in PREFERRED else len(PREFERRED)), workload_order(label)

    return sorted(sorted(labels, key=preference)[:MAX_PANELS], key=preference)


def _page(field, level, entries, labels, names, without):
    columns = min(COLUMNS, len(labels))
    chosen = {label: _chosen(field, entries, label) for label in labels}
    floors = any(field.is_floor(e.subject) for here in chosen.values() for e in here.values())
    figure, axes = panels.sheet(
        field,
        f"How long one advance takes, from the shortest to the longest ({level} level)",
        -(-len(labels) // columns),
        columns,
        panel_height=2.3,
        subtitle=_finding(field, chosen, names),
        caption="Lower is better. Each step to the right leaves a tenth of the advances above it: at 99.9 % one advance of "
        "a thousand takes longer than the curve shows. A wheel that moves jobs down at a rotation shows as a "
        "step near the right end, which a mean hides. Curves end at the longest advance. Every advance was timed "
        "once, in a pass of its own, so there are no error bars; reading the clock (dotted) is included. N is the "
        f"largest with {words.count(TAIL_ADVANCES)} advances or more: fewer have no tail."
        + (f" For want of advances there is no panel of {words.listed(without)}." if without else ""),
        legend=panels.legend_entries(field, names, floors=floors)
        + [(Line2D([], [], **_CLOCK), "reading the clock")],
    )
    for axis, label in zip(axes, labels):
        _panel(field, axis, chosen[label], label, names)
    for axis in axes[len(labels) :]:
        axis.set_visible(False)
    return figure


def _chosen(field, entries, label):
    """{scheduler: entry} of a workload at one population."""
    mine = [e for e in entries if e.subject.workload_label == label]
    population = tail_population([e for e in mine if field.is_default(e.subject)] or mine)
    return {e.subject.scheduler: e for e in mine if e.subject.population == population}


def _finding(field, chosen, names):
    """The widest gap between median and tail, in one sentence. Not the maximum, which is often the machine's."""
    shown = [
        e
        for here in chosen.values()
        for e in here.values()
        if e.subject.scheduler in panels.headliners(field, names) and e.values["p50_ns"] > 0
    ]
    if not shown:
        return ""
    worst = max(shown, key=lambda e: (e.values["p99_9_ns"] / e.values["p50_ns"], e.subject))
    return (
        f"Widest gap: {worst.subject.scheduler} on {worst.subject.workload_label}, one advance of a thousand takes "
        f"{words.ratio(worst.values['p99_9_ns'] / worst.values['p50_ns'])} the median or more."
    )


def nines(percentile, advances):
    """Position on the axis: 0 %, 90 %, 99 %, 99.9 % are one apart. 100 % is the worst one of all advances."""
    share = max(1 - percentile / 100, 0.5 / advances)
    return -math.log10(share)


def _panel(field, axes, here, label, names):
    entries = list(here.values())
    advances = max(e.values["advances"] for e in entries)
    for name in [*field.floors[:1], *names]:
        if name in here:
            _curve(field, axes, here[name])
    # All that was measured, not only what this page shows: pages then share their limits.
    right = nines(100, advances)
    axes.set_xlim(0, right * 1.03)
    # Far out the labels grow too long to stand side by side.
    decades = [
        decade for decade in range(math.floor(right) + 1) if decade <= 3 or right < 5.6 or decade % 2 == 1
    ]
    axes.set_xticks(decades, [_percent(decade) for decade in decades])
    values = [ns for e in entries for _, ns in e.values["percentiles"]]
    clocks = [e.values["clock_ns"] for e in entries if e.values["clock_ns"] > 0]
    values += clocks
    panels.scale_values(axes, "y", values, always_log=True, headroom=1.8)
    if clocks:
        axes.axhline(sorted(clocks)[len(clocks) // 2], zorder=1, **_CLOCK)
    axes.set_title(
        f"{label}, N = {words.short_count(entries[0].subject.population)}", loc="left", fontweight="bold"
    )
    axes.set_xlabel(f"percentile ({words.count(advances)} advances)")
    axes.set_ylabel("ns per advance")


def _percent(decade):
    return f"{100 - 100 * 10.0**-decade:.{max(decade - 2, 0)}f}"


def _curve(field, axes, entry):
    name, advances = entry.subject.scheduler, entry.values["advances"]
    points = [(nines(percentile, advances), ns) for percentile, ns in entry.values["percentiles"] if ns > 0]
    if not points:
        return
    marked = sorted(
        {min(range(len(points)), key=lambda i: (abs(points[i][0] - nines(p, advances)), i)) for p in _MARKED}
    )
    axes.plot(
        [x for x, _ in points],
        [ns for _, ns in points],
        label=name,
        markevery=marked,
        zorder=2 if name in field.floors else 3,
        **field.looks.of(name).line_arguments(),
    )
