"""Cost per operation against the number of pending jobs, a panel for each workload."""

import words
from figures import panels

COLUMNS = 3
PANELS = COLUMNS * 3

_CACHE_SUFFIX = {"Data": "d", "Unified": ""}


def figures(field):
    """{file stem: figure}: cost_handle, cost_id."""
    drawn = {}
    for level in field.levels("synthetic"):
        drawn.update(panels.name_pages(f"cost_{level}", _default_pages(field, level)))
    return drawn


def _default_pages(field, level):
    title = f"Cost of one operation against pending jobs ({level} level)"
    return [
        page(field, level, labels, names, title, _finding(field, level, names))
        for names in panels.series_pages(field)
        for labels in panels.pages(field.workloads(level, "synthetic"), PANELS)
    ]


def _finding(field, level, names):
    """What the contests of this figure came to, in one sentence."""
    contests = [field.contest(level, label) for label in field.workloads(level, "synthetic")]
    return "At the largest N. " + summarise(field, contests, names) if contests else ""


def summarise(field, contests, names):
    """Who wins how often: the sentence below a title. It names only some of `names`, those that are shown."""
    contests = [c for c in contests if len(c.ranked) > 1]
    if not contests:
        return "Only one scheduler was measured: nothing to compare."
    wins = {}
    for contest in contests:
        if contest.clear:
            name = contest.best.subject.scheduler
            wins[name] = wins.get(name, 0) + 1
    order = [name for name in panels.headliners(field, names) if name in wins]
    order = sorted(order, key=lambda name: (-wins[name], name))[:3]
    others = sum(wins.values()) - sum(wins[name] for name in order)
    undecided = sum(not contest.clear for contest in contests)
    sentence = f"Clearly fastest, of {words.plural(len(contests), 'workload', 'workloads')}: "
    sentence += words.listed(f"{name} on {wins[name]}" for name in order)
    if not order:
        sentence += "none of these" if others else "nobody"
    sentence += f", others on {others}" if others else ""
    return sentence + (f"; no clear winner on {undecided}." if undecided else ".")


def page(field, level, labels, names, title, subtitle, note=""):
    """The panels of some workloads (at most PANELS), with the same schedulers in each."""
    caches = cache_marks(field, level)
    rows = -(-len(labels) // COLUMNS)
    columns = min(COLUMNS, len(labels))
    figure, axes = panels.sheet(
        field,
        title,
        rows,
        columns,
        panel_height=2.35,
        subtitle=subtitle,
        caption=_caption(field, caches) + note,
        legend=panels.legend_entries(field, names),
    )
    for axis, label in zip(axes, labels):
        _panel(field, axis, level, label, names, caches)
    for axis in axes[len(labels) :]:
        axis.set_visible(False)
    return figure


def _panel(field, axes, level, label, names, caches):
    rows = [t for t in field.timings(level=level) if t.subject.workload_label == label]
    shown = [t for t in rows if t.subject.scheduler in names or t.subject.scheduler in field.floors[:1]]
    # Pages of one workload share their limits, so that they can be laid side by side.
    alike = (
        [t for t in rows if t.subject.scheduler in field.defaults]
        if set(names) <= set(field.defaults)
        else []
    )
    for name in [*field.floors[:1], *names]:
        panels.draw_timings(
            field, axes, [t for t in shown if t.subject.scheduler == name], lambda t: t.subject.population
        )
    populations = sorted({t.subject.population for t in rows})
    # The populations themselves, as long as their labels have room.
    ticks = populations if len(populations) <= 6 else None
    panels.log_scale(axes, "x", populations[0] / 1.5, populations[-1] * 1.5, ticks)
    panels.scale_timings(axes, "y", shown + alike, always_log=True, headroom=2.6)
    axes.set_title(label, loc="left", fontweight="bold")
    axes.set_xlabel("N (pending jobs)")
    axes.set_ylabel("ns per operation")
    _mark_caches(axes, caches)
    panels.show_failed(axes, shown, panels.at_population)


def cache_marks(field, level):
    """[(name, size, smallest N, largest N)]: where the pending jobs fill each cache.

    Schedulers need different room for a job, so that a cache is full at a span of N, not at one N.
    """
    per_job = job_bytes(field, level)
    marks = []
    for cache in field.results.context["caches"]:
        if per_job and cache["type"] in _CACHE_SUFFIX and cache["size"] > 0:
            name = f"L{cache['level']}{_CACHE_SUFFIX[cache['type']]}"
            marks.append((name, cache["size"], cache["size"] / per_job[1], cache["size"] / per_job[0]))
    return marks


def job_bytes(field, level):
    """(least, most) bytes per pending job among the default schedulers, at their largest N; or None."""
    largest = {}
    for entry in field.results.memory:
        s = entry.subject
        if (
            s.level == level
            and field.is_default(s)
            and s.role == "scheduler"
            and entry.values["bytes_per_job"] > 0
        ):
            if s.scheduler not in largest or s.population > largest[s.scheduler].subject.population:
                largest[s.scheduler] = entry
    values = [entry.values["bytes_per_job"] for entry in largest.values()]
    return (min(values), max(values)) if values else None


def _mark_caches(axes, caches):
    low, high = axes.get_xlim()
    for name, _, first, last in caches:
        if first < low or first > high:
            continue
        # Equal needs would make a span of no width, which nobody sees.
        axes.axvspan(first / 1.03, min(last * 1.03, high), color="#F0E6C8", linewidth=0, zorder=0.5)
        middle = (first * min(last, high)) ** 0.5
        axes.text(
            middle,
            0.98,
            name,
            transform=axes.get_xaxis_transform(),
            ha="center",
            va="top",
            fontsize=7.8,
            color="#7A6420",
        )


def _caption(field, caches):
    repetitions = [len(t.times) for t in field.shown if not t.failed]
    text = (
        "Lower is better; both axes are logarithmic. Points are medians"
        + (
            f" of {min(repetitions)} to {max(repetitions)} repetitions"
            if len(set(repetitions)) > 1
            else f" of {words.plural(repetitions[0], 'repetition', 'repetitions')}"
            if repetitions
            else ""
        )
        + f", {panels.QUARTILES}. "
    )
    if caches:
        per_job = sorted({round(size / n) for _, size, first, last in caches for n in (first, last)})
        spread = f"{per_job[0]} to {per_job[-1]}" if len(per_job) > 1 else f"{per_job[0]}"
        sizes = ", ".join(f"{name} {words.size(size)}" for name, size, _, _ in caches)
        text += f"Shaded: where N jobs of {spread} bytes each (memory pass) fill a cache ({sizes})."
    else:
        missing = (
            "no memory pass was run" if field.results.context["caches"] else "the machine does not tell them"
        )
        text += f"Cache sizes are not marked: {missing}."
    return text
