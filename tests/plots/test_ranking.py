"""Who is compared, who wins, and when nobody does."""

import unittest

import paths  # noqa: F401
import fixtures
import load
import ranking
import style


def field_of(document):
    return ranking.Field(load.parse(document))


def small(times_by_scheduler, role=None):
    """A document with one workload and population, and exactly these times."""
    document = {
        "context": fixtures.context(),
        "benchmarks": [],
        "latency": [],
        "memory": [],
        "work": [],
        "skipped": [],
    }
    for scheduler, times in times_by_scheduler.items():
        who = fixtures.subject(scheduler, "ties", 1000, role=(role or {}).get(scheduler, "scheduler"))
        for time in times:
            row = next(row for row in fixtures.timed_row(who, 1.0) if row["run_type"] == "iteration")
            document["benchmarks"].append({**row, "real_time": time})
    return document


class Contests(unittest.TestCase):
    def contest(self, times, role=None):
        return field_of(small(times, role)).contest("handle", "ties")

    def test_disjoint_quartile_ranges_have_a_winner(self):
        contest = self.contest({"scan_list": [20, 21, 22], "binary_heap/4": [10, 11, 12]})
        self.assertTrue(contest.clear)
        self.assertEqual(contest.best.subject.scheduler, "binary_heap/4")
        self.assertAlmostEqual(contest.ratio(contest.runner_up), 21 / 11)

    def test_overlapping_quartile_ranges_have_none(self):
        contest = self.contest(
            {"scan_list": [10, 12, 14], "binary_heap/4": [9, 11, 13], "hashed_wheel/512": [90, 91, 92]}
        )
        self.assertFalse(contest.clear)
        self.assertEqual([t.subject.scheduler for t in contest.leaders], ["binary_heap/4", "scan_list"])

    def test_less_than_three_percent_is_no_win(self):
        self.assertFalse(self.contest({"scan_list": [10.2] * 9, "binary_heap/4": [10.0] * 9}).clear)
        self.assertTrue(self.contest({"scan_list": [10.4] * 9, "binary_heap/4": [10.0] * 9}).clear)

    def test_two_repetitions_are_too_few_for_a_winner(self):
        self.assertFalse(self.contest({"scan_list": [20, 20], "binary_heap/4": [10, 10]}).clear)

    def test_one_alone_wins_nothing(self):
        contest = self.contest({"scan_list": [20, 20, 20]})
        self.assertFalse(contest.clear)
        self.assertIsNone(contest.runner_up)

    def test_floor_and_repeat_are_not_ranked(self):
        contest = self.contest(
            {
                "null_floor": [1, 1, 1],
                "scan_list": [20, 20, 20],
                "binary_heap/4": [10, 10, 10],
                "hashed_wheel/512": [2, 2, 2],
            },
            {"null_floor": "floor", "hashed_wheel/512": "repeat"},
        )
        self.assertEqual([t.subject.scheduler for t in contest.ranked], ["binary_heap/4", "scan_list"])
        self.assertEqual(contest.floor.subject.scheduler, "null_floor")

    def test_failed_rows_are_not_ranked(self):
        field = field_of(fixtures.results())
        scheduler, workload, population, level = fixtures.FAILED
        contest = field.contest(level, workload)
        self.assertEqual(contest.population, population)
        self.assertNotIn(scheduler, [t.subject.scheduler for t in contest.ranked])
        self.assertEqual([t.subject.scheduler for t in contest.failed], [scheduler])
        self.assertEqual(contest.missing, ["scan_list"])

    def test_variants_are_not_ranked_but_a_better_one_is_named(self):
        field = field_of(small({"binary_heap/4": [10] * 3, "binary_heap/8": [5] * 3, "scan_list": [20] * 3}))
        contest = field.contest("handle", "ties")
        self.assertEqual(contest.best.subject.scheduler, "binary_heap/4")
        rival, ratio = field.variant_beats(contest)
        self.assertEqual((rival.subject.scheduler, ratio), ("binary_heap/8", 0.5))


class Margins(unittest.TestCase):
    """A run that measures one scheduler twice knows how far it can be trusted."""

    TIMES = {"scan_list": [11] * 9, "binary_heap/4": [10] * 9, "hashed_wheel/512": [20] * 9}

    def document(self, second):
        document = small(self.TIMES)
        twin = fixtures.subject("hashed_wheel/512", "ties", 1000, role="repeat")
        rows = [r for r in fixtures.timed_row(twin, 1.0) if r["run_type"] == "iteration"]
        document["benchmarks"] += [{**row, "real_time": second} for row in rows]
        return document

    def test_a_lead_within_what_the_pair_differs_by_is_a_tie(self):
        for second, clear, margin in (
            (20.2, True, 0.03),
            (21.8, True, 0.09),
            (22.2, False, 0.11),
            (17.0, False, 0.15),
        ):
            contest = field_of(self.document(second)).contest("handle", "ties")
            self.assertAlmostEqual(contest.margin, margin)
            self.assertEqual(contest.clear, clear, second)
        self.assertTrue(field_of(small(self.TIMES)).contest("handle", "ties").clear)

    def test_without_a_pair_the_median_of_the_run_stands_in(self):
        document = self.document(24)
        for row in list(document["benchmarks"]):
            if row["role"] == "scheduler":
                document["benchmarks"].append({**row, "level": "id"})
                document["benchmarks"].append({**row, "population": 100})
        field = field_of(document)
        for level, population in (("id", 1000), ("handle", 100)):
            contest = field.contest(level, "ties", population)
            self.assertAlmostEqual(contest.margin, 0.2)
            self.assertFalse(contest.clear)

    def test_the_median_is_that_of_all_pairs(self):
        document = self.document(24)
        for population, second in ((100, 20), (10, 21)):
            for row in self.document(second)["benchmarks"]:
                if row["family"] == "hashed_wheel":
                    document["benchmarks"].append({**row, "population": population})
        noise = field_of(document).noise
        self.assertEqual([round(d, 6) for d in sorted(noise.differences)], [0, 0.05, 0.2])
        self.assertEqual((round(noise.median, 6), noise.apart), (0.05, 2))
        self.assertAlmostEqual(noise.margin("handle", "ties", 1000), 0.2)
        self.assertAlmostEqual(noise.margin("handle", "ties", 10), 0.05)
        self.assertAlmostEqual(noise.margin("handle", "ties", 100), 0.03)
        self.assertAlmostEqual(noise.margin("handle", "sparse", 1000), 0.05)

    def test_a_failed_twin_says_nothing(self):
        document = self.document(24)
        document["benchmarks"] = [row for row in document["benchmarks"] if row["role"] != "repeat"]
        document["benchmarks"] += fixtures.failed_row(
            fixtures.subject("hashed_wheel/512", "ties", 1000, role="repeat")
        )
        self.assertEqual(field_of(document).noise.pairs, [])

    def test_another_parameter_must_lead_by_as_much(self):
        document = self.document(24)
        document["benchmarks"] += small({"binary_heap/8": [9] * 9})["benchmarks"]
        field = field_of(document)
        self.assertIsNone(field.variant_beats(field.contest("handle", "ties")))


class Choices(unittest.TestCase):
    def test_the_population_is_the_largest_that_most_have(self):
        field = field_of(fixtures.results())
        self.assertEqual(field.contest("handle", "rpc_timeouts").population, 1_000_000)
        document = fixtures.results()
        document["benchmarks"] = [
            row
            for row in document["benchmarks"]
            if row["population"] < 100_000 or row["family"] in ("binary_heap", "null_floor")
        ]
        self.assertEqual(field_of(document).contest("handle", "rpc_timeouts").population, 10_000)

    def test_a_tail_needs_advances(self):
        who = [fixtures.subject("scan_list", "ties", population) for population in (100, 1000, 10_000)]
        entries = [
            load.Entry(load.Subject(**{**row, "parameters": ()}), {"advances": advances})
            for row, advances in zip(who, (5000, 2000, 20))
        ]
        self.assertEqual(ranking.tail_population(entries), 1000)
        self.assertEqual(ranking.tail_population(entries[2:]), 10_000)

    def test_the_default_variant(self):
        field = field_of(fixtures.results())
        self.assertEqual(set(field.defaults), set(fixtures.DEFAULTS))
        only = field_of(fixtures.only(fixtures.results(), scheduler=("hashed_wheel/64", "null_floor")))
        self.assertEqual(only.defaults, ["hashed_wheel/64"])

    def test_a_repeat_finds_its_twin_with_and_without_a_mark_behind_its_name(self):
        for mark in ("", "/again"):
            document = fixtures.results()
            for row in document["benchmarks"]:
                if row["role"] == "repeat":
                    row["scheduler"] += mark
            pairs = ranking.repeats(load.parse(document))
            self.assertEqual(
                [(a.subject.scheduler, b.subject.level) for a, b in pairs],
                [("hierarchical_wheel/256", "handle"), ("hierarchical_wheel/256", "id")],
            )

    def test_looks_of_unknown_families_follow_from_their_names_alone(self):
        alone = style.Looks({"skip_list": ["skip_list"]})
        among = style.Looks({name: [name] for name in ("aaa", "binary_heap", "skip_list", "zzz")})
        self.assertEqual(alone.of("skip_list"), among.of("skip_list"))

    def test_no_two_families_look_alike(self):
        names = [f"family_{index}" for index in range(50)] + ["binary_heap", "scan_list"]
        looks = style.Looks({name: [name] for name in names})
        self.assertEqual(len({(looks.of(n).colour, looks.of(n).marker) for n in names}), len(names))

    def test_variants_share_colour_and_marker_and_differ_in_their_lines(self):
        looks = field_of(fixtures.results()).looks
        heaps = [looks.of(f"binary_heap/{arity}") for arity in (2, 4, 8)]
        self.assertEqual(len({(look.colour, look.marker) for look in heaps}), 1)
        self.assertEqual(len({look.line for look in heaps}), 3)
        self.assertEqual(looks.of("binary_heap/4").line, "-")


if __name__ == "__main__":
    unittest.main()
