"""Bytes per pending job, and what is still held when all jobs were cancelled."""

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

import words
from figures import panels
from ranking import largest_common, workload_order


def figures(field):
    """{file stem: figure}: memory."""
    chosen = {level: _chosen(field, level) for level in ("handle", "id")}
    chosen = {level: entries for level, entries in chosen.items() if entries}
    return {"memory": _figure(field, chosen)} if chosen else {}


def _chosen(field, level):
    """{scheduler: entry} at one workload and population: the ones that most schedulers have."""
    entries = [e for e in field.results.memory if e.subject.level == level and e.subject.role != "repeat"]
    if not entries:
        return {}
    counts = {}
    for entry in entries:
        counts.setdefault(entry.subject.workload_label, set()).add(entry.subject.scheduler)
    label = min(counts, key=lambda name: (-len(counts[name]), workload_order(name)))
    entries = [e for e in entries if e.subject.workload_label == label]
    population = largest_common([e.subject for e in entries])
    return {e.subject.scheduler: e for e in entries if e.subject.population == population}


def _figure(field, chosen):
    legend = [
        (Patch(facecolor="#777777"), "pending: bytes per job"),
        (
            Patch(facecolor="white", edgecolor="#777777", hatch="////"),
            "after cancelling all: bytes per job still held",
        ),
        (
            Line2D([], [], color="black", marker="d", linestyle="none"),
            "pending, by the process's resident size",
        ),
    ]
    most = max(len(entries) for entries in chosen.values())
    figure, axes = panels.sheet(
        field,
        "Memory of one pending job",
        1,
        len(chosen),
        panel_height=0.3 + 0.42 * most,
        left=2.45,
        between=2.35,
        right=0.45,
        subtitle=_finding(field, chosen),
        caption="Shorter is better. Allocated bytes, the empty scheduler's subtracted, over N. They are counted, not timed: "
        "exact, hence no error bars. They include what growing arrays have set aside, up to twice their use. What is "
        "still held when all jobs are cancelled is memory kept for the next jobs, or tombstones of jobs that are gone. The floor keeps a node for each job and nothing else. The id "
        "level adds the map from job id to job, the same one for all.",
        legend=legend,
    )
    for axis, (level, entries) in zip(axes, chosen.items()):
        _panel(field, axis, level, entries)
    return figure


def _finding(field, chosen):
    level, entries = next(iter(chosen.items()))
    ranked = sorted(
        (e for e in entries.values() if e.subject.scheduler in panels.headliners(field, entries)),
        key=lambda e: e.values["bytes_per_job"],
    )
    if len(ranked) < 2:
        return ""
    least, most = ranked[0], ranked[-1]
    return (
        f"From {words.significant(least.values['bytes_per_job'])} bytes ({least.subject.scheduler}) to "
        f"{words.significant(most.values['bytes_per_job'])} bytes ({most.subject.scheduler}) at the {level} level; "
        f"the jobs are those of {most.subject.workload_label}."
    )


def _panel(field, axes, level, entries):
    names = [name for name in [*field.schedulers, *field.floors] if name in entries]
    pending = [entries[name].values["bytes_per_job"] for name in names]
    residue = [entries[name].values["residue_bytes_per_job"] for name in names]
    colours = [field.looks.of(name).colour for name in names]
    rows = range(len(names))
    axes.barh([row - 0.2 for row in rows], pending, 0.38, color=colours, label="bytes_per_job")
    held = axes.barh(
        [row + 0.2 for row in rows],
        residue,
        0.38,
        color="white",
        edgecolor=colours,
        hatch="////",
        label="residue_bytes_per_job",
    )
    axes.bar_label(held, [words.significant(value) for value in residue], padding=3, fontsize=8)
    # The number stands behind the bar or, where that lies further out, behind the resident size.
    for row, name in enumerate(names):
        end = max(pending[row], entries[name].values.get("resident_bytes_per_job", 0))
        axes.annotate(
            words.significant(pending[row]),
            (end, row - 0.2),
            (6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    resident = [
        (entries[name].values["resident_bytes_per_job"], row)
        for row, name in enumerate(names)
        if "resident_bytes_per_job" in entries[name].values
    ]
    if resident:
        axes.plot(
            [value for value, _ in resident],
            [row - 0.2 for _, row in resident],
            "d",
            color="black",
            markersize=6,
            label="resident_bytes_per_job",
        )
    panels.scale_values(axes, "x", pending + residue + [value for value, _ in resident], headroom=1.7)
    axes.set_yticks(list(rows), [f"{name} (floor)" if name in field.floors else name for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(False, axis="y")
    subject = entries[names[0]].subject
    axes.set_title(
        f"{level} level, N = {words.short_count(subject.population)}", loc="left", fontweight="bold"
    )
    axes.set_xlabel("bytes per job")
    axes.set_ylabel("scheduler")
