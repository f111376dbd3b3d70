"""What is read is what the file says, and a file that breaks the schema is refused with a useful message."""

import copy
import json
import statistics
import tempfile
import unittest
from pathlib import Path

import paths  # noqa: F401
import fixtures
import load


class Medians(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document = fixtures.results()
        cls.results = load.parse(cls.document)

    def test_median_and_quartiles_are_those_of_the_repetitions(self):
        timing = next(t for t in self.results.timings if not t.failed)
        s = timing.subject
        times = [
            row["real_time"]
            for row in self.document["benchmarks"]
            if row["run_type"] == "iteration"
            and row["scheduler"] == s.scheduler
            and row["level"] == s.level
            and row["workload"] == s.workload
            and row["population"] == s.population
            and row["role"] == s.role
            and tuple(sorted(row["parameters"].items())) == s.parameters
        ]
        self.assertEqual(len(times), fixtures.REPETITIONS)
        q1, median, q3 = statistics.quantiles(times, n=4, method="inclusive")
        self.assertAlmostEqual(timing.median, median)
        self.assertAlmostEqual(timing.q1, q1)
        self.assertAlmostEqual(timing.q3, q3)
        self.assertAlmostEqual(timing.variation, statistics.stdev(times) / statistics.mean(times))

    def test_aggregates_are_not_taken_for_repetitions(self):
        self.assertEqual({len(t.times) for t in self.results.timings if not t.failed}, {fixtures.REPETITIONS})

    def test_a_failed_row_has_no_times_even_if_some_repetitions_passed(self):
        document = copy.deepcopy(self.document)
        row = next(
            row for row in document["benchmarks"] if row["run_type"] == "iteration" and "real_time" in row
        )
        row.update(error_occurred=True, error_message="other checksum")
        failed = [t for t in load.parse(document).timings if t.failed]
        self.assertEqual(len(failed), 2)
        self.assertEqual({t.times for t in failed}, {()})

    def test_instructions_are_read_where_they_were_counted(self):
        self.assertEqual(self.results.instructions, [])
        counted = load.parse(fixtures.core_results()).instructions
        self.assertEqual(counted[0].values["instructions_per_operation"], 60.0)
        document = fixtures.core_results()
        document["instructions"][0]["instructions"] = 0
        with self.assertRaises(load.BadResults) as caught:
            load.parse(document)
        self.assertIn("instructions[0].instructions is 0", str(caught.exception))

    def test_keys_that_the_schema_does_not_name_are_ignored(self):
        document = copy.deepcopy(self.document)
        document["more"] = 1
        document["context"]["timerbench"]["more"] = [1]
        document["benchmarks"][0]["more"] = {"a": None}
        self.assertEqual(load.parse(document).timings, self.results.timings)

    def test_workloads_are_named_as_on_the_command_line(self):
        labels = {t.subject.workload_label for t in self.results.timings}
        self.assertTrue({"ties", "horizon{horizon=100000000}", "cancel_share{cancel=0.25}"} <= labels)

    def test_empty_lists_are_fine_where_a_pass_did_not_run(self):
        document = {**self.document, "latency": [], "memory": [], "work": [], "skipped": []}
        self.assertEqual(load.parse(document).latency, [])


class BadInput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.document = fixtures.only(
            fixtures.results(), workload=("rpc_timeouts", "cancel_share"), population=(1000, 100_000)
        )

    def refused(self, change, *parts):
        """After `change` the document is refused, in one line that holds all `parts`."""
        document = copy.deepcopy(self.document)
        changed = change(document)
        with self.assertRaises(load.BadResults) as caught:
            load.parse(document if changed is None else changed, "some/results.json")
        message = str(caught.exception)
        for part in ("some/results.json", "allowed", *parts):
            self.assertIn(part, message)
        self.assertNotIn("\n", message)

    def test_missing_keys(self):
        for key in ("context", "benchmarks", "latency", "memory", "work", "skipped"):
            with self.subTest(key=key):
                self.refused(lambda d: (d.pop(key), None)[1], f"{key} is missing")
        for key in fixtures.context()["timerbench"]:
            if key == "families":
                continue  # Only the core table asks for them; results of older versions have none.
            with self.subTest(key=key):
                self.refused(
                    lambda d: (d["context"]["timerbench"].pop(key), None)[1],
                    f"context.timerbench.{key} is missing",
                )
        for table, keys in (
            (
                "benchmarks",
                (
                    "scheduler",
                    "family",
                    "role",
                    "level",
                    "workload",
                    "parameters",
                    "kind",
                    "population",
                    "run_type",
                    "real_time",
                    "operations",
                    "time_unit",
                ),
            ),
            ("latency", ("advances", "p50_ns", "p99_9_ns", "max_ns", "clock_ns", "percentiles")),
            ("memory", ("bytes_per_job", "empty_bytes", "residue_bytes_per_job")),
            ("work", ("operations", "slots_visited", "comparisons", "batches_sorted")),
        ):
            for key in keys:
                with self.subTest(table=table, key=key):
                    self.refused(lambda d: (d[table][0].pop(key), None)[1], f"{table}[0].{key} is missing")

    def test_wrong_values_are_named_with_their_place(self):
        def put(table, key, value):
            return lambda d: d[table][0].update({key: value})

        self.refused(put("benchmarks", "level", "both"), "benchmarks[0].level", '"both"', "handle, id")
        self.refused(put("benchmarks", "role", "guest"), "benchmarks[0].role", "scheduler, floor, repeat")
        self.refused(put("benchmarks", "kind", ""), "benchmarks[0].kind")
        self.refused(put("benchmarks", "population", 0), "benchmarks[0].population", "at least 1")
        self.refused(put("benchmarks", "population", 1.5), "benchmarks[0].population")
        self.refused(put("benchmarks", "population", True), "benchmarks[0].population")
        self.refused(put("benchmarks", "real_time", -1), "benchmarks[0].real_time", "-1", "above 0")
        self.refused(put("benchmarks", "real_time", "12"), "benchmarks[0].real_time")
        self.refused(put("benchmarks", "time_unit", "us"), "benchmarks[0].time_unit", '"us"')
        self.refused(put("benchmarks", "family", "binary"), "benchmarks[0].family")
        self.refused(put("benchmarks", "parameters", {"cancel": "all"}), "benchmarks[0].parameters.cancel")
        self.refused(put("latency", "percentiles", []), "latency[0].percentiles")
        self.refused(
            put("latency", "percentiles", [[50, 1], [10, 2]]), "latency[0].percentiles[1]", "ascending"
        )
        self.refused(put("latency", "percentiles", [[50, 1], [101, 2]]), "latency[0].percentiles[1]")
        self.refused(put("memory", "bytes_per_job", -3), "memory[0].bytes_per_job")
        self.refused(
            lambda d: d["context"]["timerbench"].update(profile="fast"),
            "profile",
            '"fast"',
            "smoke, quick, full, core",
        )
        self.refused(
            lambda d: d["context"]["timerbench"].update(interrupted="no"), "interrupted", "true or false"
        )
        self.refused(lambda d: d["context"].update(caches=[{"type": "Data"}]), "context.caches[0].level")
        self.refused(lambda d: d["skipped"].append({**d["work"][0]}), "skipped[0].reason")

    def test_nan_and_infinity(self):
        for value in (float("nan"), float("inf"), float("-inf")):
            with self.subTest(value=value):
                self.refused(
                    lambda d: d["benchmarks"][2].update(real_time=value),
                    "benchmarks[2].real_time",
                    str(value),
                )
        self.refused(lambda d: d["context"].update(load_avg=[float("nan")]), "context.load_avg[0]")

    def test_empty_rows(self):
        self.refused(lambda d: d.update(benchmarks=[]), "benchmarks has 0 entries")
        self.refused(lambda d: d["benchmarks"].insert(0, {}), "benchmarks[0] is {}")
        self.refused(lambda d: d["latency"].insert(0, None), "latency[0] is null")
        self.refused(
            lambda d: d.update(benchmarks=[r for r in d["benchmarks"] if r["run_type"] == "aggregate"]),
            "no measured repetition",
        )
        self.refused(lambda d: d.update(benchmarks={}), "benchmarks is {}", "a list")
        self.refused(lambda d: [], "the file is []")

    def test_the_same_row_twice(self):
        self.refused(lambda d: d["memory"].append(d["memory"][0]), "memory[", "memory[0] is the same row")

    def test_files_that_are_none(self):
        with tempfile.TemporaryDirectory() as folder:
            missing = Path(folder) / "none.json"
            broken = Path(folder) / "broken.json"
            broken.write_text('{"context": {},\n "benchmarks": [}')
            binary = Path(folder) / "binary.json"
            binary.write_bytes(b"\xff\xfe\x00")
            nan = Path(folder) / "nan.json"
            document = copy.deepcopy(self.document)
            document["work"][0]["operations"] = float("nan")
            nan.write_text(json.dumps(document))
            for path, part in (
                (missing, "cannot be read"),
                (broken, "broken.json:2:17: not JSON"),
                (binary, "not UTF-8"),
                (nan, "work[0].operations is nan"),
                (Path(folder), "cannot be read"),
            ):
                with self.subTest(path=path.name), self.assertRaises(load.BadResults) as caught:
                    load.read(path)
                self.assertIn(part, str(caught.exception))
                self.assertIn(str(path), str(caught.exception))


class Hostile(unittest.TestCase):
    """Files that are no results at all get one message, never a traceback."""

    def refused(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.json"
            path.write_text(text)
            with self.assertRaises(load.BadResults) as caught:
                load.read(path)
            self.assertIn("results.json", str(caught.exception))

    def test_brackets_without_end(self):
        self.refused("[" * 200_000)

    def test_a_number_of_thousands_of_digits(self):
        self.refused("{\"context\": " + "9" * 5000 + "}")

    def test_magnitudes_that_no_measurement_has(self):
        for value in (10**400, 1e308, 1e-300):
            document = copy.deepcopy(fixtures.results())
            document["benchmarks"][0]["real_time"] = value
            with self.assertRaises(load.BadResults):
                load.parse(document)

    def test_names_that_cannot_be_printed(self):
        for name in ("\ud800", "a\nb"):
            document = copy.deepcopy(fixtures.results())
            document["benchmarks"][0]["family"] = name
            with self.assertRaises(load.BadResults):
                load.parse(document)


if __name__ == "__main__":
    unittest.main()
