"""Replays that go another way, and programs that behave otherwise when they are recorded."""

import datetime
import math
import os
import random
import unittest
from random import expovariate

from asked import Recorded, asked, line_of
from programs import NEIGHBOUR, ROWS, total


class Replays(unittest.TestCase):
    def test_runs_apart(self):
        def loops(rows):
            return [random.gauss(0, 1) + row for row in rows][0] + sum(random.gauss(0, 1) > 0 for _ in rows)

        recorded = Recorded(loops, ROWS, NEIGHBOUR)
        self.assertEqual([run["ended"] for run in recorded.runs], ["output", "apart"])
        self.assertIsNone(recorded.outputs[1])
        apart = recorded.last["apart"]
        self.assertEqual([apart["read"], apart["expected"]["kind"], apart["met"]["kind"]], [3, "sign", "value"])
        self.assertEqual(apart["met"]["at"], line_of(loops, "return"))

    def test_another_place(self):
        def f(rows):
            if len(rows) > 3:
                return str(random.gauss(0, 1))
            return str(random.gauss(0, 1))

        apart = Recorded(f, ROWS, NEIGHBOUR).last["apart"]
        self.assertEqual([apart["expected"]["kind"], apart["met"]["kind"]], ["value", "value"])
        self.assertNotEqual(apart["expected"]["at"], apart["met"]["at"])

    def test_fewer_reads(self):
        recorded = Recorded(lambda rows: [random.random() < 0.5 for _ in rows], ROWS, NEIGHBOUR)
        self.assertEqual(recorded.last["apart"]["read"], 3)
        self.assertIsNone(recorded.last["apart"]["met"])

    def test_a_program_cannot_catch_that_runs_are_apart(self):
        def f(rows):
            try:
                return [str(random.random()) for _ in range(9 - len(rows))]
            except Exception:
                return []

        self.assertEqual(Recorded(f, ROWS, NEIGHBOUR).last["ended"], "apart")

        def stubborn(rows):
            for _ in range(9 - len(rows)):
                try:
                    str(random.random())
                except:  # noqa: E722
                    pass
            return 1

        self.assertEqual(Recorded(stubborn, ROWS, NEIGHBOUR).last["ended"], "apart")

    def test_another_number_of_outcomes(self):
        recorded = Recorded(lambda rows: random.randrange(len(rows)), ROWS, NEIGHBOUR)
        self.assertEqual([recorded.last["apart"][side]["shape"] for side in ("expected", "met")], [[4], [3]])

    def test_the_order_says_which_dataset_is_recorded(self):
        (answer,) = asked(total, {"record": True, "seed": 1, "order": [1, 0]}, datasets=[ROWS, NEIGHBOUR])
        self.assertEqual([run["reads"][0]["forms"][0][0] for run in answer["recordings"]], [1.75, 2.5])

    def test_an_output_of_the_data_alone_shows(self):
        recorded = Recorded(lambda rows: [len(rows), random.gauss(0, 1) > 0], ROWS, NEIGHBOUR)
        self.assertEqual([output[0] for output in recorded.outputs], [4, 3])

    def test_errors_of_the_program(self):
        def f(rows):
            noisy = sum(rows) + random.gauss(0, 1)
            if len(rows) < 4:
                raise ValueError("too few")
            return noisy

        recorded = Recorded(f, ROWS, NEIGHBOUR)
        self.assertEqual([run["ended"] for run in recorded.runs], ["output", "error"])
        self.assertRegex(recorded.errors["1"], "ValueError: too few")
        self.assertNotIn("failed", recorded.last)

    def test_errors_of_the_recorder_say_so(self):
        recorded = Recorded(lambda rows: str(datetime.timedelta(random.gauss(0, 1))), ROWS)
        self.assertEqual(recorded.first["ended"], "error")
        self.assertRegex(recorded.first["failed"], "^the program fails only when it is recorded: TypeError")
        # The next request is answered as if nothing had been.
        answers = asked(total, {"record": True, "seed": 1, "order": [0]}, {"order": [0]}, datasets=[ROWS])
        self.assertEqual(answers[0]["recordings"][0]["ended"], "output")


class Spoilers(unittest.TestCase):
    """A program that behaves otherwise under recording harms only itself."""

    def harmless(self, f):
        ordinary = random.random, math.log, os.urandom, random.Random, expovariate
        recorded = Recorded(f, ROWS, NEIGHBOUR)
        self.assertEqual((random.random, math.log, os.urandom, random.Random, expovariate), ordinary)
        return recorded

    def test_one_that_deletes_hooks(self):
        original = random.gauss

        def f(rows):
            del random.gauss
            return random.expovariate(1)

        try:
            self.harmless(f)
        finally:
            random.gauss = original

    def test_one_that_tampers_with_the_tape(self):
        def f(rows):
            import dpcheck.recording.current as current

            current.current.tape.reads = None
            return random.gauss(0, 1)

        recorded = self.harmless(f)
        self.assertEqual([run["ended"] for run in recorded.runs], ["error", "error"])
        self.assertRegex(recorded.first["failed"], "the answer could not be written")

    def test_one_whose_output_is_no_json(self):
        recorded = self.harmless(lambda rows: object())
        self.assertRegex(recorded.first["failed"], "not JSON serializable")

    def test_one_that_looks_for_the_recorder(self):
        def f(rows):
            if type(random.random()) is not float:
                raise RuntimeError("watched")
            return 1

        self.assertRegex(self.harmless(f).first["failed"], "fails only when it is recorded: RuntimeError: watched")

    def test_one_that_draws_without_end(self):
        recorded = self.harmless(lambda rows: [str(random.random()) for _ in range(10**6)])
        self.assertRegex(recorded.first["failed"], "more than 20000 times")

    def test_one_that_changes_its_rows(self):
        def f(rows):
            rows.pop()
            return sum(rows) + random.gauss(0, 1)

        recorded = self.harmless(f)
        self.assertEqual([recorded.forms()[0][0], recorded.forms(1)[0][0]], [1.75, 0.75])
        request = {"record": True, "seed": 1, "order": [0]}
        first, second = asked(f, request, request, datasets=[ROWS])
        self.assertEqual(first["recordings"], second["recordings"])


if __name__ == "__main__":
    unittest.main()
