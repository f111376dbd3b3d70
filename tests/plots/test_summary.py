"""The summary says everything that the figures show, failures first, and nothing that the data do not."""

import re
import unittest

import paths  # noqa: F401
import fixtures
import load
import summary
import words
from ranking import Field


def summary_of(document, figures=()):
    return summary.text(Field(load.parse(document)), figures)


def section(text, title):
    """The part below a heading, up to the next one of its rank."""
    rank = title.split(" ")[0]
    start = text.index(f"{title}\n")
    end = re.compile(f"^{rank} ", re.MULTILINE).search(text, start + len(title))
    return text[start : end.start() if end else len(text)]


def rows(text):
    """The rows of all tables as lists."""
    return [
        [field.strip() for field in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|") and not line.startswith("| ---")
    ]


class Summary(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document = fixtures.results()
        cls.text = summary_of(cls.document, ["winners_handle", "cost_handle", "cost_id"])

    def test_the_head_names_machine_compiler_revision_profile_and_date(self):
        head = self.text[: self.text.index("## ")]
        for part in (
            "2026-03-04",
            "Example CPU @ 2.80GHz",
            "GNU 12.2.0",
            "-O3 -DNDEBUG",
            "0123456789abcdef",
            "profile quick",
            "seed 1",
            "glibc 2.36",
            "boost 1.74.0",
            "L2 unified 1 MiB",
        ):
            self.assertIn(part, head)
        self.assertNotIn("PARTIAL", self.text)

    def test_an_interrupted_run_says_so_at_the_top(self):
        text = summary_of(fixtures.results(interrupted=True))
        self.assertIn("**PARTIAL", text[:200])

    def test_builds_that_measure_nothing_say_so(self):
        document = {**self.document, "context": fixtures.context()}
        document["context"]["timerbench"]["build_type"] = "Debug"
        self.assertIn("NOT FOR PUBLICATION", summary_of(document))
        self.assertNotIn("NOT FOR PUBLICATION", self.text)

    def test_failed_rows_come_first_and_loud(self):
        headings = re.findall(r"^## .*$", self.text, re.MULTILINE)
        self.assertEqual(headings[0], "## FAILED")
        self.assertIn(
            [
                "hashed_wheel/512",
                "reminders",
                "1,000,000",
                "handle",
                "checksum 0x1234 is not the reference's 0x5678",
            ],
            rows(section(self.text, "## FAILED")),
        )

    def test_failed_rows_are_not_ranked(self):
        row = next(r for r in rows(section(self.text, "### handle level")) if r[0] == "reminders")
        self.assertNotIn("hashed_wheel", row[2] + row[3])
        self.assertIn("FAILED: hashed_wheel/512", row[4])
        cost = {r[0]: r for r in rows(section(self.text, "### reminders, handle level"))}
        self.assertEqual(cost["hashed_wheel/512"][-1], "**FAILED**")

    def test_floor_and_repeat_are_not_ranked(self):
        for row in rows(section(self.text, "## Which scheduler suits which workload")):
            self.assertNotIn("null_floor", " ".join(row))
        repeated = [
            line
            for line in self.text.splitlines()
            if "hierarchical_wheel/256" in line and "rpc_timeouts" in line
        ]
        self.assertTrue(repeated)
        self.assertEqual(
            len(rows(section(self.text, "### rpc_timeouts, handle level"))), 1 + len(fixtures.DEFAULTS) + 1
        )

    def test_winners_are_named_where_there_are_any(self):
        table = {row[0]: row for row in rows(section(self.text, "### handle level"))}
        self.assertIn("**hierarchical_wheel/256**", table["sparse"][4])
        self.assertIn("no clear winner (within the noise)", table[fixtures.TIED][4])
        self.assertIn("hierarchical_wheel_stepping/256", table[fixtures.TIED][4])

    def test_the_run_says_how_far_it_can_be_trusted(self):
        document = fixtures.results()
        for row in document["benchmarks"]:
            if row["role"] == "repeat" and row["level"] == "id":
                row["real_time"] *= 1.5
        text = summary_of(document)
        self.assertIn(
            "## Which scheduler suits which workload\n\nIn this run the same scheduler measured twice differs by more "
            "than 3 % in 1 of 2 cases (median ",
            text,
        )
        self.assertIn(
            "a lead smaller than what its own workload's pair differs by counts as a tie.\n\n", text
        )
        # No group of this contest has a pair of its own: the median of the two pairs stands in.
        margin = Field(load.parse(document)).noise.median
        self.assertGreater(margin, 0.2)
        for row in rows(section(text, "### id level"))[1:]:
            self.assertEqual(row[-1], words.ratio(1 + margin))
        alone = fixtures.only(fixtures.results(), role=("scheduler", "floor"))
        self.assertIn("no scheduler was measured twice", summary_of(alone))

    def test_verdicts_have_a_reason_from_the_counters(self):
        document = fixtures.only(fixtures.results(), population=100_000)
        table = {row[0]: row for row in rows(section(summary_of(document), "### handle level"))}
        # Of 50,000 jobs that left in 65,536 operations 21,000 were moved; a slot is less than a job.
        self.assertTrue(
            table["sparse"][4].endswith(
                ". hierarchical_wheel moves a job 0.42 times on its way; binary_heap compares 6.1 times an operation; "
                "scan_list looks at 100,000 jobs an operation"
            ),
            table["sparse"][4],
        )
        for row in rows(section(summary_of(document), "### id level")):
            self.assertNotIn("an operation", row[4])
        uncounted = summary_of({**document, "work": []})
        self.assertNotIn("an operation;", uncounted)

    def test_other_parameters_stand_in_a_table_of_their_own(self):
        costs = section(self.text, "## Cost of one operation")
        parameters = section(self.text, "## Parameters")
        for variant in fixtures.VARIANTS:
            self.assertNotIn(variant, costs)
            self.assertNotIn(variant, section(self.text, "## How long one advance takes"))
            self.assertIn(variant, parameters)
        heap = rows(section(parameters, "### binary_heap, default binary_heap/4"))
        self.assertEqual(
            heap[0], ["workload", "level", "N", "binary_heap/2", "binary_heap/4", "binary_heap/8"]
        )
        field = Field(load.parse(self.document))
        where = {"level": "id", "workload": "ties", "population": 1000}
        (four,) = field.timings(scheduler="binary_heap/4", **where)
        (eight,) = field.timings(scheduler="binary_heap/8", **where)
        row = next(row for row in heap if row[:3] == ["ties", "id", "1,000"])
        self.assertEqual(row[4], summary.spread(four))
        self.assertEqual(row[5], f"{summary.spread(eight)}, {words.ratio(eight.median / four.median)}")

    def test_long_tables_are_folded(self):
        self.assertEqual(self.text.count("<details>"), 3)
        self.assertEqual(self.text.count("</details>"), 3)
        for title in ("## Parameters", "## How long one advance takes", "## Work"):
            self.assertRegex(section(self.text, title), r"</summary>\n\n[|#](.|\n)*\|\n\n</details>")

    def test_a_smoke_run_says_that_it_is_rough(self):
        document = {**self.document, "context": fixtures.context()}
        document["context"]["timerbench"]["profile"] = "smoke"
        self.assertIn("**ROUGH", summary_of(document)[:200])
        self.assertNotIn("ROUGH", self.text)

    def test_costs_are_median_quartiles_and_ratio_to_the_floor(self):
        field = Field(load.parse(self.document))
        where = {"level": "id", "workload": "ties", "population": 1000}
        (heap,) = field.timings(scheduler="binary_heap/4", **where)
        (floor,) = field.timings(scheduler="null_floor", **where)
        expected = (
            f"{words.significant(heap.median)} ({words.significant(heap.q1)} to {words.significant(heap.q3)}), "
            f"{words.significant(heap.median / floor.median)}x"
        )
        table = {row[0]: row for row in rows(section(self.text, "### ties, id level"))}
        self.assertEqual(table["scheduler"][2], "N = 1,000")
        self.assertEqual(table["binary_heap/4"][2], expected)
        self.assertNotIn("x", table["null_floor (floor)"][2])
        self.assertEqual(table["scan_list"][-1], "-")

    def test_every_pass_has_its_table(self):
        for title, part in (
            ("## Real traces", "web_requests, N = 412"),
            ("## One kind of operation alone", "only_cancel"),
            ("## How long one advance takes", "p99.9"),
            ("## Memory", "after cancelling all"),
            ("## Sweeps of one parameter", "cancel = 0.25"),
            ("## Work", "comparisons"),
            ("## What these numbers do not say", "One thread"),
        ):
            self.assertIn(part, section(self.text, title))
        work = [row for row in rows(section(self.text, "## Work")) if row[2] == "binary_heap/4"]
        self.assertEqual(work[0][7], words.significant(400_000 / 65536))

    def test_noise(self):
        noise = section(self.text, "## Noise")
        twins = [row for row in rows(noise) if row[3] == "equal"]
        self.assertEqual(
            [row[:3] for row in twins],
            [
                ["hierarchical_wheel/256", "rpc_timeouts", "handle"],
                ["hierarchical_wheel/256", "rpc_timeouts", "id"],
            ],
        )
        flagged = [row for row in rows(noise) if row[-2].endswith("%")]
        self.assertTrue(flagged)
        self.assertEqual({(row[0], row[1]) for row in flagged}, {("binary_heap/4", "ties")})

    def test_repeats_that_differ_are_called_out(self):
        document = fixtures.results()
        for row in document["benchmarks"]:
            if row["role"] == "repeat" and row["level"] == "id":
                row["real_time"] *= 1.1
        noise = section(summary_of(document), "## Noise")
        self.assertIn("1 of 2 pairs do", noise)
        self.assertIn("**apart by more than 3 %**", noise)

    def test_rows_that_were_not_measured_give_their_reasons(self):
        skipped = rows(section(self.text, "## Not measured"))
        self.assertIn(
            [
                "scan_list",
                "ties",
                "id",
                "would take 40 s, more than the row's share of the time",
                "1,000,000",
            ],
            skipped,
        )

    def test_figures_are_shown_where_they_belong(self):
        self.assertIn("![cost_id](plots/cost_id.png)", section(self.text, "## Cost of one operation"))
        self.assertIn(
            "![winners_handle](plots/winners_handle.png)",
            section(self.text, "## Which scheduler suits which workload"),
        )
        self.assertNotIn("@", self.text.replace("CPU @ 2.80GHz", ""))
        self.assertNotIn("\n\n\n", self.text)

    def test_tables_are_whole(self):
        for block in re.findall(r"(?:^\|.*\n)+", self.text, re.MULTILINE):
            self.assertEqual(
                len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}), 1, block[:200]
            )

    def test_little_data(self):
        for wanted in (
            {"scheduler": "binary_heap/4"},
            {"scheduler": "null_floor"},
            {"population": 1000},
            {"kind": "sweep"},
            {"kind": "trace", "level": "id"},
        ):
            text = summary_of(fixtures.only(self.document, **wanted))
            self.assertIn("## Noise", text)
            self.assertNotRegex(text, r"\bnan\b")
        empty = summary_of({**self.document, "latency": [], "memory": [], "work": [], "skipped": []})
        self.assertNotIn("## Memory", empty)
        self.assertNotIn("## Not measured", empty)


class Words(unittest.TestCase):
    def test_three_significant_digits(self):
        for value, text in (
            (0, "0"),
            (0.1234, "0.123"),
            (1.0, "1.00"),
            (9.996, "10.0"),
            (12.34, "12.3"),
            (99.95, "100"),
            (123.4, "123"),
            (1234.0, "1,230"),
            (1_234_567, "1,230,000"),
            (-2.5, "-2.50"),
            (0.00456, "0.00456"),
        ):
            self.assertEqual(words.significant(value), text)

    def test_short_counts(self):
        for value, text in (
            (0.5, "0.5"),
            (100, "100"),
            (1000, "1k"),
            (250_000, "250k"),
            (4e6, "4M"),
            (1e12, "1T"),
        ):
            self.assertEqual(words.short_count(value), text)

    def test_lists(self):
        self.assertEqual(
            [words.listed(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])],
            ["", "a", "a and b", "a, b and c"],
        )


if __name__ == "__main__":
    unittest.main()
