"""Sources of noise under names that a program bound before, and what is bound to them afterwards."""

import json
import math
import os
import random
import secrets
import unittest
from math import log
from os import urandom
from random import expovariate

from asked import Recorded, asked
from programs import (
    NEIGHBOUR, ROWS, default_argument, holder, kept, of_closure, own, shift, system, total, with_attribute,
)  # fmt: skip


class NamesBoundBefore(unittest.TestCase):
    def test_generators_and_functions_under_names_of_the_program(self):
        programs = {
            "imported function": total,
            "generator": lambda rows: sum(rows) + own.gauss(0, 1),
            "system": lambda rows: sum(rows) + system.gauss(0, 1),
            "partial": lambda rows: sum(rows) + shift(),
            "attribute": lambda rows: sum(rows) + holder.rng.gauss(0, 1),
            "of the class": lambda rows: sum(rows) + holder.of_class.gauss(0, 1),
            "of the function": with_attribute,
            "in containers": lambda rows: sum(rows) + holder.inside["rng"][0].gauss(0, 1),
            "default arguments": default_argument,
            "closure": of_closure(),
            "made inside": lambda rows: sum(rows) + random.Random(5).gauss(0, 1) + secrets.SystemRandom().gauss(0, 1),
        }
        for name, program in programs.items():
            with self.subTest(name):
                recorded = Recorded(program, ROWS, NEIGHBOUR)
                self.assertEqual(recorded.kinds(), ["value"])
                self.assertEqual([recorded.forms()[0][0], recorded.forms(1)[0][0]], [2.5, 1.75])
                self.assertEqual(len(recorded.forms()[0][1]), len(recorded.first["atoms"]))
                self.assertGreater(len(recorded.first["atoms"]), 0)

    def test_everything_is_as_it_was_afterwards(self):
        before = (own, system, shift, holder.rng, holder.of_class, holder.inside["rng"][0], default_argument.__defaults__[0],
                  default_argument.__kwdefaults__["draw"], expovariate, random.random, random.Random, math.log, log, os.urandom,
                  urandom, secrets.SystemRandom, json.JSONEncoder.iterencode)  # fmt: skip

        def f(rows):
            kept[:] = [random.gauss(0, 1)]
            globals()["left_behind"] = random.Random()
            return total(rows) + default_argument(rows)

        Recorded(f, ROWS, NEIGHBOUR)
        self.assertNotIn("left_behind", globals())
        asked(f, {"seed": 3, "order": [0]}, datasets=[ROWS])
        after = (own, system, shift, holder.rng, holder.of_class, holder.inside["rng"][0], default_argument.__defaults__[0],
                 default_argument.__kwdefaults__["draw"], expovariate, random.random, random.Random, math.log, log, os.urandom,
                 urandom, secrets.SystemRandom, json.JSONEncoder.iterencode)  # fmt: skip
        self.assertTrue(all(a is b for a, b in zip(before, after)))
        self.assertIsInstance(kept[0] + 1.0, float)

    def test_ordinary_requests_run_without_hooks(self):
        seen = []
        ordinary = random.random, math.log, os.urandom, random.Random

        def f(rows):
            seen.append(all(a is b for a, b in zip(ordinary, (random.random, math.log, os.urandom, random.Random))))
            return random.random()

        answers = asked(
            f, {"order": [0]}, {"record": True, "seed": 1, "order": [0]}, {"order": [0]}, {"seed": 2, "order": [0]}, {"order": [0, 0]},
            datasets=[ROWS],
        )  # fmt: skip
        self.assertEqual(seen, [True, False, True, False, True, True])
        outputs = [output for answer in answers for output in answer["outputs"]]
        self.assertEqual(len(set(outputs)), 6)


if __name__ == "__main__":
    unittest.main()
