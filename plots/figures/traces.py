"""Cost per operation of the real traces. A trace has one population, its own: dots instead of curves."""

import words
from figures import panels
from figures.cost_by_population import summarise


def figures(field):
    """{file stem: figure}: traces."""
    levels = field.levels("trace")
    if not levels:
        return {}
    drawn = []
    for names in panels.series_pages(field):
        drawn.append(_page(field, levels, names))
    return panels.name_pages("traces", drawn)


def _page(field, levels, names):
    labels = {level: field.workloads(level, "trace") for level in levels}
    contests = [field.contest(levels[0], label) for label in labels[levels[0]]]
    figure, axes = panels.sheet(
        field,
        "Cost of one operation when real traces are replayed",
        1,
        len(levels),
        panel_height=0.35 + 0.62 * max(map(len, labels.values())),
        left=1.55,
        between=1.65,
        subtitle=f"At the {levels[0]} level. " + summarise(field, contests, names),
        caption=f"Further left is better. Dots are medians, {panels.QUARTILES}. Within a "
        "trace the schedulers are drawn one below the other in the order of the legend. N: the most jobs "
        "pending at any time. A trace has one N, so there is no curve to draw.",
        legend=panels.legend_entries(field, names),
    )
    for axis, level in zip(axes, levels):
        _panel(field, axis, level, labels[level], names)
    return figure


def _panel(field, axes, level, labels, names):
    rows = field.timings(level=level, kind="trace")
    series = [*names, *field.floors[:1]]
    for index, name in enumerate(series):
        mine = {t.subject.workload_label: t for t in rows if t.subject.scheduler == name and not t.failed}
        passed = [mine[label] for label in labels if label in mine]
        if not passed:
            continue
        offset = (index - (len(series) - 1) / 2) * 0.8 / len(series)
        look = field.looks.of(name).line_arguments()
        # The floor has no marker of its own in the curves; here it would vanish without one. Nothing covers
        # anything here, so that all may have one size.
        look.update(linestyle="none", linewidth=1.5, marker=look["marker"] or "|", markersize=5)
        axes.errorbar(
            [t.median for t in passed],
            [labels.index(t.subject.workload_label) + offset for t in passed],
            xerr=[[t.median - t.q1 for t in passed], [t.q3 - t.median for t in passed]],
            label=name,
            capsize=2,
            elinewidth=1.0,
            **look,
        )
    for position in range(1, len(labels)):
        axes.axhline(position - 0.5, color="#DDDDDD", linewidth=0.8)
    panels.scale_timings(axes, "x", rows)
    populations = {t.subject.workload_label: t.subject.population for t in rows}
    axes.set_yticks(
        range(len(labels)), [f"{label}\nN = {words.count(populations[label])}" for label in labels]
    )
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.grid(False, axis="y")
    axes.set_title(f"{level} level", loc="left", fontweight="bold")
    axes.set_xlabel("ns per operation")
    axes.set_ylabel("trace")
    panels.show_failed(
        axes, [t for t in rows if t.subject.scheduler in names], lambda t: t.subject.workload_label
    )
