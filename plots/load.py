"""Reads and checks results.json; all that the figures and the summary know comes from here.

The schema is the one of results/README.md. A file that does not keep it is refused with one message
that names the file, the key, the value and what is allowed: a figure drawn from half-understood data
is worse than none. Keys the schema does not name are ignored, so that the schema can grow.
"""

import json
import math
import statistics
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

# A winner is only called with at least this many repetitions (quartiles of fewer mean nothing) ...
MIN_REPETITIONS = 3
# ... and by at least this much: the layout of one binary alone shifts timings by a few percent.
MIN_MARGIN = 0.03

ROLES = ("scheduler", "floor", "repeat")
LEVELS = ("handle", "id")
KINDS = ("synthetic", "trace", "operation", "sweep")
PROFILES = ("smoke", "quick", "full", "core")

# The parameter that each workload of kind `sweep` varies.
SWEPT = {"cancel_share": "cancel", "horizon": "horizon", "empty_ticks": "gap"}


class BadResults(Exception):
    """The file cannot be read as results; the message is meant for people."""


@dataclass(frozen=True, order=True)
class Subject:
    """What a row is about. No two rows of one list have the same subject."""

    workload: str
    parameters: tuple  # of (name, value), sorted; only those that differ from the default
    population: int
    level: str
    scheduler: str
    family: str
    role: str
    kind: str

    @property
    def workload_label(self):
        """As the command line takes it: rpc_timeouts{cancel=0.95}."""
        if not self.parameters:
            return self.workload
        inner = ",".join(f"{name}={_plain(value)}" for name, value in self.parameters)
        return f"{self.workload}{{{inner}}}"

    @property
    def swept_value(self):
        """The value of the parameter that the sweep varies; None where the row does not give it."""
        return dict(self.parameters).get(SWEPT.get(self.workload))

    def __str__(self):
        return f"{self.scheduler} {self.workload_label} N={self.population} {self.level}"


def _plain(value):
    """100000000 rather than 1e+08, which is how people write it on the command line."""
    return f"{value:.0f}" if value == int(value) else f"{value:g}"


@dataclass(frozen=True)
class Entry:
    """A row of `latency`, `memory`, `work` or `skipped`."""

    subject: Subject
    values: dict


@dataclass(frozen=True)
class Timing:
    """All repetitions of a timed row. `error` is set, and times are empty, where the row failed."""

    subject: Subject
    times: tuple = ()  # ns per operation, one for each repetition
    error: str = ""
    operations: int = 0
    left: int = 0  # how many of the operations were jobs that left: fired or cancelled
    median: float = math.nan
    q1: float = math.nan
    q3: float = math.nan

    @property
    def failed(self):
        return bool(self.error)

    @property
    def variation(self):
        """Coefficient of variation; 0 with one repetition."""
        return statistics.stdev(self.times) / statistics.mean(self.times) if len(self.times) > 1 else 0.0


@dataclass(frozen=True)
class Results:
    path: str
    context: dict
    timings: list
    latency: list
    memory: list
    work: list
    skipped: list
    instructions: list = field(default_factory=list)
    about: dict = field(default_factory=dict)  # context["timerbench"]

    @property
    def interrupted(self):
        return self.about["interrupted"]

    @property
    def families(self):
        lists = (self.timings, self.latency, self.memory, self.work, self.skipped)
        return sorted({entry.subject.family for entries in lists for entry in entries})


def clearly_faster(fast, slow, margin=MIN_MARGIN):
    """Whether `fast` beats `slow` by more than what the repetitions scatter, and by `margin` of its median."""
    enough = min(len(fast.times), len(slow.times)) >= MIN_REPETITIONS
    return enough and fast.q3 < slow.q1 and slow.median >= (1 + margin) * fast.median


# --- Checks -------------------------------------------------------------------------------------------


class _Checker:
    """Fetches values by key; knows how to say what is wrong with them."""

    def __init__(self, path):
        self.path = path

    def refuse(self, where, value, allowed):
        shown = json.dumps(value, default=str)
        if len(shown) > 60:
            shown = shown[:57] + "..."
        raise BadResults(f"{self.path}: {where} is {shown}; allowed: {allowed}")

    def get(self, mapping, where, key, allowed, test):
        """mapping[key], if it is there and `test` holds for it."""
        place = f"{where}.{key}" if where else key
        if key not in mapping:
            raise BadResults(f"{self.path}: {place} is missing; allowed: {allowed}")
        if not test(mapping[key]):
            self.refuse(place, mapping[key], allowed)
        return mapping[key]

    def text(self, mapping, where, key):
        return self.get(
            mapping, where, key, "a text that is not empty", lambda v: isinstance(v, str) and v.isprintable() and v != ""
        )

    def one_of(self, mapping, where, key, names):
        return self.get(mapping, where, key, "one of " + ", ".join(names), lambda v: v in names)

    def truth(self, mapping, where, key):
        return self.get(mapping, where, key, "true or false", lambda v: isinstance(v, bool))

    def mapping(self, mapping, where, key):
        return self.get(mapping, where, key, "an object", lambda v: isinstance(v, dict))

    def list_of(self, mapping, where, key):
        return self.get(mapping, where, key, "a list", lambda v: isinstance(v, list))

    def number(self, mapping, where, key, minimum=None, above=None):
        if above is not None:
            return self.get(
                mapping, where, key, f"a number above {above}", lambda v: _is_number(v) and v > above
            )
        if minimum is not None:
            return self.get(
                mapping, where, key, f"a number, at least {minimum}", lambda v: _is_number(v) and v >= minimum
            )
        return self.get(mapping, where, key, "a number", _is_number)

    def whole(self, mapping, where, key, minimum):
        return self.get(
            mapping,
            where,
            key,
            f"a whole number, at least {minimum}",
            lambda v: _is_number(v) and v == int(v) and v >= minimum,
        )

    def finite(self, value, where=""):
        """Python's parser lets NaN and Infinity through, which JSON does not know."""
        if isinstance(value, float) and not math.isfinite(value):
            raise BadResults(f"{self.path}: {where} is {value}; allowed: finite numbers only")
        # Nothing that is measured is beyond this, and figures cannot be drawn of it.
        if _is_number(value) and (abs(value) > _LARGEST or 0 < abs(value) < 1 / _LARGEST):
            raise BadResults(f"{self.path}: {where} is {str(value)[:30]}; allowed: magnitudes from 1e-20 to 1e20")
        if isinstance(value, dict):
            for key, inner in value.items():
                self.finite(inner, f"{where}.{key}" if where else key)
        if isinstance(value, list):
            for index, inner in enumerate(value):
                self.finite(inner, f"{where}[{index}]")


_LARGEST = 10**20


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _subject(check, entry, where):
    if not isinstance(entry, dict) or not entry:
        check.refuse(where, entry, "an object with the keys of results/README.md")
    parameters = check.mapping(entry, where, "parameters")
    for name in parameters:
        check.number(parameters, f"{where}.parameters", name)
    scheduler, family = check.text(entry, where, "scheduler"), check.text(entry, where, "family")
    if scheduler.split("/")[0] != family:
        check.refuse(f"{where}.family", family, f"the scheduler's name without its parameter, of {scheduler}")
    return Subject(
        workload=check.text(entry, where, "workload"),
        parameters=tuple(sorted(parameters.items())),
        population=int(check.whole(entry, where, "population", 1)),
        level=check.one_of(entry, where, "level", LEVELS),
        scheduler=scheduler,
        family=family,
        role=check.one_of(entry, where, "role", ROLES),
        kind=check.one_of(entry, where, "kind", KINDS),
    )


def _read_context(check, document):
    context = check.mapping(document, "", "context")
    where = "context"
    check.text(context, where, "date")
    caches = check.list_of(context, where, "caches")
    for index, cache in enumerate(caches):
        place = f"{where}.caches[{index}]"
        if not isinstance(cache, dict):
            check.refuse(place, cache, "an object {type, level, size, num_sharing}")
        check.text(cache, place, "type")
        check.whole(cache, place, "level", 1)
        check.number(cache, place, "size", minimum=0)
    about = check.mapping(context, where, "timerbench")
    where = "context.timerbench"
    for key in (
        "version",
        "revision",
        "build_type",
        "compiler",
        "cpu_model",
        "kernel",
        "governor",
        "allocator",
        "command",
        "started",
    ):
        check.text(about, where, key)
    check.get(about, where, "flags", "a text", lambda v: isinstance(v, str))
    check.one_of(about, where, "profile", PROFILES)
    check.whole(about, where, "seed", 0)
    check.truth(about, where, "dirty")
    check.truth(about, where, "interrupted")
    check.number(about, where, "seconds", minimum=0)
    check.mapping(about, where, "libraries")
    return context, about


def _read_timings(check, document):
    entries = check.list_of(document, "", "benchmarks")
    times, errors, counts = defaultdict(list), {}, {}
    for index, entry in enumerate(entries):
        where = f"benchmarks[{index}]"
        subject = _subject(check, entry, where)
        # Aggregates are for other tools: medians and quartiles are taken from the repetitions here.
        if check.one_of(entry, where, "run_type", ("iteration", "aggregate")) == "aggregate":
            continue
        if "error_occurred" in entry and check.truth(entry, where, "error_occurred"):
            errors[subject] = check.text(entry, where, "error_message")
            continue
        check.one_of(entry, where, "time_unit", ("ns",))
        times[subject].append(float(check.number(entry, where, "real_time", above=0)))
        counts[subject] = tuple(
            int(check.number(entry, where, key, minimum=0)) for key in ("operations", "fired", "cancelled")
        )
    if not times and not errors:
        raise BadResults(
            f"{check.path}: benchmarks has {len(entries)} entries and no measured repetition; "
            'allowed: at least one entry with run_type "iteration"'
        )
    return [
        _timing(subject, times.get(subject, []), errors.get(subject, ""), counts.get(subject, (0, 0, 0)))
        for subject in sorted({*times, *errors})
    ]


def _timing(subject, times, error, counts):
    # One wrong repetition makes the row wrong: its other times are not shown either.
    if error:
        return Timing(subject, error=error)
    q1, median, q3 = np.percentile(times, [25, 50, 75])
    operations, fired, cancelled = counts
    return Timing(
        subject, tuple(times), "", operations, fired + cancelled, float(median), float(q1), float(q3)
    )


_WORK_KEYS = (
    "operations",
    "slots_visited",
    "jobs_moved",
    "jobs_visited",
    "comparisons",
    "allocations",
    "batches",
    "batches_sorted",
    "fired",
)
_LATENCY_KEYS = ("mean_ns", "p50_ns", "p90_ns", "p99_ns", "p99_9_ns", "max_ns", "clock_ns")


def _check_latency(check, entry, where):
    check.whole(entry, where, "advances", 1)
    for key in _LATENCY_KEYS:
        check.number(entry, where, key, minimum=0)
    curve = check.list_of(entry, where, "percentiles")
    allowed = "a list of [percentile, ns], percentiles ascending from 0 to 100"
    if not curve:
        check.refuse(f"{where}.percentiles", curve, allowed)
    last = 0
    for index, point in enumerate(curve):
        ok = isinstance(point, list) and len(point) == 2 and all(map(_is_number, point))
        if not ok or not last <= point[0] <= 100 or point[1] < 0:
            check.refuse(f"{where}.percentiles[{index}]", point, allowed)
        last = point[0]


def _check_memory(check, entry, where):
    for key in ("bytes_per_job", "empty_bytes", "residue_bytes_per_job"):
        check.number(entry, where, key, minimum=0)
    # Pages come and go for other reasons too, so that this one may be below zero.
    if "resident_bytes_per_job" in entry:
        check.number(entry, where, "resident_bytes_per_job")


def _check_work(check, entry, where):
    for key in _WORK_KEYS:
        check.number(entry, where, key, minimum=0)


def _check_instructions(check, entry, where):
    check.whole(entry, where, "instructions", 1)
    check.whole(entry, where, "operations", 1)
    check.number(entry, where, "instructions_per_operation", above=0)


def _check_skipped(check, entry, where):
    check.text(entry, where, "reason")


def _read_entries(check, document, key, check_values, unique=True):
    entries, seen = [], {}
    for index, raw in enumerate(check.list_of(document, "", key)):
        where = f"{key}[{index}]"
        subject = _subject(check, raw, where)
        check_values(check, raw, where)
        if unique and subject in seen:
            check.refuse(
                where, str(subject), f"one entry for each row; {key}[{seen[subject]}] is the same row"
            )
        seen[subject] = index
        entries.append(Entry(subject, raw))
    return sorted(entries, key=lambda entry: entry.subject)


def parse(document, path="results.json"):
    """Results from parsed JSON. Errors: BadResults."""
    check = _Checker(path)
    if not isinstance(document, dict):
        check.refuse("the file", document, "a JSON object with the keys of results/README.md")
    check.finite(document)
    context, about = _read_context(check, document)
    return Results(
        path=str(path),
        context=context,
        about=about,
        timings=_read_timings(check, document),
        latency=_read_entries(check, document, "latency", _check_latency),
        memory=_read_entries(check, document, "memory", _check_memory),
        work=_read_entries(check, document, "work", _check_work),
        # A row may be left out of the timed pass and of the latency pass, each with its reason.
        skipped=_read_entries(check, document, "skipped", _check_skipped, unique=False),
        # Only where they were counted: valgrind is no part of most runs.
        instructions=_read_entries(check, document, "instructions", _check_instructions)
        if "instructions" in document
        else [],
    )


def read(path):
    """Results from a file. Errors: BadResults."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise BadResults(
            f"{path}: cannot be read ({reason}); allowed: a results.json written by bench/run"
        ) from error
    try:
        document = json.loads(text)
    except RecursionError as error:
        raise BadResults(
            f"{path}: nested too deeply; allowed: a results.json written by bench/run"
        ) from error
    except json.JSONDecodeError as error:
        raise BadResults(
            f"{path}:{error.lineno}:{error.colno}: not JSON ({error.msg}); "
            "allowed: a results.json written by bench/run"
        ) from error
    except ValueError as error:  # Python refuses to read numbers of thousands of digits.
        raise BadResults(f"{path}: {error}; allowed: numbers of at most 64 bits") from error
    try:
        return parse(document, path)
    except RecursionError as error:
        raise BadResults(f"{path}: nested too deeply; allowed: a results.json written by bench/run") from error
