"""A made-up results.json: true to the schema, equal at every call, with a bit of everything in it.

The costs follow rough models of the schedulers, so that figures of it look like real ones and can be
judged by eye; they are not measurements and nothing is published from them.
"""

import math
import random

REPETITIONS = 9
POPULATIONS = (100, 1000, 10_000, 100_000, 1_000_000)
SYNTHETIC = (
    "rpc_timeouts",
    "idle_sessions",
    "retry_fixed",
    "reminders",
    "cache_ttl",
    "far_horizon",
    "hold_exponential",
    "sparse",
    "ties",
)
TRACES = {"web_requests": 412, "llm_code": 96, "llm_conv": 873, "flights": 20_000}
OPERATIONS = ("only_schedule", "only_cancel", "only_reschedule", "only_advance", "only_next", "cold_start")
SWEEPS = {
    "cancel_share": ("cancel", (0.0, 0.25, 0.5, 0.75, 0.9, 1.0)),
    "horizon": ("horizon", (100, 10_000, 1_000_000, 100_000_000)),
    "empty_ticks": ("gap", (1, 10, 100, 1000, 10_000)),
}

DEFAULTS = (
    "binary_heap/4",
    "hashed_wheel/512",
    "hierarchical_wheel/256",
    "hierarchical_wheel_stepping/256",
    "scan_list",
)
VARIANTS = ("binary_heap/2", "binary_heap/8", "hashed_wheel/64")
FLOOR = "null_floor"
SCHEDULERS = DEFAULTS + VARIANTS

# The row that went wrong, the row that was left out, and the one that nobody clearly wins.
FAILED = ("hashed_wheel/512", "reminders", 1_000_000, "handle")
SLOW = 1_000_000  # scan_list is not measured there
TIED = "retry_fixed"

# An advance that fires a whole slot, a rotation that cascades: how much longer than the mean.
_BURST = {
    "hierarchical_wheel": 900,
    "hierarchical_wheel_stepping": 950,
    "hashed_wheel": 60,
    "binary_heap": 25,
    "scan_list": 3,
    "null_floor": 2,
}
_BYTES = {
    "hierarchical_wheel": 40,
    "hierarchical_wheel_stepping": 40,
    "hashed_wheel": 48,
    "binary_heap": 64,
    "scan_list": 32,
    "null_floor": 24,
}


def _family(scheduler):
    return scheduler.partition("/")[0]


def cost(scheduler, workload, population, level="handle", swept=None):
    """ns per operation of the model."""
    family = _family(scheduler)
    parameter = int(scheduler.partition("/")[2] or 0)
    # Misses of the cache: a knee where N jobs no longer fit.
    miss = 1 + 2.2 / (1 + math.exp(-(math.log10(population) - 5.0) * 2.5))
    weight = 1 + 0.13 * (
        (SYNTHETIC + tuple(TRACES) + OPERATIONS).index(workload) % 5 if workload not in SWEEPS else 0
    )
    step = 1.0
    if workload == "sparse":
        step = 400.0
    if workload == "empty_ticks":
        step = 1 + 0.9 * swept
    value = {
        "hierarchical_wheel": 9 * miss,
        "hierarchical_wheel_stepping": 8.5 * miss + 1.4 * (step - 1),
        "hashed_wheel": 8 * miss * (1 + 0.25 * math.log10(population) * 64 / max(parameter, 1)),
        "binary_heap": (5 + 2.6 * math.log2(population) * (1 + abs(parameter - 4) / 9)) * miss**0.8,
        "scan_list": 3 + 0.35 * population,
        "null_floor": 1.1 * miss**0.6,
    }[family] * weight
    if workload == TIED and family in ("hierarchical_wheel", "hierarchical_wheel_stepping"):
        value = 14.0
    if workload == "cancel_share":
        value *= {"scan_list": 1.2 - swept, "binary_heap": 1.4 - 0.7 * swept}.get(family, 1.2 - 0.4 * swept)
    if workload == "horizon":
        value *= 1 + {
            "hierarchical_wheel": 0.15,
            "hierarchical_wheel_stepping": 0.15,
            "hashed_wheel": 0.6,
        }.get(family, 0.0) * math.log10(swept)
    if workload == "cold_start":
        value *= 14
    if level == "id":
        value += 12 * miss
    return value


def subject(
    scheduler, workload, population, level="handle", kind="synthetic", role="scheduler", parameters=None
):
    return {
        "scheduler": scheduler,
        "family": _family(scheduler),
        "role": role,
        "level": level,
        "workload": workload,
        "parameters": dict(parameters or {}),
        "kind": kind,
        "population": population,
    }


def timed_row(who, mean, repetitions=REPETITIONS, spread=0.02):
    """One entry per repetition, then the aggregates, as Google Benchmark writes them."""
    name = f"{who['scheduler']}/{who['workload']}/{who['population']}/{who['level']}/{who['role']}"
    generator = random.Random(name + str(sorted(who["parameters"].items())))
    times = [round(mean * (1 + generator.gauss(0, spread)), 4) for _ in range(repetitions)]
    common = {
        "name": name,
        "family_index": 0,
        "per_family_instance_index": 0,
        "run_name": name,
        "repetitions": repetitions,
        "threads": 1,
        "iterations": 12,
        "time_unit": "ns",
        **who,
    }
    counts = {"operations": 65536, "fired": 20_000, "cancelled": 30_000, "rescheduled": 1000}
    rows = [
        {
            **common,
            **counts,
            "run_type": "iteration",
            "repetition_index": index,
            "real_time": time,
            "cpu_time": time,
        }
        for index, time in enumerate(times)
    ]
    average = sum(times) / len(times)
    for aggregate in ("mean", "median", "stddev", "cv"):
        rows.append(
            {
                **common,
                "run_type": "aggregate",
                "aggregate_name": aggregate,
                "aggregate_unit": "time",
                "real_time": average,
                "cpu_time": average,
            }
        )
    return rows


def failed_row(who, message="checksum 0x1234 is not the reference's 0x5678"):
    return [
        {
            "name": who["scheduler"],
            "run_name": who["scheduler"],
            "run_type": "iteration",
            "repetitions": REPETITIONS,
            "repetition_index": index,
            "error_occurred": True,
            "error_message": message,
            **who,
        }
        for index in range(REPETITIONS)
    ]


def latency_row(who, mean, advances=100_000):
    burst = _BURST[_family(who["scheduler"])]

    def at(percentile):
        nines = -math.log10(max(1 - percentile / 100, 0.5 / advances))
        return round(30 + mean * 5 * (1 + 0.12 * nines + burst / (1 + math.exp(-(nines - 3.2) * 4))), 1)

    percentiles = [0, 10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.9, 99.95, 99.99, 99.995, 99.999, 100]
    return {
        **who,
        "advances": advances,
        "mean_ns": at(60),
        "p50_ns": at(50),
        "p90_ns": at(90),
        "p99_ns": at(99),
        "p99_9_ns": at(99.9),
        "max_ns": at(100),
        "clock_ns": 24.0,
        "percentiles": [[p, at(p)] for p in percentiles],
    }


def memory_row(who):
    base = _BYTES[_family(who["scheduler"])]
    extra = 32 if who["level"] == "id" else 0
    row = {
        **who,
        "bytes_per_job": base + extra + 3000 / who["population"],
        "empty_bytes": 4096,
        "residue_bytes_per_job": float(base + extra) if base != 32 else 0.0,
    }
    if who["population"] >= 10_000:
        row["resident_bytes_per_job"] = base + extra + 5.5
    return row


def work_row(who):
    heap, wheel = "heap" in who["scheduler"], "wheel" in who["scheduler"]
    return {
        **who,
        "operations": 65536,
        "slots_visited": 90_000 if wheel else 0,
        "jobs_moved": 21_000 if wheel else 0,
        "jobs_visited": 65536 * who["population"] if who["family"] == "scan_list" else 0,
        "comparisons": 400_000 if heap else 0,
        "allocations": 0,
        "batches": 900,
        "batches_sorted": 31,
        "fired": 20_000,
    }


def context(interrupted=False):
    return {
        "date": "2026-03-04T05:06:07+00:00",
        "host_name": "example",
        "executable": "./timerbench",
        "num_cpus": 2,
        "mhz_per_cpu": 2800,
        "cpu_scaling_enabled": False,
        "load_avg": [0.5, 0.4, 0.3],
        "library_build_type": "release",
        "caches": [
            {"type": "Data", "level": 1, "size": 32768, "num_sharing": 1},
            {"type": "Instruction", "level": 1, "size": 32768, "num_sharing": 1},
            {"type": "Unified", "level": 2, "size": 1048576, "num_sharing": 1},
            {"type": "Unified", "level": 3, "size": 34603008, "num_sharing": 2},
        ],
        "timerbench": {
            "version": "0.1.0",
            "profile": "quick",
            "seed": 1,
            "revision": "0123456789abcdef0123456789abcdef01234567",
            "dirty": False,
            "build_type": "Release",
            "compiler": "GNU 12.2.0",
            "flags": "-O3 -DNDEBUG",
            "cpu_model": "Example CPU @ 2.80GHz",
            "kernel": "Linux 6.1.0",
            "governor": "unknown",
            "allocator": "glibc 2.36",
            "libraries": {"benchmark": "1.7.1", "boost": "1.74.0"},
            "families": {
                "binary_heap": "library",
                "hashed_wheel": "textbook",
                "hierarchical_wheel_stepping": "textbook",
                "scan_list": "textbook",
            },
            "command": "timerbench run --quick",
            "started": "2026-03-04T05:06:07Z",
            "seconds": 271.5,
            "interrupted": interrupted,
        },
    }


def _everyone(variants=True):
    for scheduler in DEFAULTS + (VARIANTS if variants else ()):
        yield scheduler, "scheduler"
    yield FLOOR, "floor"


def _timed(results, who, swept=None):
    identity = (who["scheduler"], who["workload"], who["population"], who["level"])
    if who["scheduler"] == "scan_list" and who["population"] >= SLOW:
        results["skipped"].append({**who, "reason": "would take 40 s, more than the row's share of the time"})
    elif identity == FAILED:
        results["benchmarks"] += failed_row(who)
    else:
        mean = cost(who["scheduler"], who["workload"], who["population"], who["level"], swept)
        noisy = who["workload"] == "ties" and who["scheduler"] == "binary_heap/4"
        results["benchmarks"] += timed_row(who, mean, spread=0.09 if noisy else 0.02)


def results(interrupted=False):
    """The document, as json.load would return it."""
    document = {
        "context": context(interrupted),
        "benchmarks": [],
        "latency": [],
        "memory": [],
        "work": [],
        "skipped": [],
    }
    for level in ("handle", "id"):
        for scheduler, role in _everyone():
            for workload in SYNTHETIC:
                for population in POPULATIONS:
                    _timed(document, subject(scheduler, workload, population, level, role=role))
        for scheduler, role in _everyone(variants=False):
            for trace, population in TRACES.items():
                _timed(document, subject(scheduler, trace, population, level, "trace", role))
            for operation in OPERATIONS:
                _timed(document, subject(scheduler, operation, 100_000, level, "operation", role))
            for population in (1000, 100_000):
                for workload, (name, values) in SWEEPS.items():
                    for value in values:
                        _timed(
                            document,
                            subject(scheduler, workload, population, level, "sweep", role, {name: value}),
                            value,
                        )
        twin = subject("hierarchical_wheel/256", "rpc_timeouts", 10_000, level, role="repeat")
        document["benchmarks"] += timed_row(
            twin, cost("hierarchical_wheel/256", "rpc_timeouts", 10_000, level)
        )
    for scheduler, role in _everyone(variants=False):
        for workload in SYNTHETIC + ("web_requests",):
            kind, population = ("trace", 412) if workload in TRACES else ("synthetic", 100_000)
            who = subject(scheduler, workload, population, kind=kind, role=role)
            document["latency"].append(latency_row(who, min(cost(scheduler, workload, population), 5000)))
            document["work"].append(work_row(who))
    for level in ("handle", "id"):
        for scheduler, role in _everyone():
            for population in (1000, 100_000):
                document["memory"].append(
                    memory_row(subject(scheduler, "rpc_timeouts", population, level, role=role))
                )
    return document


# ns per operation of the core profile's document; what is not named costs as the model says.
CORE_STREAMS = (
    ("rpc_timeouts", {}),
    ("rpc_timeouts", {"timeout": 30_000.0}),
    ("hold_exponential", {}),
    ("sparse", {"shortest": 1_800_000.0, "longest": 5_400_000.0, "oversleep": 0.0}),
)
CORE_COSTS = {
    1000: {
        FLOOR: 5.0,
        "aligned_wheel/256": 10.0,
        "hierarchical_wheel/256": 16.0,
        "binary_heap/4": 20.0,
        "hashed_wheel/512": 25.0,
        "scan_list": 800.0,
    },
    1_000_000: {
        FLOOR: 20.0,
        "aligned_wheel/256": 40.0,
        "hierarchical_wheel/256": 100.0,
        "binary_heap/4": 200.0,
        "hashed_wheel/512": 160.0,
    },
}


def core_results(instructions=True):
    """As bench/run --core leaves it, with costs that are easy to divide."""
    document = {"context": context(), "benchmarks": [], "latency": [], "memory": [], "work": [], "skipped": []}
    document["context"]["timerbench"]["profile"] = "core"
    counted = []
    for workload, parameters in CORE_STREAMS:
        for population in (100,) if workload == "sparse" else tuple(CORE_COSTS):
            costs = CORE_COSTS[max(population, 1000)]
            for scheduler, mean in costs.items():
                role = "floor" if scheduler == FLOOR else "scheduler"
                who = subject(scheduler, workload, population, role=role, parameters=parameters)
                document["benchmarks"] += timed_row(who, mean, spread=0.005)
                if population <= 1000:
                    counted.append(
                        {**who, "operations": 1000, "instructions": 60_000, "instructions_per_operation": 60.0}
                    )
            if "scan_list" not in costs:
                who = subject("scan_list", workload, population, parameters=parameters)
                document["skipped"].append({**who, "reason": "one replay takes more than 2500 ms"})
            twin = subject("hierarchical_wheel/256", workload, population, role="repeat", parameters=parameters)
            document["benchmarks"] += timed_row(twin, costs["hierarchical_wheel/256"], spread=0.005)
    for scheduler, role in (("aligned_wheel/256", "scheduler"), (FLOOR, "floor")):
        who = subject(scheduler, "rpc_timeouts", 1000, level="id", role=role)
        document["benchmarks"] += timed_row(who, 30.0 if role == "scheduler" else 15.0)
    if instructions:
        document["instructions"] = counted
    return document


def only(document, **wanted):
    """The document with only the rows that have all the wanted values, as a filter of bench/run leaves it."""

    def fits(row):
        return all(
            row[key] in (value if isinstance(value, tuple) else (value,)) for key, value in wanted.items()
        )

    return {
        key: value if key == "context" else [row for row in value if fits(row)]
        for key, value in document.items()
    }
