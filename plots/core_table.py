#!/usr/bin/python3
"""The core table: how fast our own schedulers are against what others use. core_table.py RESULTS.json [--out DIR]

Prints the table and writes it, with the noise of each number, to DIR/core.md; DIR is by default the folder of the
file. Needs nothing but Python and reads nothing but the file, which `./bench/run --profile core` writes.
Exit status: 0 written; 2 the file is no results.json with a handle-level row, or DIR cannot be written.
"""

import argparse
import json
import os
import statistics
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import words

OWN, PEERS = "own", ("textbook", "system", "library")
_STREAMS = ("rpc_timeouts", "idle_sessions", "hold_exponential", "far_horizon", "fill_and_drain", "sparse")
# Parameters in milliseconds, told as --workload takes them too.
_DURATIONS = ("timeout", "shortest", "longest", "oversleep")
# A smaller difference is none, however small the scatter: the layout of one binary shifts timings so far.
MIN_MARGIN = 0.03


class BadResults(Exception):
    """The message is meant for people."""


@dataclass(frozen=True)
class Cost:
    """One row: all repetitions of a scheduler on a stream."""

    median: float = 0.0  # ns per operation
    q1: float = 0.0
    q3: float = 0.0
    failed: bool = False

    @property
    def spread(self):
        """Half of the interquartile range, as a share of the median."""
        return (self.q3 - self.q1) / 2 / self.median

    def is_apart_from(self, other):
        low, high = sorted((self, other), key=lambda cost: cost.median)
        return low.q3 < high.q1 and high.median >= (1 + MIN_MARGIN) * low.median


@dataclass
class Contest:
    """One stream at one population and level."""

    floor: Cost = None
    costs: dict = field(default_factory=dict)  # scheduler -> Cost
    repeats: list = field(default_factory=list)  # of (scheduler, Cost)
    skipped: dict = field(default_factory=dict)  # scheduler -> reason


class Table:
    """What the file says, by (level, stream, population)."""

    def __init__(self, document):
        about = document["context"]["timerbench"]
        self.about, self.date = about, document["context"]["date"]
        self.families = about["families"]
        self.contests = defaultdict(Contest)
        self.instructions = {}  # (scheduler or "floor", stream) -> (per operation, population)
        self._read(document)
        self.streams = sorted({stream for _, stream, _ in self.contests}, key=_stream_order)
        if not self.populations("handle"):
            raise BadResults("no row at the handle level was timed")

    def _read(self, document):
        times, failed, keys = defaultdict(list), set(), {}
        for row in document["benchmarks"]:
            if row["run_type"] != "iteration":
                continue
            key = (row["level"], _label(row), row["population"], row["scheduler"], row["role"])
            keys[key] = row
            if row.get("error_occurred"):
                failed.add(key)
            elif row["real_time"] > 0:
                times[key].append(float(row["real_time"]))
            else:
                raise BadResults(f"real_time is {row['real_time']}; allowed: a number above 0")
        for key in keys:
            level, stream, population, scheduler, role = key
            cost = Cost(failed=True) if key in failed else _cost(times[key])
            contest = self.contests[level, stream, population]
            if role == "repeat":
                contest.repeats.append((scheduler, cost))
            elif role == "floor":
                contest.floor = None if cost.failed else cost
            else:
                contest.costs[scheduler] = cost
        for row in document["skipped"]:
            if row["role"] == "scheduler":
                contest = self.contests[row["level"], _label(row), row["population"]]
                contest.skipped[row["scheduler"]] = row["reason"]
        for row in document.get("instructions", []):
            name = "floor" if row["role"] == "floor" else row["scheduler"]
            self.instructions[name, _label(row)] = row["instructions_per_operation"], row["population"]

    def origin(self, scheduler):
        return self.families.get(scheduler.partition("/")[0], OWN)

    def schedulers(self, origins):
        """Those that were measured, or skipped with a reason, at the handle level."""
        names = {
            name
            for (level, _, _), contest in self.contests.items()
            if level == "handle"
            for name in (*contest.costs, *contest.skipped)
        }
        return sorted(name for name in names if self.origin(name) in origins)

    def populations(self, level, stream=None):
        return sorted(
            {n for at, label, n in self.contests if at == level and stream in (None, label)}
        )

    def peers(self, level, stream, population):
        """The peers that were timed, the fastest first."""
        contest = self.contests.get((level, stream, population), Contest())
        timed = [(n, c) for n, c in contest.costs.items() if self.origin(n) in PEERS and not c.failed]
        return sorted(timed, key=lambda item: (item[1].median, item[0]))

    def speed_up(self, stream, population, scheduler):
        """(how many times as fast as the best peer, whether the noise allows to say so); or None."""
        peers = self.peers("handle", stream, population)
        cost = self.contests[("handle", stream, population)].costs.get(scheduler)
        if not peers or cost is None or cost.failed:
            return None
        best = peers[0][1]
        return best.median / cost.median, cost.is_apart_from(best)

    def mean_speed_up(self, scheduler, population):
        """(geometric mean over the streams of this population, how many they are); or None."""
        found = [self.speed_up(s, population, scheduler) for s in self.streams if self._has(s, population)]
        ratios = [one[0] for one in found if one]
        return (statistics.geometric_mean(ratios), len(ratios)) if ratios else None

    def _has(self, stream, population):
        return ("handle", stream, population) in self.contests

    def main_populations(self):
        """Those that more than one stream has; if there is none, all."""
        count = {n: sum(self._has(s, n) for s in self.streams) for n in self.populations("handle")}
        return [n for n, streams in count.items() if streams > 1] or list(count)

    def repeats(self):
        """By how much a scheduler that was measured twice differs from itself, for each pair."""
        differences = []
        for contest in self.contests.values():
            for scheduler, again in contest.repeats:
                first = contest.costs.get(scheduler)
                if first and not first.failed and not again.failed:
                    differences.append(abs(again.median / first.median - 1))
        return differences


def _cost(times):
    if len(times) == 1:
        return Cost(times[0], times[0], times[0])
    q1, median, q3 = statistics.quantiles(times, n=4, method="inclusive")
    return Cost(median, q1, q3)


def _label(row):
    inner = ",".join(f"{name}={_value(name, value)}" for name, value in row["parameters"].items())
    return row["workload"] + (f"{{{inner}}}" if inner else "")


def _value(name, value):
    if name in _DURATIONS and value > 0:
        for milliseconds, unit in ((86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s")):
            # 90 minutes, not 1.5 hours.
            if value % milliseconds == 0:
                return f"{value / milliseconds:.0f}{unit}"
    return f"{value:.0f}" if value == int(value) else f"{value:g}"


def _stream_order(label):
    name = label.partition("{")[0]
    return (_STREAMS.index(name) if name in _STREAMS else len(_STREAMS)), label


# --- Terminal -----------------------------------------------------------------------------------------

_NAME, _COLUMN, _COUNT = 46, 29, 16  # widths: with two populations abreast they come to 120
_ABREAST = 2


def terminal(table):
    """A block of lines for each stream; what a line says of each population stands side by side."""
    parts = [_title(table), _how_to_read(table)]
    for stream in table.streams:
        populations = table.populations("handle", stream)
        for first in range(0, len(populations), _ABREAST):
            parts.append(_block(table, stream, populations[first : first + _ABREAST]))
    parts += [_means(table), _id_level(table), *_notes(table)]
    return "\n\n".join(part for part in parts if part)


def _title(table):
    about = table.about
    text = f"The core table: {about['cpu_model']}, {about['compiler']}, {table.date[:10]}"
    if about["interrupted"]:
        text += "\nPARTIAL: the run was interrupted; what is missing was not measured."
    return text


def _how_to_read(table):
    text = (
        "ns per operation; as a multiple of the floor; speed-up: how many times as fast as the best peer, that is\n"
        "the fastest textbook or library scheduler on the same stream (~: within the noise)."
    )
    if not table.schedulers(PEERS):
        text += "\nNo peer was measured, so there is no speed-up: run without --scheduler."
    return text


def _block(table, stream, populations):
    # A long name has a line of its own.
    head = (stream + "\n" if len(stream) >= _NAME else stream.ljust(_NAME)) + "".join(f"N = {n:,}".rjust(_COLUMN) for n in populations)
    units = "".ljust(_NAME) + "".join(
        "ns".rjust(9) + "x floor".rjust(9) + "speed-up".rjust(11) for _ in populations
    )
    counted = {n for (_, label), (_, n) in table.instructions.items() if label == stream}
    head += (f"N = {min(counted):,}" if counted else "").rjust(_COUNT)
    units += "instructions".rjust(_COUNT)
    lines = [head.rstrip(), units]
    lines.append(_line(table, stream, populations, "floor", "floor"))
    shown = {}
    for population in populations:
        for name, _ in table.peers("handle", stream, population)[:2]:
            shown.setdefault(name)
    peers = shown or table.schedulers(PEERS)[:1]
    lines += [_line(table, stream, populations, name, f"  {name}") for name in peers]
    lines += [_line(table, stream, populations, name, f"* {name}") for name in table.schedulers((OWN,))]
    return "\n".join(lines)


def _line(table, stream, populations, scheduler, title):
    text = title[: _NAME - 1].ljust(_NAME)
    for population in populations:
        ns, floor, speed_up = _fields(table, "handle", stream, population, scheduler)
        text += ns.rjust(9) + floor.rjust(9) + speed_up.rjust(11)
    return (text + _instructions(table, stream, scheduler).rjust(_COUNT)).rstrip()


def _fields(table, level, stream, population, scheduler):
    """Texts: ns, multiple of the floor, speed-up or rank."""
    contest = table.contests[(level, stream, population)]
    cost = contest.floor if scheduler == "floor" else contest.costs.get(scheduler)
    if cost is None:
        return ("skipped" if scheduler in contest.skipped else "-"), "", ""
    if cost.failed:
        return "FAILED", "", ""
    floor = words.ratio(cost.median / contest.floor.median) if contest.floor else "-"
    return words.significant(cost.median), floor, _verdict(table, level, stream, population, scheduler)


def _verdict(table, level, stream, population, scheduler):
    if scheduler == "floor" or level != "handle":
        return ""
    if table.origin(scheduler) in PEERS:
        names = [name for name, _ in table.peers(level, stream, population)]
        return {0: "best peer", 1: "second"}.get(names.index(scheduler), "")
    speed_up = table.speed_up(stream, population, scheduler)
    if speed_up is None:
        return "n/a"
    return words.ratio(speed_up[0]) + ("" if speed_up[1] else "~")


def _instructions(table, stream, scheduler):
    per_operation = table.instructions.get((scheduler, stream))
    return words.significant(per_operation[0]) if per_operation else "n/a"


def _means(table):
    own, lines = table.schedulers((OWN,)), []
    if not own or not table.schedulers(PEERS):
        return ""
    populations = table.main_populations()
    for first in range(0, len(populations), _ABREAST):
        abreast = populations[first : first + _ABREAST]
        lines.append("Geometric mean of the speed-ups".ljust(_NAME))
        lines[-1] += "".join(f"N = {n:,}".rjust(_COLUMN) for n in abreast)
        for name in own:
            means = [_mean(table, name, population) for population in abreast]
            lines.append(f"* {name}".ljust(_NAME) + "".join(mean.rjust(_COLUMN) for mean in means))
    return "\n".join(lines)


def _mean(table, scheduler, population):
    mean = table.mean_speed_up(scheduler, population)
    return f"{words.ratio(mean[0])} ({words.plural(mean[1], 'stream', 'streams')})" if mean else "-"


def _id_level(table):
    """What the same costs a caller who knows jobs by their ids."""
    lines = []
    for stream in table.streams:
        for population in table.populations("id", stream):
            contest = table.contests[("id", stream, population)]
            for name in sorted(contest.costs):
                ns, floor, _ = _fields(table, "id", stream, population, name)
                here = f"{name} on {stream}, N = {population:,}".ljust(70)
                lines.append(here + ns.rjust(9) + floor.rjust(11))
    head = "By id, a hash map before the scheduler".ljust(70) + "ns".rjust(9) + "x floor".rjust(11)
    return "\n".join([head, *lines]) if lines else ""


def _notes(table):
    notes = []
    differences = table.repeats()
    if differences:
        notes.append(
            f"Noise: the same scheduler measured twice differs by {100 * statistics.median(differences):.1f} % "
            f"(median), at most {100 * max(differences):.1f} %."
        )
    if table.instructions:
        notes.append("Instructions per operation are counted under callgrind, exact for this build.")
    else:
        notes.append(
            "Instructions are n/a: they were not counted. That needs valgrind, the package valgrind of Debian, "
            "Ubuntu and\nFedora; Homebrew has none for Apple silicon."
        )
    return ["\n".join(notes)]


# --- Markdown -----------------------------------------------------------------------------------------


def markdown(table):
    """The same with the noise of each median, every peer, and why a row is missing."""
    about = table.about
    parts = [
        f"# The core table, {table.date[:10]}",
        f"{about['cpu_model']}, {about['kernel']}, {about['compiler']} `{about['flags']}`, revision "
        f"{about['revision']}{' with local changes' if about['dirty'] else ''}, seed {about['seed']}; "
        f"`{about['command']}`.",
    ]
    if about["interrupted"]:
        parts.append("**PARTIAL: the run was interrupted. What is missing below was not measured.**")
    parts.append(
        "ns per operation: the median, ± half of the interquartile range of the repetitions; then its multiple of the "
        "floor. Speed-up: the best peer's median over the scheduler's; `~` marks what the noise does not tell "
        f"apart (the ranges meet, or less than {100 * MIN_MARGIN:.0f} % lies between). A peer is a scheduler from a "
        "textbook or a library, the others are this project's own; the best peer is chosen anew for each "
        "stream and N."
    )
    means = _markdown_means(table)
    if means:
        parts.append("## Geometric mean of the speed-ups over the best peer\n\n" + means)
    for stream in table.streams:
        for population in table.populations("handle", stream):
            parts.append(f"## {stream}, N = {population:,}\n\n" + _markdown_rows(table, "handle", stream, population))
    by_id = [
        f"### {stream}, N = {population:,}\n\n" + _markdown_rows(table, "id", stream, population)
        for stream in table.streams
        for population in table.populations("id", stream)
    ]
    if by_id:
        parts.append("## By id\n\nThe same with a hash map before the scheduler.\n\n" + "\n\n".join(by_id))
    parts += ["## Notes", *_notes(table)]
    return "\n\n".join(parts) + "\n"


def _rows(header, rows):
    marks = ["---"] * 2 + ["---:"] * (len(header) - 2)
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, marks, *rows])


def _markdown_means(table):
    populations = table.main_populations()
    rows = [
        [name, table.origin(name)] + [_mean(table, name, population) for population in populations]
        for name in table.schedulers((OWN,))
    ]
    header = ["scheduler", "origin"] + [f"N = {n:,}" for n in populations]
    return _rows(header, rows) if rows and table.schedulers(PEERS) else ""


def _markdown_rows(table, level, stream, population):
    contest = table.contests[(level, stream, population)]
    # Counted at one population, and only of the handle level.
    counts = {n: v for (n, label), (v, at) in table.instructions.items() if (label, at) == (stream, population)}
    counted = level == "handle" and bool(counts)
    rows = []
    if contest.floor:
        rows.append(["floor", "", *_markdown_cost(contest, contest.floor), ""])
    peers = [name for name, _ in table.peers(level, stream, population)]
    own = sorted(
        (n for n, c in contest.costs.items() if n not in peers and not c.failed), key=lambda n: contest.costs[n].median
    )
    for name in peers + own:
        verdict = _verdict(table, level, stream, population, name)
        rows.append([name, table.origin(name), *_markdown_cost(contest, contest.costs[name]), verdict])
    if counted:
        for row in rows:
            row.append(words.significant(counts[row[0]]) if row[0] in counts else "n/a")
    header = ["scheduler", "origin", "ns", "±", "x floor", "speed-up"] + ["instructions"] * counted
    text = _rows(header, rows)
    for name, cost in sorted(contest.costs.items()):
        if cost.failed:
            text += f"\n\n**FAILED: {name} did other work than the reference; it has no time.**"
    reasons = [f"- {name}: {reason}" for name, reason in sorted(contest.skipped.items())]
    return text + ("\n\nNot measured:\n\n" + "\n".join(reasons) if reasons else "")


def _markdown_cost(contest, cost):
    floor = words.ratio(cost.median / contest.floor.median) if contest.floor else "-"
    return [words.significant(cost.median), f"{100 * cost.spread:.1f} %", floor]


# --- The command --------------------------------------------------------------------------------------


def read(path):
    """The table of a file. Errors: BadResults."""
    try:
        return Table(json.loads(Path(path).read_text(encoding="utf-8")))
    except OSError as error:
        raise BadResults(f"{path}: cannot be read ({error.strerror}); allowed: a results.json") from error
    except BadResults as error:
        raise BadResults(f"{path}: {error}") from error
    except KeyError as error:
        raise BadResults(f"{path}: {error} is missing; allowed: what results/README.md describes") from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise BadResults(f"{path}: not a results.json as results/README.md describes it ({error})") from error


def write(path, text):
    """Nobody ever sees half a file."""
    temporary = path.with_name(f".{path.name}.part")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def main(arguments):
    parser = argparse.ArgumentParser(prog="core_table.py", description="Prints the core table of results.json.")
    parser.add_argument("results", type=Path, metavar="RESULTS.json")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where core.md goes (default: beside the file)")
    options = parser.parse_args(arguments)
    out = options.out or options.results.parent
    try:
        table = read(options.results)
        out.mkdir(parents=True, exist_ok=True)
        write(out / "core.md", markdown(table))
        print(terminal(table), flush=True)
    except BadResults as error:
        print(f"core_table.py: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(
            f"core_table.py: {error.filename or 'standard output'}: cannot be written ({error.strerror})",
            file=sys.stderr,
        )
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
