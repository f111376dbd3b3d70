"""Why a contest came out as it did: one sentence made of the counters of the work pass.

Counters are exact, so that the sentence is the same on any machine whose ranking is the same.
"""

import words

# What each counter says of a scheduler. Moves are told per job that leaves, fired or cancelled.
_PHRASES = {
    "jobs_moved": "moves a job {} times on its way",
    "jobs_visited": "looks at {} jobs an operation",
    "comparisons": "compares {} times an operation",
    "slots_visited": "visits {} slots an operation",
}

# A slot is a word or a bit of a bitmap, the others are jobs somewhere in memory: a scheduler is known by its
# slots only if it visits that many more of them.
_SLOTS_FOR_A_JOB = 5

_MAX_CLAUSES = 3
# Of two schedulers that do the same thing only a difference of this factor explains anything.
_TELLING = 1.5


def reason(field, contest):
    """One sentence, or nothing where work was not counted: on another level than handle, mostly."""
    facts = _facts(field, contest)
    best = contest.best
    if best is None or best.subject.scheduler not in facts or len(facts) < 2:
        return ""
    counter, value = facts[best.subject.scheduler]
    # The slowest of each kind explains most; the best itself comes first.
    slowest = {}
    for timing in contest.ranked[1:]:
        name = timing.subject.scheduler
        if name in facts:
            slowest[facts[name][0]] = timing
    alike = slowest.get(counter)
    if alike and facts[alike.subject.scheduler][1] < _TELLING * value:
        del slowest[counter]
    others = sorted(slowest.values(), key=contest.ratio)[-(_MAX_CLAUSES - 1) :]
    return "; ".join(_clause(t, *facts[t.subject.scheduler]) for t in [best, *others])


def _clause(timing, counter, value):
    return f"{timing.subject.family} {_PHRASES[counter].format(_number(value))}"


def _number(value):
    return words.significant(value, 2 if value < 100 else 3)


def _facts(field, contest):
    """{scheduler: (its telling counter, value)} of those that were ranked and counted."""
    facts = {}
    for entry in field.results.work:
        s = entry.subject
        timing = contest.timings.get(s.scheduler)
        here = (s.workload_label, s.level, s.population) == (
            contest.workload,
            contest.level,
            contest.population,
        )
        operations = entry.values["operations"]
        if not here or s.role != "scheduler" or timing is None or timing.failed or not operations:
            continue
        rates = {key: entry.values[key] / operations for key in _PHRASES}
        if timing.left:
            rates["jobs_moved"] *= timing.operations / timing.left
        counter = max(
            _PHRASES, key=lambda key: rates[key] / (_SLOTS_FOR_A_JOB if key == "slots_visited" else 1)
        )
        if rates[counter] > 0:
            facts[s.scheduler] = counter, rates[counter]
    return facts
