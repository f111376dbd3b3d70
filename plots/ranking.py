"""Who is compared with whom: default variants, populations, contests. No drawing, no text."""

import statistics
from collections import defaultdict
from dataclasses import dataclass

from load import MIN_MARGIN, clearly_faster
from style import Looks, listed_default, scheduler_order

WORKLOAD_ORDER = (
    "rpc_timeouts",
    "idle_sessions",
    "retry_fixed",
    "reminders",
    "cache_ttl",
    "far_horizon",
    "hold_exponential",
    "fill_and_drain",
    "sparse",
    "ties",
    "web_requests",
    "llm_code",
    "llm_conv",
    "flights",
)
OPERATION_ORDER = (
    "only_schedule",
    "only_reschedule",
    "only_cancel",
    "only_advance",
    "only_next",
    "cold_start",
)


def workload_order(label):
    """Workloads in the order in which they are told about, then the others by name."""
    name = label.partition("{")[0]
    order = WORKLOAD_ORDER + OPERATION_ORDER
    return (order.index(name) if name in order else len(order)), label


@dataclass
class Contest:
    """One workload at one population and level: the default schedulers against each other."""

    workload: str
    kind: str
    level: str
    population: int
    timings: dict  # scheduler -> Timing, failed ones too
    floor: object  # Timing or None
    missing: list  # schedulers that were not measured
    margin: float = MIN_MARGIN  # a smaller lead is none

    def __post_init__(self):
        passed = [timing for timing in self.timings.values() if not timing.failed]
        self.ranked = sorted(passed, key=lambda t: (t.median, scheduler_order(t.subject.scheduler)))
        self.failed = [timing for timing in self.timings.values() if timing.failed]

    @property
    def best(self):
        return self.ranked[0] if self.ranked else None

    @property
    def runner_up(self):
        return self.ranked[1] if len(self.ranked) > 1 else None

    @property
    def leaders(self):
        """The best and everyone whom it does not clearly beat."""
        return [t for t in self.ranked if t is self.best or not clearly_faster(self.best, t, self.margin)]

    @property
    def clear(self):
        return len(self.ranked) > 1 and len(self.leaders) == 1

    def ratio(self, timing):
        return timing.median / self.best.median


class Field:
    """Everything that was measured, looked up the way figures and tables ask for it."""

    def __init__(self, results):
        self.results = results
        self.shown = [t for t in results.timings if t.subject.role != "repeat"]
        self.floors = sorted({t.subject.scheduler for t in self._entries() if t.subject.role == "floor"})
        self.variants = self._collect_variants()
        self.defaults = sorted(
            (names[0] for names in self.variants.values() if names[0] not in self.floors), key=scheduler_order
        )
        self.schedulers = sorted(
            (name for names in self.variants.values() for name in names if name not in self.floors),
            key=scheduler_order,
        )
        self.noise = Noise(results)
        self.looks = Looks(self.variants, {name.partition("/")[0] for name in self.floors})

    def _entries(self):
        r = self.results
        return [
            e
            for entries in (r.timings, r.latency, r.memory, r.work, r.skipped)
            for e in entries
            if e.subject.role != "repeat"
        ]

    def _collect_variants(self):
        rows = defaultdict(lambda: defaultdict(int))
        for entry in self._entries():
            rows[entry.subject.family][entry.subject.scheduler] += 1
        variants = {}
        for family, counts in rows.items():
            names = sorted(counts, key=scheduler_order)
            # Without a known default the variant that was measured most stands for its family.
            default = listed_default(family)
            if default not in counts:
                default = max(names, key=lambda name: counts[name])
            variants[family] = [default] + [name for name in names if name != default]
        return variants

    def is_default(self, subject):
        return subject.scheduler in self.defaults

    def is_floor(self, subject):
        return subject.role == "floor"

    def timings(self, **wanted):
        """Rows whose subject has all the wanted values: timings(level="id", kind="trace")."""
        return [
            t for t in self.shown if all(getattr(t.subject, key) == value for key, value in wanted.items())
        ]

    def levels(self, kind):
        return [level for level in ("handle", "id") if self.timings(level=level, kind=kind)]

    def workloads(self, level, *kinds):
        labels = {
            (t.subject.workload_label, t.subject.kind)
            for t in self.shown
            if t.subject.level == level and t.subject.kind in kinds
        }
        return sorted((label for label, _ in labels), key=workload_order)

    def contest(self, level, label, population=None):
        """The contest at `population`; by default at the largest that most schedulers have."""
        rows = [t for t in self.shown if t.subject.level == level and t.subject.workload_label == label]
        if population is None:
            population = largest_common(
                [t.subject for t in rows if self.is_default(t.subject)] or [t.subject for t in rows]
            )
        here = {t.subject.scheduler: t for t in rows if t.subject.population == population}
        timings = {name: here[name] for name in self.defaults if name in here}
        floor = next((t for t in here.values() if self.is_floor(t.subject) and not t.failed), None)
        missing = [name for name in self.defaults if name not in here]
        margin = self.noise.margin(level, label, population)
        return Contest(label, rows[0].subject.kind, level, population, timings, floor, missing, margin)

    def contests(self, level):
        return [self.contest(level, label) for label in self.workloads(level, "synthetic", "trace")]

    def variant_beats(self, contest):
        """The variant that clearly beats the best default scheduler, as (Timing, ratio); or None."""
        if contest.best is None:
            return None
        rivals = [
            t
            for t in self.timings(level=contest.level, population=contest.population)
            if t.subject.workload_label == contest.workload
            and not t.failed
            and t.subject.role == "scheduler"
            and clearly_faster(t, contest.best, contest.margin)
        ]
        rival = min(rivals, key=lambda t: t.median, default=None)
        return rival and (rival, contest.ratio(rival))


class Noise:
    """How far two equal rows differed in this run: what a lead has to exceed."""

    def __init__(self, results):
        self.pairs = [  # of (ratio of the second to the first, subject of the first)
            (second.median / first.median, first.subject)
            for first, second in repeats(results)
            if not first.failed and not second.failed
        ]
        self.differences = [abs(ratio - 1) for ratio, _ in self.pairs]
        self.median = statistics.median(self.differences) if self.pairs else 0.0
        self._own = defaultdict(float)
        for difference, (_, s) in zip(self.differences, self.pairs):
            group = s.level, s.workload_label, s.population
            self._own[group] = max(self._own[group], difference)

    @property
    def apart(self):
        """How many pairs differ by more than the least margin."""
        return sum(difference > MIN_MARGIN for difference in self.differences)

    def margin(self, level, label, population):
        """The lead that counts in a group: what its own pair differs by, the run's median if it has none."""
        return max(MIN_MARGIN, self._own.get((level, label, population), self.median))


def largest_common(subjects):
    """The largest population that more than half of the schedulers have."""
    by_population = defaultdict(set)
    for subject in subjects:
        by_population[subject.population].add(subject.scheduler)
    everyone = {subject.scheduler for subject in subjects}
    most = [n for n, names in by_population.items() if 2 * len(names) > len(everyone)]
    # With filters there may be no such population; then where the most meet.
    return max(most) if most else max(by_population, key=lambda n: (len(by_population[n]), n))


# Of fewer advances the 99th percentile is but the worst few.
TAIL_ADVANCES = 1000


def with_tail(entries):
    """Those with enough advances for a tail."""
    return [entry for entry in entries if entry.values["advances"] >= TAIL_ADVANCES]


def tail_population(entries):
    """The largest population that most schedulers have and of which the advances are enough for a tail."""
    return largest_common([entry.subject for entry in with_tail(entries) or entries])


def repeats(results):
    """Pairs of (row, the same scheduler measured a second time)."""
    pairs = []
    firsts = {
        (
            t.subject.workload,
            t.subject.parameters,
            t.subject.population,
            t.subject.level,
            t.subject.family,
        ): []
        for t in results.timings
    }
    for timing in results.timings:
        s = timing.subject
        if s.role == "scheduler":
            firsts[s.workload, s.parameters, s.population, s.level, s.family].append(timing)
    for timing in results.timings:
        s = timing.subject
        if s.role != "repeat":
            continue
        # The second registration may carry a mark behind its name; the longest name that fits is its twin.
        twins = [
            t
            for t in firsts[s.workload, s.parameters, s.population, s.level, s.family]
            if s.scheduler.startswith(t.subject.scheduler)
        ]
        if twins:
            pairs.append((max(twins, key=lambda t: len(t.subject.scheduler)), timing))
    return pairs
