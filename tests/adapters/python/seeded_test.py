"""Outputs of a given seed."""

import io
import json
import os
import random
import secrets
import struct
import unittest
from os import urandom
from secrets import token_hex

from asked import asked
from dpcheck.serve import answer_lines
from programs import NEIGHBOUR, ROWS, expovariate, holder, own, shift, system, total


class SeededOutputs(unittest.TestCase):
    def test_every_source_follows_the_seed(self):
        def f(rows):
            return [
                len(rows), random.random(), own.random(), system.random(), secrets.randbelow(10**9), token_hex(4), os.urandom(4).hex(),
                urandom(3).hex(), random.Random().random(), random.SystemRandom().gauss(0, 1), holder.rng.random(), expovariate(1),
                random.getrandbits(40), holder.inside["rng"][0].random(), shift(),
            ]  # fmt: skip

        one = {"seed": 5, "order": [0, 1]}
        a, b, c, plain = asked(f, one, one, {"seed": 6, "order": [0, 0]}, {"order": [0, 0]}, datasets=[ROWS, NEIGHBOUR])
        self.assertEqual(a["outputs"], b["outputs"])
        self.assertEqual(a["outputs"][0][1:], a["outputs"][1][1:])
        self.assertEqual(c["outputs"][0], c["outputs"][1])
        for other in (c["outputs"][0], *plain["outputs"]):
            for mine, theirs in zip(a["outputs"][0][1:], other[1:]):
                self.assertNotEqual(mine, theirs)
        for one, other in zip(plain["outputs"][0][1:], plain["outputs"][1][1:]):
            self.assertNotEqual(one, other)

    def test_a_program_that_seeds_itself_anew(self):
        def f(rows):
            random.seed()
            return random.random()

        a, b = asked(f, {"seed": 5, "order": [0]}, {"seed": 5, "order": [0]}, datasets=[ROWS])
        self.assertEqual(a["outputs"], b["outputs"])

    def test_the_generators_go_on_afterwards_as_if_nothing_had_been(self):
        def f(rows):
            return random.random()

        random.seed(1)
        expected = [random.random() for _ in range(2)]
        random.seed(1)
        first, _, _, second = asked(
            f,
            {"order": [0]},
            {"seed": 5, "order": [0]},
            {"record": True, "seed": 5, "order": [0]},
            {"order": [0]},
            datasets=[ROWS],
        )
        self.assertEqual(first["outputs"] + second["outputs"], expected)

    def test_outputs_of_a_width(self):
        lines = [{"seed": 5, "order": [0, 0]}, {"record": True, "seed": 5, "order": [0, 1]}]
        lines = [json.dumps({"id": 0, "datasets": [ROWS, NEIGHBOUR], **line}).encode() for line in lines]
        answers = io.BytesIO()
        answer_lines(total, lines, answers, 1)
        _, rest = answers.getvalue().split(b"\n", 1)
        first, second = struct.unpack("<2d", rest[:16])
        self.assertEqual(first, second)
        self.assertEqual([run["ended"] for run in json.loads(rest[16:])["recordings"]], ["output", "output"])

    def test_errors_are_outputs(self):
        (answer,) = asked(lambda rows: 1 / len(rows), {"seed": 1, "order": [0, 1]}, datasets=[[], [2]])
        self.assertEqual(answer["outputs"], [None, 1.0])
        self.assertEqual(answer["errors"], {"0": "ZeroDivisionError: division by zero"})


if __name__ == "__main__":
    unittest.main()
