"""What the figures show is what the data say, and in the form that the project promises."""

import copy
import functools
import unittest

import paths  # noqa: F401
import fixtures
import figures
import load
import style
from figures import latency, panels
from matplotlib.colors import to_hex
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.markers import CARETDOWN, CARETUP
from matplotlib.patches import Rectangle
from ranking import Field


def build(document):
    style.use()
    field = Field(load.parse(document))
    return field, figures.build(field)


@functools.lru_cache
def full_report(interrupted):
    """Drawn once for all tests: nothing of it is changed by them."""
    document = fixtures.results(interrupted)
    return document, *build(document)


def visible(figure):
    return [axes for axes in figure.axes if axes.get_visible()]


def series(axes):
    """{label: container or line} of what was drawn as data."""
    # The error bars of bars are a container too, without a name of its own.
    drawn = {
        c.get_label(): c for c in axes.containers if isinstance(c, ErrorbarContainer) and c[0] is not None
    }
    drawn.update({c.get_label(): c for c in axes.containers if isinstance(c, BarContainer)})
    drawn.update({line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")})
    return drawn


def values(axes, stem):
    """All that was drawn as a measured value."""
    if stem.startswith("winners"):
        return []
    found = []
    for drawn in series(axes).values():
        if isinstance(drawn, BarContainer):
            found += [
                patch.get_width() if stem == "memory" else patch.get_height() for patch in drawn.patches
            ]
        else:
            line = drawn[0] if isinstance(drawn, ErrorbarContainer) else drawn
            found += list(line.get_xdata() if stem in ("traces", "memory") else line.get_ydata())
    return found


def colour(drawn):
    if isinstance(drawn, BarContainer):
        return to_hex(drawn.patches[0].get_facecolor())
    return to_hex((drawn[0] if isinstance(drawn, ErrorbarContainer) else drawn).get_color())


def bars(container, along):
    """[(lower, upper)] of an error bar container; `along` is 1 for vertical bars, 0 for horizontal ones."""
    collection = container[2][0]
    return [tuple(sorted((segment[0][along], segment[1][along]))) for segment in collection.get_segments()]


def texts(figure):
    return [text.get_text() for axes in visible(figure) for text in axes.texts] + [
        t.get_text() for t in figure.texts
    ]


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document, cls.field, cls.figures = full_report(False)

    def timing(self, **wanted):
        found = [
            t
            for t in self.field.timings(**{k: v for k, v in wanted.items() if k != "label"})
            if "label" not in wanted or t.subject.workload_label == wanted["label"]
        ]
        self.assertEqual(len(found), 1, wanted)
        return found[0]

    def panel(self, stem, title):
        return next(axes for axes in visible(self.figures[stem]) if axes.get_title(loc="left") == title)


class Promises(Case):
    """Rules that hold for every figure."""

    def test_all_figures_are_there(self):
        self.assertEqual(
            list(self.figures),
            [
                "winners_handle",
                "winners_id",
                "cost_handle",
                "cost_id",
                "parameters_hashed_wheel",
                "parameters_binary_heap",
                "traces",
                "operations",
                "latency_handle",
                "memory",
                "cancel_share",
                "horizon",
                "empty_ticks",
            ],
        )
        # report.py knows its own files by these.
        self.assertTrue(all(stem.startswith(figures.STEMS) for stem in self.figures))

    def test_at_most_six_series_in_a_panel(self):
        for stem, figure in self.figures.items():
            for axes in visible(figure):
                if stem.startswith("winners"):
                    continue
                self.assertLessEqual(len(series(axes)), panels.MAX_SERIES, stem)
                self.assertGreaterEqual(len(series(axes)), 1, stem)

    def test_every_axis_says_what_it_measures_and_in_which_unit(self):
        units = ("ns per operation", "ns per advance", "bytes per job")
        for stem, figure in self.figures.items():
            for axes in visible(figure):
                labels = (axes.get_xlabel(), axes.get_ylabel())
                self.assertTrue(all(labels), stem)
                self.assertTrue(any(unit in label for unit in units for label in labels), (stem, labels))
        for stem, unit in (
            ("cost_handle", "pending jobs"),
            ("cancel_share", "%"),
            ("horizon", "ticks"),
            ("empty_ticks", "ticks"),
            ("latency_handle", "percentile (100,000 advances)"),
        ):
            for axes in visible(self.figures[stem]):
                self.assertIn(unit, axes.get_xlabel())

    def test_axes_of_widely_spread_values_are_logarithmic(self):
        for stem, figure in self.figures.items():
            for axes in visible(figure):
                scale = axes.get_xscale() if stem in ("traces", "memory") else axes.get_yscale()
                if panels.is_wide(values(axes, stem)):
                    self.assertEqual(scale, "log", stem)
        for stem in ("traces", "operations", "horizon"):
            self.assertTrue(panels.is_wide(values(visible(self.figures[stem])[0], stem)), stem)

    def test_axes_of_close_values_start_at_zero(self):
        _, drawn = build(
            fixtures.only(
                self.document,
                family=("binary_heap", "hierarchical_wheel"),
                kind=("sweep", "trace"),
                workload=("horizon", "web_requests"),
            )
        )
        for axes in visible(drawn["horizon"]):
            self.assertEqual((axes.get_yscale(), axes.get_ylim()[0]), ("linear", 0))
        for axes in visible(drawn["traces"]):
            self.assertEqual((axes.get_xscale(), axes.get_xlim()[0]), ("linear", 0))

    def test_a_scheduler_has_one_colour_in_all_figures(self):
        seen = {}
        for stem, figure in self.figures.items():
            if stem == "memory" or stem.startswith("winners"):
                continue
            for axes in visible(figure):
                for label, drawn in series(axes).items():
                    seen.setdefault(label.partition("/")[0], set()).add(colour(drawn))
        self.assertEqual(set(seen), {name.partition("/")[0] for name in fixtures.SCHEDULERS} | {"null_floor"})
        for family, colours in seen.items():
            self.assertEqual(len(colours), 1, family)
        self.assertEqual(len(set.union(*seen.values())), len(seen))
        self.assertEqual(seen["hierarchical_wheel"], {"#0072b2"})

    def test_bars_of_memory_have_the_same_colours(self):
        axes = visible(self.figures["memory"])[0]
        names = [label.get_text().split(" ")[0] for label in axes.get_yticklabels()]
        for name, patch in zip(names, series(axes)["bytes_per_job"].patches):
            self.assertEqual(to_hex(patch.get_facecolor()), self.field.looks.of(name).colour.lower())

    def test_the_floor_is_dashed_grey(self):
        look = self.field.looks.of("null_floor")
        self.assertEqual((look.colour, look.line), ("#767676", "--"))

    def test_a_smoke_run_says_that_it_is_rough(self):
        document = copy.deepcopy(fixtures.only(self.document, workload="ties", level="handle"))
        document["context"]["timerbench"]["profile"] = "smoke"
        _, drawn = build(document)
        for stem, figure in drawn.items():
            self.assertIn("rough: a smoke run", "\n".join(texts(figure)), stem)
        self.assertFalse(any("rough:" in "\n".join(texts(figure)) for figure in self.figures.values()))

    def test_the_footer_says_where_the_numbers_come_from(self):
        for figure in self.figures.values():
            everything = "\n".join(texts(figure))
            for part in ("Example CPU", "GNU 12.2.0", "0123456789ab", "2026-03-04", "quick"):
                self.assertIn(part, everything)

    def test_a_partial_run_is_marked_in_every_figure(self):
        _, _, drawn = full_report(True)
        for stem, figure in drawn.items():
            self.assertIn("PARTIAL RUN", texts(figure), stem)
        self.assertNotIn("PARTIAL RUN", [text for figure in self.figures.values() for text in texts(figure)])

    def test_text_stays_on_the_sheet_and_apart(self):
        _, _, partial = full_report(True)
        for stem, figure in partial.items():
            figure.canvas.draw()
            width, height = figure.canvas.get_width_height()
            boxes = [text.get_window_extent() for text in figure.texts]
            boxes += [axes.xaxis.label.get_window_extent() for axes in visible(figure)]
            boxes += [legend.get_window_extent() for legend in figure.legends]
            boxes += [axes.title.get_window_extent() for axes in visible(figure) if axes.get_title()]
            for box in boxes:
                self.assertTrue(
                    box.x0 >= 0 and box.y0 >= 0 and box.x1 <= width and box.y1 <= height, (stem, box)
                )
            for index, box in enumerate(boxes):
                for other in boxes[index + 1 :]:
                    self.assertFalse(box.overlaps(other), (stem, box, other))

    def test_tick_labels_do_not_touch(self):
        for stem, figure in self.figures.items():
            figure.canvas.draw()
            for axes in visible(figure):
                low, high = sorted(axes.get_xlim())
                boxes = [
                    label.get_window_extent()
                    for place, label in zip(axes.get_xticks(), axes.get_xticklabels())
                    if label.get_text() and low <= place <= high
                ]
                boxes.sort(key=lambda box: box.x0)
                for left, right in zip(boxes, boxes[1:]):
                    self.assertLess(left.x1, right.x0, stem)


class Values(Case):
    """Points and bars are the medians and quartiles of the file."""

    def test_cost_by_population(self):
        for level in ("handle", "id"):
            for workload in fixtures.SYNTHETIC:
                axes = self.panel(f"cost_{level}", workload)
                self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
                drawn = series(axes)
                self.assertEqual(set(drawn), {*fixtures.DEFAULTS, "null_floor"})
                for name, container in drawn.items():
                    for x, y, (low, high) in zip(*container[0].get_data(), bars(container, 1)):
                        timing = self.timing(
                            level=level, workload=workload, scheduler=name, population=int(x)
                        )
                        self.assertAlmostEqual(y, timing.median)
                        self.assertAlmostEqual(low, timing.q1)
                        self.assertAlmostEqual(high, timing.q3)
                        self.assertLess(low, high)
                expected = 4 if (workload, level) == (fixtures.FAILED[1], fixtures.FAILED[3]) else 5
                self.assertEqual(len(drawn["hashed_wheel/512"][0].get_xdata()), expected)
                self.assertEqual(len(drawn["scan_list"][0].get_xdata()), 4)

    def test_an_outlying_quartile_does_not_set_the_axis_and_is_marked(self):
        document = copy.deepcopy(fixtures.only(self.document, workload="ties", level="handle"))
        for row in document["benchmarks"]:
            if (row["scheduler"], row["population"], row["run_type"]) == ("binary_heap/4", 1000, "iteration"):
                index = row["repetition_index"]
                row["real_time"] *= 1e6 if index > 5 else 1e-6 if index < 3 else 1
        _, drawn = build(document)
        before, after = self.panel("cost_handle", "ties"), visible(drawn["cost_handle"])[0]
        self.assertEqual(
            [panels.words.significant(limit, 2) for limit in before.get_ylim()],
            [panels.words.significant(limit, 2) for limit in after.get_ylim()],
        )
        low, high = after.get_ylim()
        marks = [
            (*line.get_xydata()[0], line.get_marker())
            for line in after.lines
            if line.get_label() == "_beyond"
        ]
        self.assertEqual(marks, [(1000, low, CARETDOWN), (1000, high, CARETUP)])
        self.assertFalse([line for line in before.lines if line.get_label() == "_beyond"])

    def test_caches_are_marked_where_the_pending_jobs_fill_them(self):
        marks = figures.cost_by_population.cache_marks(self.field, "handle")
        self.assertEqual([mark[0] for mark in marks], ["L1d", "L2", "L3"])
        least, most = 32 + 0.03, 64 + 0.03  # bytes per job of scan_list and of binary_heap
        self.assertAlmostEqual(marks[0][2], 32768 / most)
        self.assertAlmostEqual(marks[0][3], 32768 / least)
        figure = self.figures["cost_handle"]
        for axes in visible(figure):
            self.assertEqual(
                [t.get_text() for t in axes.texts if not t.get_text().startswith("FAILED")],
                ["L1d", "L2", "L3"],
            )
        self.assertIn("32 to 64 bytes each", " ".join("\n".join(texts(figure)).split()))

    def test_without_the_memory_pass_caches_are_not_guessed(self):
        _, drawn = build({**fixtures.only(self.document, workload="ties"), "memory": []})
        self.assertIn("not marked", "\n".join(texts(drawn["cost_handle"])))

    def test_failed_rows_are_shown_where_they_would_stand(self):
        axes = self.panel("cost_handle", "reminders")
        self.assertIn("FAILED at N = 1M:\nhashed_wheel/512", [t.get_text() for t in axes.texts])
        self.assertFalse(any("FAILED" in t.get_text() for t in self.panel("cost_handle", "ties").texts))

    def test_variants_have_a_figure_of_their_own(self):
        axes = self.panel("parameters_binary_heap", "ties")
        drawn = series(axes)
        self.assertEqual(set(drawn), {"binary_heap/2", "binary_heap/4", "binary_heap/8", "null_floor"})
        self.assertAlmostEqual(
            drawn["binary_heap/8"][0].get_ydata()[-1],
            self.timing(
                level="handle", workload="ties", scheduler="binary_heap/8", population=1_000_000
            ).median,
        )
        self.assertEqual(
            len({drawn[f"binary_heap/{arity}"][0].get_linestyle() for arity in (2, 4, 8)} | {"-"}), 2
        )

    def test_variants_at_one_population_are_shown_against_their_parameter(self):
        document = fixtures.only(self.document, workload="ties")
        document["benchmarks"] = [
            row
            for row in document["benchmarks"]
            if row["scheduler"] not in fixtures.VARIANTS or row["population"] == 10_000
        ]
        field, drawn = build(document)
        axes = next(
            a for a in visible(drawn["parameters_binary_heap"]) if a.get_title(loc="left") == "ties, N = 10k"
        )
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], ["2", "4", "8"])
        self.assertIn("arity", axes.get_xlabel())
        self.assertEqual(set(series(axes)), {"binary_heap"})
        container = series(axes)["binary_heap"]
        for arity, y, (low, high) in zip((2, 4, 8), container[0].get_ydata(), bars(container, 1)):
            (timing,) = field.timings(
                level="handle", workload="ties", scheduler=f"binary_heap/{arity}", population=10_000
            )
            self.assertAlmostEqual(y, timing.median)
            self.assertAlmostEqual(low, timing.q1)
            self.assertAlmostEqual(high, timing.q3)

    def test_traces(self):
        for axes, level in zip(visible(self.figures["traces"]), ("handle", "id")):
            for name, container in series(axes).items():
                for trace, x, (low, high) in zip(
                    fixtures.TRACES, container[0].get_xdata(), bars(container, 0)
                ):
                    timing = self.timing(level=level, workload=trace, scheduler=name)
                    self.assertAlmostEqual(x, timing.median)
                    self.assertAlmostEqual(low, timing.q1)
                    self.assertAlmostEqual(high, timing.q3)

    def test_sweeps(self):
        for workload, (parameter, values) in fixtures.SWEEPS.items():
            for axes in visible(self.figures[workload]):
                level = axes.get_title(loc="left").split(" ")[0]
                population = {"1k": 1000, "100k": 100_000}[axes.get_title(loc="left").split("= ")[1]]
                for name, container in series(axes).items():
                    self.assertEqual(list(container[0].get_xdata()), list(values))
                    for x, y, (low, high) in zip(*container[0].get_data(), bars(container, 1)):
                        timing = self.timing(
                            level=level,
                            workload=workload,
                            scheduler=name,
                            population=population,
                            parameters=((parameter, x),),
                        )
                        self.assertAlmostEqual(y, timing.median)
                        self.assertAlmostEqual(low, timing.q1)
                        self.assertAlmostEqual(high, timing.q3)

    def test_operations(self):
        for axes, level in zip(visible(self.figures["operations"]), ("handle", "id")):
            ticks = [label.get_text() for label in axes.get_xticklabels()]
            self.assertEqual(
                [tick.split("\n")[0] for tick in ticks],
                ["schedule", "reschedule", "cancel", "advance", "next_expiry", "first calls"],
            )
            order = (
                "only_schedule",
                "only_reschedule",
                "only_cancel",
                "only_advance",
                "only_next",
                "cold_start",
            )
            drawn = {c.get_label(): c for c in axes.containers if isinstance(c, BarContainer)}
            self.assertEqual(set(drawn), {*fixtures.DEFAULTS, "null_floor"})
            for name, container in drawn.items():
                for operation, patch, (low, high) in zip(
                    order, container.patches, bars(container.errorbar, 1)
                ):
                    timing = self.timing(level=level, workload=operation, scheduler=name)
                    self.assertAlmostEqual(patch.get_height(), timing.median)
                    self.assertAlmostEqual(low, timing.q1)
                    self.assertAlmostEqual(high, timing.q3)
        handle, by_id = visible(self.figures["operations"])
        self.assertEqual(handle.get_ylim(), by_id.get_ylim())

    def test_operations_that_were_not_measured_or_failed_leave_no_silent_gap(self):
        document = copy.deepcopy(fixtures.only(self.document, kind="operation", level="handle"))
        failed = fixtures.subject("binary_heap/4", "only_cancel", 100_000, kind="operation")
        document["benchmarks"] = [
            row
            for row in document["benchmarks"]
            if (row["scheduler"], row["workload"])
            not in {("binary_heap/4", "only_cancel"), ("hashed_wheel/512", "only_next")}
        ] + fixtures.failed_row(failed)
        _, drawn = build(document)
        axes = visible(drawn["operations"])[0]
        at = {text.get_text(): text.get_position()[0] for text in axes.texts}
        self.assertEqual(round(at["FAILED"]), 2)
        self.assertEqual(round(at["not measured"]), 4)

    def test_the_legend_names_the_floor_only_where_it_is_drawn(self):
        document = fixtures.only(self.document, workload="ties")
        document["latency"] = [row for row in document["latency"] if row["role"] != "floor"]
        _, drawn = build(document)
        for figures_, expected in ((drawn, False), (self.figures, True)):
            legend = [text.get_text() for text in figures_["latency_handle"].legends[0].get_texts()]
            self.assertEqual(any("floor" in text for text in legend), expected)

    def test_ticks_stand_at_the_populations(self):
        axes = self.panel("cost_handle", "ties")
        self.assertEqual(list(axes.get_xticks()), list(fixtures.POPULATIONS))

    def test_latency_runs_over_the_nines_to_the_worst_advance(self):
        self.assertLessEqual(len(visible(self.figures["latency_handle"])), latency.MAX_PANELS)
        axes = self.panel("latency_handle", "rpc_timeouts, N = 100k")
        self.assertEqual(axes.get_yscale(), "log")
        entry = next(
            e
            for e in self.field.results.latency
            if e.subject.workload == "rpc_timeouts" and e.subject.scheduler == "hierarchical_wheel/256"
        )
        line = series(axes)["hierarchical_wheel/256"]
        self.assertEqual(list(line.get_ydata()), [ns for _, ns in entry.values["percentiles"]])
        self.assertAlmostEqual(latency.nines(99.9, 100_000), 3)
        self.assertAlmostEqual(latency.nines(100, 50), 2)
        self.assertEqual(
            [label.get_text() for label in axes.get_xticklabels()][:4], ["0", "90", "99", "99.9"]
        )

    def test_without_enough_advances_there_is_no_panel_but_a_note(self):
        document = copy.deepcopy(fixtures.only(self.document, workload=("ties", "sparse"), level="handle"))
        for row in document["latency"]:
            if row["workload"] == "ties":
                row["advances"] = 999
        _, drawn = build(document)
        figure = drawn["latency_handle"]
        self.assertEqual([axes.get_title(loc="left") for axes in visible(figure)], ["sparse, N = 100k"])
        self.assertIn("there is no panel of ties", " ".join("\n".join(texts(figure)).split()))
        document["latency"] = [row for row in document["latency"] if row["workload"] == "ties"]
        self.assertNotIn("latency_handle", build(document)[1])

    def test_memory(self):
        for axes, level in zip(visible(self.figures["memory"]), ("handle", "id")):
            names = [label.get_text().split(" ")[0] for label in axes.get_yticklabels()]
            self.assertEqual(set(names), {*fixtures.SCHEDULERS, "null_floor"})
            for key in ("bytes_per_job", "residue_bytes_per_job"):
                for name, patch in zip(names, series(axes)[key].patches):
                    entry = next(
                        e
                        for e in self.field.results.memory
                        if e.subject.scheduler == name
                        and e.subject.level == level
                        and e.subject.population == 100_000
                    )
                    self.assertAlmostEqual(patch.get_width(), entry.values[key])


class WinnerMap(Case):
    def fields(self, stem):
        """{(workload, column): (text, patch)}"""
        axes = visible(self.figures[stem])[0]
        rows = [label.get_text().split("\n")[0] for label in axes.get_yticklabels()]
        columns = [label.get_text().replace("\n", "") for label in axes.get_xticklabels()]
        patches = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
        self.assertEqual(len(patches), len(rows) * len(columns))
        fields = [(row, column) for row in rows for column in columns]
        return {where: (text.get_text(), patch) for where, text, patch in zip(fields, axes.texts, patches)}

    def test_columns_are_the_default_schedulers_and_nothing_else(self):
        fields = self.fields("winners_handle")
        self.assertEqual({column for _, column in fields}, set(fixtures.DEFAULTS))
        self.assertEqual({row for row, _ in fields}, {*fixtures.SYNTHETIC, *fixtures.TRACES})

    def test_texts_are_ratios_to_the_best(self):
        fields = self.fields("winners_handle")
        best = self.timing(
            level="handle", workload="sparse", scheduler="hierarchical_wheel/256", population=1_000_000
        )
        heap = self.timing(level="handle", workload="sparse", scheduler="binary_heap/4", population=1_000_000)
        self.assertTrue(fields["sparse", "hierarchical_wheel/256"][0].startswith("1.00x"))
        self.assertTrue(fields["sparse", "binary_heap/4"][0].startswith(f"{heap.median / best.median:.2f}x"))

    def test_what_cannot_be_ranked_is_seen(self):
        fields = self.fields("winners_handle")
        self.assertEqual(fields["reminders", "hashed_wheel/512"][0], "FAILED")
        self.assertEqual(
            to_hex(fields["reminders", "hashed_wheel/512"][1].get_facecolor()), style.FAILED_COLOUR.lower()
        )
        self.assertEqual(fields["ties", "scan_list"][0], "not measured")

    def test_the_legend_says_what_hatching_means(self):
        legend = [text.get_text() for text in self.figures["winners_handle"].legends[0].get_texts()]
        self.assertIn("hatched: cannot be told from the best in this run", legend)

    def test_no_clear_winner_is_hatched(self):
        fields = self.fields("winners_handle")
        hatched = {
            column
            for (row, column), (_, patch) in fields.items()
            if row == fixtures.TIED and patch.get_hatch()
        }
        self.assertEqual(hatched, {"hierarchical_wheel/256", "hierarchical_wheel_stepping/256"})
        self.assertFalse(any(patch.get_hatch() for (row, _), (_, patch) in fields.items() if row == "sparse"))


class Filtered(unittest.TestCase):
    """Runs with filters leave little; nothing of it may break the drawing."""

    @classmethod
    def setUpClass(cls):
        few = ("rpc_timeouts", "ties", "flights", "only_cancel", "horizon")
        cls.document = fixtures.only(fixtures.results(), workload=few)

    def test_one_scheduler(self):
        _, drawn = build(fixtures.only(self.document, scheduler="binary_heap/4"))
        self.assertIn("winners_handle", drawn)
        self.assertIn("nothing to compare", "\n".join(texts(drawn["cost_handle"])))

    def test_the_floor_alone(self):
        _, drawn = build(fixtures.only(self.document, scheduler="null_floor"))
        self.assertIn("cost_handle", drawn)

    def test_one_population(self):
        _, drawn = build(fixtures.only(self.document, population=1000))
        for axes in visible(drawn["cost_handle"]):
            self.assertEqual({len(c[0].get_xdata()) for c in axes.containers}, {1})

    def test_one_row(self):
        _, drawn = build(
            fixtures.only(self.document, population=1000, scheduler="scan_list", workload="ties", level="id")
        )
        self.assertEqual(list(drawn), ["winners_id", "cost_id"])

    def test_each_kind_alone(self):
        for kind, stem in (
            ("trace", "traces"),
            ("operation", "operations"),
            ("sweep", "horizon"),
            ("synthetic", "cost_id"),
        ):
            _, drawn = build(fixtures.only(self.document, kind=kind))
            self.assertIn(stem, drawn)

    def test_empty_passes(self):
        for name in ("latency", "memory", "work", "skipped"):
            _, drawn = build({**self.document, name: []})
            self.assertIn("cost_handle", drawn)
            self.assertEqual("memory" in drawn, name != "memory")
            self.assertEqual("latency_handle" in drawn, name != "latency")

    def test_every_row_failed(self):
        document = fixtures.only(self.document, workload="ties", level="handle")
        document["benchmarks"] = [
            row
            for scheduler in fixtures.DEFAULTS
            for population in (100, 1000)
            for row in fixtures.failed_row(fixtures.subject(scheduler, "ties", population))
        ]
        _, drawn = build(document)
        self.assertIn("FAILED", texts(drawn["winners_handle"]))

    def test_a_sweep_row_at_its_default_does_not_say_where_it_stands_and_is_left_out(self):
        document = copy.deepcopy(fixtures.only(self.document, workload="horizon"))
        for row in document["benchmarks"]:
            if row["parameters"] == {"horizon": 10_000}:
                row["parameters"] = {}
        _, drawn = build(document)
        for axes in visible(drawn["horizon"]):
            self.assertEqual({len(c[0].get_xdata()) for c in axes.containers}, {3})

    def test_more_schedulers_than_fit_in_a_panel_go_to_a_second_page(self):
        document = fixtures.only(self.document, workload=("ties", "flights", "only_cancel", "horizon"))
        extra = []
        for name in ("skip_list", "calendar_queue", "pairing_heap"):
            for key in ("benchmarks", "latency", "memory"):
                extra += [
                    (key, {**row, "scheduler": name, "family": name})
                    for row in document[key]
                    if row["scheduler"] == "binary_heap/4"
                ]
        for key, row in extra:
            document[key] = document[key] + [row]
        field, drawn = build(document)
        self.assertEqual(len(field.defaults), 8)
        for stem in ("cost_handle", "traces", "operations", "latency_handle", "horizon"):
            first, second = visible(drawn[stem])[0], visible(drawn[f"{stem}_2"])[0]
            self.assertEqual(first.get_ylim(), second.get_ylim())
            shown = [name for axes in (first, second) for name in series(axes) if name != "null_floor"]
            self.assertEqual(sorted(shown), sorted(field.defaults))
            self.assertTrue(all(len(series(axes)) <= panels.MAX_SERIES for axes in (first, second)))

    def test_pages_of_today_s_schedulers(self):
        known = list(style._KNOWN)
        document = fixtures.only(
            fixtures.results(), workload=("ties", "horizon", "empty_ticks"), level="handle"
        )
        rows = []
        for family in known:
            source = (
                family
                if family in {name.split("/")[0] for name in fixtures.DEFAULTS}
                else "hierarchical_wheel"
            )
            for row in document["benchmarks"]:
                if row["family"] == source and row["scheduler"] in fixtures.DEFAULTS:
                    parameter = style._DEFAULT_PARAMETERS.get(family)
                    name = f"{family}/{parameter}" if parameter else family
                    rows.append({**row, "family": family, "scheduler": name})
        field, drawn = build({**document, "benchmarks": rows, "latency": [], "skipped": []})
        expected = {
            "cost_handle": known[:5],
            "cost_handle_2": ["hierarchical_wheel_stepping", "binary_heap", "scan_list"],
            "horizon": known[:5],
            "empty_ticks": known[:1] + ["hierarchical_wheel_stepping"] + known[1:4],
            "empty_ticks_2": ["hashed_wheel", "binary_heap", "scan_list"],
        }
        for stem, families in expected.items():
            shown = {name.partition("/")[0] for name in series(visible(drawn[stem])[0])} - {"null_floor"}
            self.assertEqual(shown, set(families), stem)
            # The subtitle follows the title.
            headline = drawn[stem].texts[1].get_text()
            for family in known:
                name = next(name for name in field.defaults if name.partition("/")[0] == family)
                if family == "scan_list" or family not in families:
                    self.assertNotIn(f"{name} ", headline + " ", stem)
        self.assertEqual(known[4], "hashed_wheel")
        self.assertIn("hierarchical_wheel_stepping/256 rises", drawn["empty_ticks"].texts[1].get_text())


if __name__ == "__main__":
    unittest.main()
