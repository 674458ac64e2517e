"""Outputs whose discrete draws are forced: the law of a program that only chooses, by running each of its ways."""

import bisect
import collections
import math
import random
import secrets
import unittest

from asked import asked, line_of

try:
    import numpy as np
except ImportError:
    np = None


def ways(f, rows):
    """The law of f(rows), by the judge's walk; None where its draws cannot be forced."""
    law, left = collections.Counter(), [[]]
    while left:
        force, left = left, []
        (answer,) = asked(f, {"record": True, "seed": 1, "order": [0] * len(force), "force": force}, datasets=[rows])
        for output, forced, run in zip(answer["outputs"], force, answer["recordings"]):
            if "path" not in run:
                return None
            is_rare = run["ended"] == "rare"
            outcomes = [draw["outcome"] for draw in run["path"]]
            all_of = [[1 / draw["of"]] * draw["of"] if type(draw["of"]) is int else draw["of"] for draw in run["path"]]
            chances = [of[outcome] for of, outcome in zip(all_of, outcomes)]
            if not is_rare:
                law[repr(output)] += math.prod(chances)
            for k in range(len(forced), len(outcomes)):
                before = math.prod(chances[:k])
                others = [o for o in range(len(all_of[k])) if o != outcomes[k] and before * all_of[k][o] > 1e-14]
                left += [outcomes[:k] + [other] for other in others]
    return dict(law)


class Forced(unittest.TestCase):
    def law_is(self, f, expected, rows=()):
        law = ways(f, list(rows))
        self.assertEqual(set(law), {repr(key) for key in expected})
        for key, chance in expected.items():
            self.assertAlmostEqual(law[repr(key)], chance, delta=1e-15)

    def test_every_kind_of_discrete_draw(self):
        third = {key: 1 / 3 for key in (0, 1, 2)}
        self.law_is(lambda rows: random.random() < 0.3, {True: 0.3, False: 0.7})
        self.law_is(lambda rows: random.uniform(-1, 3) <= 0, {True: 0.25, False: 0.75})
        self.law_is(lambda rows: random.choices(range(3), weights=rows)[0], {0: 0.5, 2: 0.5}, [1, 0, 1])
        self.law_is(lambda rows: random.randrange(3), third)
        self.law_is(lambda rows: random.sample(range(3), 2)[1], third)
        self.law_is(lambda rows: secrets.randbelow(3), third)
        self.law_is(lambda rows: random.getrandbits(1) + secrets.randbits(1), {0: 0.25, 1: 0.5, 2: 0.25})

        def shuffled(rows):
            order = [0, 1, 2]
            random.shuffle(order)
            return order

        self.assertEqual(sorted(ways(shuffled, []).values()), [1 / 6] * 6)

    def test_one_uniform_that_is_compared_with_bound_after_bound(self):
        def inverse(rows):
            return bisect.bisect([0.1, 0.4, 0.6], random.random())

        self.law_is(inverse, {0: 0.1, 1: 0.3, 2: 0.2, 3: 0.4})

    def test_small_chances_keep_their_digits(self):
        self.assertAlmostEqual(ways(lambda rows: random.random() < 1e-12, [])["True"], 1e-12, delta=1e-27)

    def test_a_draw_that_depends_on_another(self):
        def permute_and_flip(rows):
            for index in random.sample(range(3), 3):
                if random.random() < math.exp((rows[index] - max(rows)) / 2):
                    return index

        law = ways(permute_and_flip, [1, 0, 0])
        p = math.exp(-0.5)
        self.assertAlmostEqual(law["1"], p / 3 + p * (1 - p) / 6, delta=1e-15)
        self.assertAlmostEqual(sum(law.values()), 1, delta=1e-15)

    def test_a_loop_that_may_go_on_for_ever(self):
        def geometric(rows):
            count = 0
            while random.random() < 0.9:
                count += 1
            return count

        law = ways(geometric, [])
        self.assertAlmostEqual(sum(law.values()), 1, delta=1e-13)
        self.assertAlmostEqual(law["3"], 0.1 * 0.9**3, delta=1e-16)

    def test_noise_that_has_no_list_of_outcomes(self):
        for f in (
            lambda rows: random.gauss(0, 1),
            lambda rows: random.random(),
            lambda rows: random.random() < random.random(),
            lambda rows: random.getrandbits(60),
        ):
            self.assertIsNone(ways(f, []))

    def test_a_comparison_of_a_number_whose_noise_was_read_is_no_choice(self):
        def noise_and_choice(compared):
            u, v = random.random(), random.random()
            return [float(-math.log(u)), 1 if (u if compared == "same" else v) < 0.25 else 0]

        for compared, is_choice in (("same", False), ("other", True)):
            asks = {"record": True, "seed": 1, "order": [0], "force": [[]], "keep": 1}
            (answer,) = asked(lambda rows: noise_and_choice(compared), asks, datasets=[[]])
            self.assertEqual("path" in answer["recordings"][0], is_choice, compared)

    def test_the_place_of_a_draw_and_an_error(self):
        def f(rows):
            if random.random() < 0.5:
                raise ValueError("tails")
            return 1

        (answer,) = asked(f, {"record": True, "seed": 1, "order": [0, 0], "force": [[0], [1]]}, datasets=[[]])
        self.assertEqual([answer["outputs"], answer["errors"]], [[None, 1], {"0": "ValueError: tails"}])
        at = {run["path"][0]["at"] for run in answer["recordings"]}
        self.assertEqual(at, {line_of(f, "random.random()")})

    @unittest.skipIf(np is None, "numpy is not installed")
    def test_numpy(self):
        rng = np.random.default_rng()
        self.law_is(lambda rows: int(rng.choice(3, p=[0.5, 0.25, 0.25])), {0: 0.5, 1: 0.25, 2: 0.25})
        self.law_is(lambda rows: int(np.random.binomial(2, 0.25)), {0: 9 / 16, 1: 6 / 16, 2: 1 / 16})
        self.law_is(lambda rows: int((rng.random(2) < 0.5).sum()), {0: 0.25, 1: 0.5, 2: 0.25})
        self.law_is(lambda rows: int(rng.permutation(3)[0]), {0: 1 / 3, 1: 1 / 3, 2: 1 / 3})
        self.law_is(lambda rows: int(rng.integers(2, size=2).sum()), {0: 0.25, 1: 0.5, 2: 0.25})
        self.law_is(lambda rows: int(np.searchsorted([0.25, 0.5], rng.random())), {0: 0.25, 1: 0.25, 2: 0.5})


if __name__ == "__main__":
    unittest.main()
