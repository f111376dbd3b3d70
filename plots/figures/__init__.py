"""Every figure of the report: each module has figures(field) -> {file stem: matplotlib Figure}."""

from figures import cost_by_population, latency, memory, operations, parameters, sweeps, traces, winner_map

# In the order in which the summary shows them.
MODULES = (winner_map, cost_by_population, parameters, traces, operations, latency, memory, sweeps)


def build(field):
    """All figures that the data allow."""
    drawn = {}
    for module in MODULES:
        drawn.update(module.figures(field))
    return drawn


# How the files of figures begin, to know them again.
STEMS = (
    "winners_",
    "cost_",
    "parameters_",
    "traces",
    "operations",
    "latency_",
    "memory",
    "cancel_share",
    "horizon",
    "empty_ticks",
)
