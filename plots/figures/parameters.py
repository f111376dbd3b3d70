"""What a family's parameter changes: wheel size, arity.

Where the variants were measured at one N, cost against the parameter; where at several, cost against N
with a line for each variant.
"""

from copy import copy

import style
import words
from figures import cost_by_population, panels
from ranking import largest_common, workload_order

COLUMNS = 3

_INTERLEAVED = (
    " All parameters of a panel were measured in turns, in one group, and may be compared directly."
)

_AXES = {
    "binary_heap": "arity (children of a node)",
    "indexed_heap": "arity (children of a node)",
    "hashed_wheel": "wheel size (slots)",
    "aligned_wheel": "wheel size (slots)",
    "chunked_wheel": "wheel size (slots)",
    "hierarchical_wheel": "wheel size (slots)",
    "hierarchical_wheel_stepping": "wheel size (slots)",
}


def figures(field):
    """{file stem: figure}: parameters_FAMILY for each family of which several variants were measured."""
    drawn = {}
    for family in sorted(field.variants, key=style.family_order):
        names = field.variants[family]
        if len(names) > 1:
            drawn.update(panels.name_pages(f"parameters_{family}", _pages(field, family, names)))
    return drawn


def _pages(field, family, names):
    # One level is enough to compare parameters; the handle level shows the algorithm alone.
    for level in ("handle", "id"):
        rows = [t for name in names[1:] for t in field.timings(level=level, kind="synthetic", scheduler=name)]
        if rows:
            break
    else:
        return []
    labels = sorted({t.subject.workload_label for t in rows}, key=workload_order)
    title = f"{family}: what its parameter changes ({level} level)"
    subtitle = f"The other figures show {names[0]}, here the filled markers."
    if len({t.subject.population for t in rows}) > 1:
        return [
            cost_by_population.page(
                field, level, some_labels, [names[0], *some_names], title, subtitle, _INTERLEAVED
            )
            for some_names in panels.pages(names[1:], panels.MAX_SERIES - 2)
            for some_labels in panels.pages(labels, cost_by_population.PANELS)
        ]
    return [
        _page(field, family, level, some, title, subtitle)
        for some in panels.pages(labels, cost_by_population.PANELS)
    ]


def _page(field, family, level, labels, title, subtitle):
    columns = min(COLUMNS, len(labels))
    ((default, _),) = panels.legend_entries(field, field.variants[family][:1], floors=False)
    other = copy(default)
    other.set_markerfacecolor("white")
    figure, axes = panels.sheet(
        field,
        title,
        -(-len(labels) // columns),
        columns,
        panel_height=2.35,
        subtitle=subtitle,
        caption=f"Lower is better. Points are medians, {panels.QUARTILES}. The "
        "floor is left out, so that differences between parameters can be seen." + _INTERLEAVED,
        legend=[(default, field.variants[family][0]), (other, "other parameters")],
    )
    for axis, label in zip(axes, labels):
        _panel(field, axis, family, level, label)
    for axis in axes[len(labels) :]:
        axis.set_visible(False)
    return figure


def _panel(field, axes, family, level, label):
    names = sorted(field.variants[family], key=style.natural_key)
    rows = [t for t in field.timings(level=level) if t.subject.workload_label == label]
    population = largest_common([t.subject for t in rows if t.subject.scheduler in names[1:]])
    here = {t.subject.scheduler: t for t in rows if t.subject.population == population}
    passed = [name for name in names if name in here and not here[name].failed]
    positions = [names.index(name) for name in passed]
    default = field.variants[family][0]
    look = field.looks.of(default).line_arguments()
    look["markerfacecolor"] = "white"
    axes.errorbar(
        positions,
        [here[name].median for name in passed],
        yerr=[
            [here[name].median - here[name].q1 for name in passed],
            [here[name].q3 - here[name].median for name in passed],
        ],
        label=family,
        capsize=2.5,
        elinewidth=1.0,
        zorder=3,
        **look,
    )
    if default in passed:
        axes.plot(
            [names.index(default)],
            [here[default].median],
            color=look["color"],
            marker=look["marker"],
            markersize=look["markersize"],
            label="_default",
            zorder=4,
        )
    panels.scale_timings(axes, "y", [here[name] for name in passed])
    axes.set_xlim(-0.4, len(names) - 0.6)
    axes.set_xticks(range(len(names)), [name.partition("/")[2] for name in names])
    axes.set_title(f"{label}, N = {words.short_count(population)}", loc="left", fontweight="bold")
    axes.set_xlabel(_AXES.get(family, "parameter (the number behind the name)"))
    axes.set_ylabel("ns per operation")
    panels.show_failed(
        axes, [here[name] for name in names if name in here], lambda t: t.subject.scheduler.partition("/")[2]
    )
