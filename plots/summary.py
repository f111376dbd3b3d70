"""The report in words and tables: summary.md."""

import reasons
import words
from load import MIN_MARGIN, MIN_REPETITIONS, SWEPT
from ranking import TAIL_ADVANCES, largest_common, tail_population, workload_order
from style import natural_key, scheduler_order

NOISY = 0.05  # coefficient of variation above which a row is flagged
MAX_LISTED = 20  # rows of a noise table; the worst come first

LIMITS = """\
- They hold for this machine, this compiler and these streams. Ratios travel better than nanoseconds; neither is
  a promise.
- An operation is timed as a part of a replay without pauses, with warm caches and nothing else running. A
  program that does other work between its timers finds its caches cold and pays more, the more memory a
  scheduler touches.
- One thread. Locks, and the work that a fired job starts, are not measured.
- The shapes of the workloads come from published systems, most of their rates and shares are assumptions; see
  workloads/README.md.
- A mean hides bursts: read the latency table before promising a worst case. Its maxima are what this run met,
  not bounds.
- Advances are timed back to back, not at their due times: the latency is the length of an advance, not the
  lateness of a job.
- "No clear winner" means that this run cannot tell; the simpler scheduler is then the better choice.
- Speed is not all: horizon, precision, memory after cancelling and the worst advance may decide before it does."""


def text(field, figures):
    """The whole file; `figures` are the stems of the figures in plots/."""
    parts = [
        _head(field),
        _failed(field),
        _winners(field),
        _costs(field),
        _parameters(field),
        _traces(field),
        _operations(field),
        _latency(field),
        _memory(field),
        _sweeps(field),
        _work(field),
        _noise(field),
        _skipped(field),
        "## What these numbers do not say\n\n" + LIMITS,
    ]
    content = "\n\n".join(part for part in parts if part)
    for marker, stems in _FIGURES.items():
        shown = [stem for stem in figures if stem.startswith(stems)]
        content = content.replace(marker, "\n\n".join(f"![{stem}](plots/{stem}.png)" for stem in shown))
    # A place whose figures were not drawn leaves blank lines behind.
    while "\n\n\n" in content:
        content = content.replace("\n\n\n", "\n\n")
    return content + "\n"


# Where figures stand in the text, and how their stems begin.
_FIGURES = {
    "@winners@": ("winners_",),
    "@cost@": ("cost_",),
    "@parameters@": ("parameters_",),
    "@traces@": ("traces",),
    "@operations@": ("operations",),
    "@latency@": ("latency_",),
    "@memory@": ("memory",),
    "@sweeps@": tuple(SWEPT),
}


# --- Building blocks ----------------------------------------------------------------------------------


def table(header, rows, left=1):
    """A table whose first `left` columns are texts, the others numbers."""
    marks = ["---" if column < left else "---:" for column in range(len(header))]
    return "\n".join(
        "| " + " | ".join(str(value).replace("|", "\\|") for value in row) + " |"
        for row in [header, marks, *rows]
    )


def folded(title, content):
    """Content that is shown when it is asked for."""
    return f"<details>\n<summary>{title}</summary>\n\n{content}\n\n</details>"


def spread(timing):
    """median (first quartile to third quartile)"""
    return (
        f"{words.significant(timing.median)} "
        f"({words.significant(timing.q1)} to {words.significant(timing.q3)})"
    )


def cost_field(timing, floor):
    if timing is None:
        return "-"
    if timing.failed:
        return "**FAILED**"
    if floor is None or floor.failed or timing is floor:
        return spread(timing)
    return f"{spread(timing)}, {words.ratio(timing.median / floor.median)}"


def cost_table(field, rows, column_of, column_title):
    """Default schedulers down, `column_of(timing)` across; the ratio to the floor in each field."""
    rows = [t for t in rows if field.is_default(t.subject) or field.is_floor(t.subject)]
    columns = sorted({column_of(t) for t in rows}, key=lambda value: (value is not None, value))
    at = {(t.subject.scheduler, column_of(t)): t for t in rows}
    names = sorted(
        {t.subject.scheduler for t in rows}, key=lambda name: (name in field.floors, scheduler_order(name))
    )
    floors = {
        column: next((at[name, column] for name in field.floors if (name, column) in at), None)
        for column in columns
    }
    return table(
        ["scheduler"] + [column_title(column) for column in columns],
        [
            [name_of(field, name)]
            + [cost_field(at.get((name, column)), floors[column]) for column in columns]
            for name in names
        ],
    )


def name_of(field, scheduler):
    return f"{scheduler} (floor)" if scheduler in field.floors else scheduler


def in_order(entries):
    return sorted(
        entries,
        key=lambda e: (
            workload_order(e.subject.workload_label),
            e.subject.population,
            e.subject.level,
            e.subject.role == "floor",
            scheduler_order(e.subject.scheduler),
        ),
    )


# --- Sections -----------------------------------------------------------------------------------------


def _head(field):
    context, about = field.results.context, field.results.about
    caches = ", ".join(
        f"L{c['level']} {c['type'].lower()} {words.size(c['size'])}" for c in context["caches"]
    )
    libraries = ", ".join(f"{name} {version}" for name, version in sorted(about["libraries"].items()))
    rows = [
        (
            "machine",
            f"{about['cpu_model']}, {context.get('num_cpus', '?')} CPUs, governor {about['governor']}",
        ),
        ("caches", caches or "unknown"),
        ("system", about["kernel"]),
        ("compiler", f"{about['compiler']}, {about['flags']}, build type {about['build_type']}"),
        ("libraries", f"{libraries or 'none'}; allocator {about['allocator']}"),
        ("revision", about["revision"] + (" with local changes" if about["dirty"] else "")),
        (
            "run",
            f"profile {about['profile']}, seed {about['seed']}, {words.significant(about['seconds'])} s, "
            f"started {about['started']}",
        ),
        ("command", f"`{about['command']}`"),
    ]
    parts = [f"# timerbench {about['version']}: results of {context['date'][:10]}"]
    if field.results.interrupted:
        parts.append("**PARTIAL: the run was interrupted. What is missing below was not measured.**")
    if about["profile"] == "smoke":
        parts.append(
            "**ROUGH: a smoke run shows that everything works; it is too short to compare schedulers.**"
        )
    if about["build_type"] not in ("Release", "RelWithDebInfo"):
        parts.append(f"**NOT FOR PUBLICATION: a {about['build_type']} build is no measure of anything.**")
    return "\n\n".join(parts + [table(("", ""), rows, left=2)])


def _failed(field):
    failed = in_order(t for t in field.results.timings if t.failed)
    if not failed:
        return ""
    return (
        "## FAILED\n\n"
        f"**{words.plural(len(failed), 'row', 'rows')} did not do the same work as the reference. "
        "A wrong result has no speed: these rows have no times and no rank.**\n\n"
        + table(
            ["scheduler", "workload", "N", "level", "message"],
            [
                [
                    t.subject.scheduler,
                    t.subject.workload_label,
                    words.count(t.subject.population),
                    t.subject.level,
                    t.error,
                ]
                for t in failed
            ],
            left=5,
        )
    )


def _winners(field):
    parts = []
    for level in ("handle", "id"):
        contests = field.contests(level)
        if contests:
            parts.append(
                f"### {level} level\n\n"
                + table(
                    [
                        "workload",
                        "N",
                        "best",
                        "runner-up",
                        "verdict",
                        "ns per operation",
                        "runner-up / best",
                        "a tie below",
                    ],
                    [_winner_row(field, contest) for contest in contests],
                    left=5,
                )
            )
    if not parts:
        return ""
    return (
        f"## Which scheduler suits which workload\n\n{_trust(field)}\n\n"
        "At the largest N that most schedulers have, each family with its default parameter. The best is a winner if its "
        "third quartile is below the first quartile of the next, its lead is at least that of the last column, and there "
        f"were at least {MIN_REPETITIONS} repetitions. The last column is what the pair of the same workload, N and level "
        f"differs by, the median of all pairs where there is none, and never less than {words.ratio(1 + MIN_MARGIN)}."
        + (" Reasons are counted at the handle level, not timed (see Work)." if field.results.work else "")
        + "\n\n@winners@\n\n"
        + "\n\n".join(parts)
    )


def _trust(field):
    """What this run itself says of its precision."""
    noise = field.noise
    if not noise.pairs:
        return (
            "In this run no scheduler was measured twice: nothing says how far equal rows differ, and a lead below "
            "3 % counts as a tie."
        )
    return (
        f"In this run the same scheduler measured twice differs by more than 3 % in {noise.apart} of "
        f"{words.plural(len(noise.pairs), 'case', 'cases')} (median {100 * noise.median:.1f} %, at most "
        f"{100 * max(noise.differences):.1f} %): a lead smaller than what its own workload's pair differs by counts as "
        "a tie."
    )


def _winner_row(field, contest):
    best, second = contest.best, contest.runner_up
    row = [contest.workload, words.count(contest.population)]
    if best is None:
        return row + ["-", "-", "nothing to rank: every row FAILED or is missing", "-", "-", "-"]
    return row + [
        best.subject.scheduler,
        second.subject.scheduler if second else "-",
        _verdict(field, contest),
        words.significant(best.median),
        words.ratio(contest.ratio(second)) if second else "-",
        words.ratio(1 + contest.margin),
    ]


def _verdict(field, contest):
    if contest.runner_up is None:
        verdict = "the only one measured"
    elif contest.clear:
        verdict = f"**{contest.best.subject.scheduler}**"
    else:
        few = min(len(t.times) for t in contest.leaders) < MIN_REPETITIONS
        why = "too few repetitions" if few else "within the noise"
        verdict = f"no clear winner ({why}): {words.listed(t.subject.scheduler for t in contest.leaders)}"
    if contest.failed:
        verdict += "; FAILED: " + words.listed(t.subject.scheduler for t in contest.failed)
    better = field.variant_beats(contest)
    if better:
        verdict += (
            f"; another parameter does better: {better[0].subject.scheduler} ({words.ratio(better[1])})"
        )
    reason = reasons.reason(field, contest)
    return f"{verdict}. {reason}" if reason else verdict


def _costs(field):
    parts = []
    for level in field.levels("synthetic"):
        for label in field.workloads(level, "synthetic"):
            rows = [
                t for t in field.timings(level=level, kind="synthetic") if t.subject.workload_label == label
            ]
            parts.append(
                f"### {label}, {level} level\n\n"
                + cost_table(field, rows, lambda t: t.subject.population, lambda n: f"N = {words.count(n)}")
            )
    if not parts:
        return ""
    return (
        "## Cost of one operation\n\n"
        "ns per operation: median (first to third quartile), multiple of the floor. `-`: not measured.\n\n@cost@\n\n"
        + "\n\n".join(parts)
    )


def _parameters(field):
    parts = []
    for family in sorted(field.variants, key=lambda name: scheduler_order(field.variants[name][0])):
        names = sorted(field.variants[family], key=natural_key)
        rows = _parameter_rows(field, names, field.variants[family][0])
        if rows:
            title = f"### {family}, default {field.variants[family][0]}"
            parts.append(f"{title}\n\n" + table(["workload", "level", "N", *names], rows, left=2))
    if not parts:
        return ""
    return (
        "## Parameters\n\nns per operation: median (first to third quartile), multiple of the family's default. All of a "
        "row were measured in turns, in one group, and may be compared directly.\n\n@parameters@\n\n"
        + folded("Cost with each parameter, by family", "\n\n".join(parts))
    )


def _parameter_rows(field, names, default):
    """A row for each group in which another than the default parameter was measured."""
    groups = {}
    for timing in field.shown:
        s = timing.subject
        if s.scheduler in names:
            groups.setdefault((workload_order(s.workload_label), s.level, s.population), {})[
                s.scheduler
            ] = timing
    return [
        [label, level, words.count(population)]
        + [_parameter_field(here.get(name), here.get(default)) for name in names]
        for ((_, label), level, population), here in sorted(groups.items(), key=lambda item: item[0])
        if set(here) - {default}
    ]


def _parameter_field(timing, default):
    return cost_field(timing, default if timing is not default else None)


def _traces(field):
    parts = []
    for level in field.levels("trace"):
        rows = field.timings(level=level, kind="trace")
        parts.append(
            f"### Traces, {level} level\n\n"
            + cost_table(
                field,
                rows,
                lambda t: (workload_order(t.subject.workload_label), t.subject.population),
                lambda column: f"{column[0][1]}, N = {words.count(column[1])}",
            )
        )
    if not parts:
        return ""
    return (
        "## Real traces\n\nns per operation, as above. N is the trace's own: the most jobs pending at any time.\n\n"
        "@traces@\n\n" + "\n\n".join(parts)
    )


def _operations(field):
    parts = []
    for level in field.levels("operation"):
        rows = field.timings(level=level, kind="operation")
        for population in sorted({t.subject.population for t in rows}):
            here = [t for t in rows if t.subject.population == population]
            parts.append(
                f"### Operations, {level} level, N = {words.count(population)}\n\n"
                + cost_table(
                    field, here, lambda t: workload_order(t.subject.workload_label), lambda column: column[1]
                )
            )
    if not parts:
        return ""
    return (
        "## One kind of operation alone\n\nns per operation, as above; `only_advance` per fired job; `cold_start`: the "
        "first calls of a new scheduler, page faults included.\n\n@operations@\n\n" + "\n\n".join(parts)
    )


def at_largest(field, entries, choose=None):
    """One population for each workload, the largest that most schedulers have; without sweeps and repeats.

    A full run has more rows than anyone reads; results.json holds them all. `choose` takes entries and
    returns a population, if another than the largest is wanted.
    """
    choose = choose or (lambda group: largest_common([entry.subject for entry in group]))
    groups = {}
    for entry in entries:
        if entry.subject.role != "repeat" and entry.subject.kind != "sweep":
            groups.setdefault((entry.subject.workload_label, entry.subject.level), []).append(entry)
    chosen = []
    for group in groups.values():
        population = choose([e for e in group if field.is_default(e.subject)] or group)
        chosen += [e for e in group if e.subject.population == population]
    return in_order(chosen)


def _latency(field):
    entries = at_largest(
        field,
        [e for e in field.results.latency if field.is_default(e.subject) or field.is_floor(e.subject)],
        tail_population,
    )
    if not entries:
        return ""
    keys = ("p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "max_ns", "mean_ns", "clock_ns")
    header = ["workload", "level", "scheduler", "N", "advances"] + [
        key.removesuffix("_ns").replace("p99_9", "p99.9") for key in keys
    ]
    rows = [
        [
            e.subject.workload_label,
            e.subject.level,
            name_of(field, e.subject.scheduler),
            words.count(e.subject.population),
            words.count(e.values["advances"]),
        ]
        + [words.significant(e.values[key]) for key in keys]
        for e in entries
    ]
    return (
        "## How long one advance takes\n\nns; each advance timed alone, in a pass of its own. `clock`: what reading the "
        "clock costs, included in all of them. At the largest N with "
        f"{words.count(TAIL_ADVANCES)} advances or more, where there is one.\n\n@latency@\n\n"
        + folded("Percentiles of each workload", table(header, rows, left=3))
    )


def _memory(field):
    entries = in_order(e for e in field.results.memory if e.subject.role != "repeat")
    if not entries:
        return ""
    rows = [
        [
            e.subject.workload_label,
            e.subject.level,
            name_of(field, e.subject.scheduler),
            words.count(e.subject.population),
            words.significant(e.values["bytes_per_job"]),
            words.significant(e.values["resident_bytes_per_job"])
            if "resident_bytes_per_job" in e.values
            else "n/a",
            words.significant(e.values["residue_bytes_per_job"]),
            words.count(e.values["empty_bytes"]),
        ]
        for e in entries
    ]
    return (
        "## Memory\n\nBytes per pending job, allocated and resident; what is still held per job when all were cancelled; "
        "and what an empty scheduler holds. Resident sizes of few jobs are too coarse to say anything. Bytes include "
        "what growing arrays have set aside, up to twice their use.\n\n@memory@\n\n"
        + table(
            [
                "workload",
                "level",
                "scheduler",
                "N",
                "bytes per job",
                "resident",
                "after cancelling all",
                "empty scheduler",
            ],
            rows,
            left=3,
        )
    )


def _sweeps(field):
    parts = []
    groups = sorted(
        {(t.subject.workload, t.subject.level, t.subject.population) for t in field.timings(kind="sweep")},
        key=lambda g: (workload_order(g[0]), g[1:]),
    )
    for workload, level, population in groups:
        rows = field.timings(kind="sweep", workload=workload, level=level, population=population)
        name = SWEPT.get(workload, "parameters")
        known = workload in SWEPT
        parts.append(
            f"### {workload}, {level} level, N = {words.count(population)}\n\n"
            + cost_table(
                field,
                rows,
                lambda t: t.subject.swept_value if known else t.subject.workload_label,
                lambda value: "default"
                if value is None
                else f"{name} = {words.count(value)}"
                if known
                else value,
            )
        )
    return (
        "## Sweeps of one parameter\n\nns per operation, as above.\n\n@sweeps@\n\n" + "\n\n".join(parts)
        if parts
        else ""
    )


def _work(field):
    entries = at_largest(field, field.results.work)
    if not entries:
        return ""
    rates = ("slots_visited", "jobs_moved", "jobs_visited", "comparisons")
    totals = ("operations", "allocations", "batches", "batches_sorted")

    def rate(entry, key):
        operations = entry.values["operations"]
        return words.significant(entry.values[key] / operations) if operations else "-"

    rows = [
        [
            e.subject.workload_label,
            e.subject.level,
            name_of(field, e.subject.scheduler),
            words.count(e.subject.population),
        ]
        + [rate(e, key) for key in rates]
        + [words.count(e.values[key]) for key in totals]
        for e in entries
    ]
    return (
        "## Work\n\nCounted, not timed: exact for a stream on any machine. The first four per operation, the others of the "
        "whole replay; `batches` are advances that fired two jobs or more. At the largest N that most "
        "schedulers have.\n\n"
        + folded(
            "Counters of each workload",
            table(
                ["workload", "level", "scheduler", "N"] + [key.replace("_", " ") for key in rates + totals],
                rows,
                left=3,
            ),
        )
    )


def _noise(field):
    parts = ["## Noise"]
    pairs = sorted(field.noise.pairs, key=lambda pair: (-abs(pair[0] - 1), pair[1]))
    if pairs:
        rows = [
            [
                s.scheduler,
                s.workload_label,
                s.level,
                "**apart by more than 3 %**" if abs(ratio - 1) > MIN_MARGIN else "equal",
                words.count(s.population),
                f"{ratio:.3f}",
            ]
            for ratio, s in pairs[:MAX_LISTED]
        ]
        parts.append(
            "The same scheduler, registered a second time: medians should not differ by more than 3 %. "
            f"{field.noise.apart} of {words.plural(len(pairs), 'pair does', 'pairs do')}.{_worst(pairs)}\n\n"
            + table(["scheduler", "workload", "level", "verdict", "N", "second / first"], rows, left=4)
        )
    else:
        parts.append(
            "No scheduler was registered twice in this run: nothing says how far two equal rows differ."
        )
    noisy = sorted((t for t in field.shown if t.variation > NOISY), key=lambda t: (-t.variation, t.subject))
    measured = sum(not t.failed for t in field.shown)
    parts.append(
        f"Rows whose repetitions scatter by more than {NOISY:.0%} (standard deviation over mean): "
        f"{len(noisy)} of {measured}.{_worst(noisy)}"
    )
    if noisy:
        parts.append(
            table(
                ["scheduler", "workload", "level", "N", "variation", "repetitions"],
                [
                    [
                        name_of(field, t.subject.scheduler),
                        t.subject.workload_label,
                        t.subject.level,
                        words.count(t.subject.population),
                        f"{t.variation:.1%}",
                        len(t.times),
                    ]
                    for t in noisy[:MAX_LISTED]
                ],
                left=3,
            )
        )
    return "\n\n".join(parts)


def _worst(rows):
    return f" The {MAX_LISTED} worst:" if len(rows) > MAX_LISTED else ""


def _skipped(field):
    entries = in_order(field.results.skipped)
    if not entries:
        return ""
    return "## Not measured\n\n" + table(
        ["scheduler", "workload", "level", "reason", "N"],
        [
            [
                e.subject.scheduler,
                e.subject.workload_label,
                e.subject.level,
                e.values["reason"],
                words.count(e.subject.population),
            ]
            for e in entries
        ],
        left=4,
    )
