"""The core table: whose a scheduler is, who is the best peer, and that the noise has its say."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from paths import PLOTS
import core_table
import fixtures


def run(*arguments):
    # -S: without what is installed besides Python itself.
    return subprocess.run(
        [sys.executable, "-B", "-S", str(PLOTS / "core_table.py"), *map(str, arguments)],
        text=True,
        capture_output=True,
        check=False,
    )


def blocks(text):
    """{first line of a block: its lines}"""
    parts = [part.splitlines() for part in text.split("\n\n")]
    return {part[0].split("  ")[0]: part for part in parts}


def cells(block, scheduler):
    """The words of a scheduler's line, its mark and name left out."""
    line = next(line for line in block if re.match(rf"[* ] {re.escape(scheduler)} ", line))
    return line[len(scheduler) + 2 :].split()


class CoreTable(unittest.TestCase):
    def setUp(self):
        self.document = fixtures.core_results()

    def table(self):
        return core_table.Table(self.document)

    def blocks(self):
        return blocks(core_table.terminal(self.table()))

    def number(self, text):
        return float(text.rstrip("x~"))

    def test_a_line_has_ns_multiple_of_the_floor_and_speed_up_for_each_population(self):
        block = self.blocks()["rpc_timeouts"]
        small, floor, speed, large, large_floor, large_speed, instructions = cells(block, "aligned_wheel/256")
        self.assertAlmostEqual(self.number(small), 10, delta=0.1)
        self.assertAlmostEqual(self.number(floor), 2, delta=0.02)
        self.assertAlmostEqual(self.number(speed), 2, delta=0.02)
        self.assertAlmostEqual(self.number(large), 40, delta=0.4)
        self.assertAlmostEqual(self.number(large_floor), 2, delta=0.02)
        self.assertAlmostEqual(self.number(large_speed), 4, delta=0.04)
        self.assertEqual(instructions, "60.0")
        self.assertIn("N = 1,000", block[0])
        self.assertIn("N = 1,000,000", block[0])

    def test_the_best_peer_is_chosen_anew_for_each_population(self):
        block = self.blocks()["hold_exponential"]
        heap, wheel = " ".join(cells(block, "binary_heap/4")), " ".join(cells(block, "hashed_wheel/512"))
        self.assertRegex(heap, r"best peer .* second")
        self.assertRegex(wheel, r"second .* best peer")
        self.assertFalse([line for line in block if "scan_list" in line])  # The third of three.

    def test_parameters_and_few_jobs_have_a_block_of_their_own(self):
        found = self.blocks()
        self.assertIn("rpc_timeouts{timeout=30s}", found)
        few = found["sparse{shortest=30m,longest=90m,oversleep=0}"]
        self.assertIn("N = 100", few[0])

    def test_means_are_geometric_and_of_the_streams_that_have_the_population(self):
        table = self.table()
        ratio, streams = table.mean_speed_up("aligned_wheel/256", 1_000_000)
        self.assertEqual(streams, 3)
        self.assertAlmostEqual(ratio, 4, delta=0.05)
        self.assertEqual(table.main_populations(), [1000, 1_000_000])
        means = self.blocks()["Geometric mean of the speed-ups"]
        self.assertRegex(cells(means, "aligned_wheel/256")[0], r"^[12]\.\d+x$")

    def test_the_file_says_whose_a_family_is(self):
        self.assertEqual(self.table().origin("binary_heap/4"), "library")
        self.assertEqual(self.table().origin("aligned_wheel/256"), "own")
        self.assertEqual(self.table().origin("heard_of_by_nobody/3"), "own")
        self.document["context"]["timerbench"]["families"].update(
            binary_heap="own", aligned_wheel="textbook"
        )
        self.assertEqual(self.table().schedulers(("own",)), ["binary_heap/4", "hierarchical_wheel/256"])
        self.assertIn("aligned_wheel/256", self.table().schedulers(core_table.PEERS))

    def test_what_the_noise_does_not_tell_apart_is_marked(self):
        self.assertNotIn("~", " ".join(cells(self.blocks()["rpc_timeouts"], "aligned_wheel/256")))
        for row in self.document["benchmarks"]:
            if row["scheduler"] == "aligned_wheel/256" and row["population"] == 1000:
                row["real_time"] *= 1.99  # A lead of half a percent.
        self.assertIn("~", cells(self.blocks()["rpc_timeouts"], "aligned_wheel/256")[2])

    def test_without_peers_there_is_no_speed_up(self):
        own = ("aligned_wheel/256", "hierarchical_wheel/256", fixtures.FLOOR)
        self.document = fixtures.only(self.document, scheduler=own)
        text = core_table.terminal(self.table())
        self.assertIn("No peer was measured", text)
        self.assertNotIn("Geometric mean", text)
        self.assertEqual(cells(self.blocks()["rpc_timeouts"], "aligned_wheel/256")[2], "n/a")

    def test_without_valgrind_instructions_are_not_available(self):
        self.document = fixtures.core_results(instructions=False)
        text = core_table.terminal(self.table())
        self.assertEqual(cells(blocks(text)["rpc_timeouts"], "aligned_wheel/256")[-1], "n/a")
        self.assertIn("valgrind, the package valgrind of Debian", text)
        self.assertNotIn("| instructions |", core_table.markdown(self.table()))

    def test_failed_and_skipped_rows_have_no_number(self):
        gone = [
            row
            for row in self.document["benchmarks"]
            if row["scheduler"] == "hierarchical_wheel/256" and row["workload"] == "hold_exponential"
        ]
        for row in gone:
            self.document["benchmarks"].remove(row)
        who = {key: gone[0][key] for key in fixtures.subject("a", "b", 1)}
        self.document["benchmarks"] += fixtures.failed_row({**who, "role": "scheduler", "population": 1000})
        self.document["skipped"].append(
            {**who, "role": "scheduler", "population": 1_000_000, "reason": "it walks"}
        )
        self.assertEqual(
            cells(self.blocks()["hold_exponential"], "hierarchical_wheel/256"), ["FAILED", "skipped", "60.0"]
        )
        text = core_table.markdown(self.table())
        self.assertIn("**FAILED: hierarchical_wheel/256", text)
        self.assertIn("- hierarchical_wheel/256: it walks", text)
        self.assertIn("(2 streams)", core_table.terminal(self.table()))

    def test_it_fits_into_120_columns(self):
        for document in (self.document, fixtures.results()):  # Two populations, and five.
            self.document = document
            self.assertLessEqual(max(map(len, core_table.terminal(self.table()).splitlines())), 120)

    def test_markdown_has_every_peer_and_the_noise(self):
        text = core_table.markdown(self.table())
        part = text.split("## hold_exponential, N = 1,000\n")[1].split("\n## ")[0]
        for name in ("binary_heap/4 | library", "scan_list | textbook", "hashed_wheel/512 | textbook"):
            self.assertIn(f"| {name} |", part)
        self.assertRegex(part, r"\| aligned_wheel/256 \| own \| [\d.]+ \| 0\.\d % \| [12]\.\d+x \| [12]\.\d+x \| 60\.0 \|")
        self.assertIn("## By id", text)
        self.assertIn("measured twice differs by", text)
        header, marks = part.strip().splitlines()[:2]
        self.assertTrue(all(line.count("|") == header.count("|") for line in part.strip().splitlines()[:6]), part)
        self.assertEqual(marks.count("|"), header.count("|"))

    def test_a_partial_run_says_so(self):
        self.document["context"]["timerbench"]["interrupted"] = True
        self.assertIn("PARTIAL", core_table.terminal(self.table()))
        self.assertIn("PARTIAL", core_table.markdown(self.table()))


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.base = Path(folder.name)

    def write(self, document):
        path = self.base / "results.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return path

    def test_it_prints_the_table_and_writes_it(self):
        result = run(self.write(fixtures.core_results()))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("* aligned_wheel/256", result.stdout)
        self.assertIn("# The core table", (self.base / "core.md").read_text(encoding="utf-8"))
        self.assertEqual({path.name for path in self.base.iterdir()}, {"results.json", "core.md"})

    def test_other_profiles_results_do_as_well(self):
        result = run(self.write(fixtures.results()), "--out", self.base / "new")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue((self.base / "new" / "core.md").is_file())

    def test_bad_input_gets_one_line_and_status_2(self):
        nothing = fixtures.only(fixtures.core_results(), level="id")
        no_family = fixtures.core_results()
        del no_family["benchmarks"][0]["role"]
        for document in ("", "[]", "{}", "[" * 100_000, nothing, no_family):
            result = run(self.write(document))
            self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn("results.json", result.stderr)
        self.assertEqual(run(self.base / "absent.json").returncode, 2)

    def test_a_folder_that_cannot_be_written(self):
        path = self.write(fixtures.core_results())
        result = run(path, "--out", path)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)


if __name__ == "__main__":
    unittest.main()
