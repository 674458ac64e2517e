"""The generators of NumPy in recordings, SciPy's distributions and pandas' series where they are installed."""

import copy
import math
import unittest

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("numpy is not installed")
from numpy.random import default_rng, laplace

try:
    import scipy.stats

    from dpcheck.recording import scipy_sources
except ImportError:
    scipy = None

try:
    import pandas as pd
except ImportError:
    pd = None

from dpcheck.recording.functions import FUNCTIONS

from asked import Recorded, asked, value_of

ROWS, NEIGHBOUR = [0.25, 0.5, 1.0, 0.75], [0.25, 0.5, 1.0]

own = np.random.default_rng(3)
old = np.random.RandomState(4)
drawn = own.laplace
uniform = np.random.rand


class Holder:
    def __init__(self):
        self.rng = np.random.default_rng()


holder = Holder()


class Sources(unittest.TestCase):
    def test_laws(self):
        rng, state = np.random.default_rng(), np.random.RandomState(1)
        laws = {
            "laplace": [lambda: rng.laplace(1, 2), lambda: np.random.laplace(1.0, np.float64(2)), lambda: state.laplace(1, scale=2)],
            "normal": [lambda: rng.normal(1, 2), lambda: 1 + 2 * rng.standard_normal(), lambda: 1 + 2 * np.random.randn()],
            "exponential": [lambda: 1 + rng.exponential(2), lambda: 1 + 2 * rng.standard_exponential()],
            "gumbel": [lambda: rng.gumbel(1, 2), lambda: np.random.gumbel(1, 2)],
            "logistic": [lambda: rng.logistic(1, 2)],
            "uniform": [lambda: rng.uniform(1, 3), lambda: 1 + 2 * rng.random(), lambda: 1 + 2 * np.random.rand(), lambda: 1 + 2 * uniform()],
        }  # fmt: skip
        for law, programs in laws.items():
            for index, program in enumerate(programs):
                with self.subTest(law, program=index):
                    recorded = Recorded(lambda rows: program(), ROWS)
                    self.assertEqual([recorded.laws(), recorded.forms()], [[law], [[1.0, [[0, 2.0]]]]])

    def test_the_noise_has_its_law(self):
        # Kolmogorov's distance of 40,000 draws is larger than this with probability 1e-6 (Massart's inequality).
        n, limit = 40_000, math.sqrt(math.log(2 / 1e-6) / 80_000)
        laws = {
            "laplace": lambda x: np.where(x < 0, np.exp(x) / 2, 1 - np.exp(-x) / 2),
            "normal": lambda x: np.array([0.5 * math.erfc(-value / math.sqrt(2)) for value in x]),
            "exponential": lambda x: 1 - np.exp(-x),
            "gumbel": lambda x: np.exp(-np.exp(-x)),
            "logistic": lambda x: 1 / (1 + np.exp(-x)),
            "random": lambda x: x,
        }
        for law, below in laws.items():
            with self.subTest(law):
                draws = [
                    Recorded(lambda rows: getattr(own, law)(size=n // 4), ROWS, seed=seed).outputs[0]
                    for seed in range(4)
                ]
                values = np.sort(np.concatenate(draws))
                self.assertLess(np.max(np.abs(below(values) - (np.arange(n) + 0.5) / n)), limit)
        geometric = np.array(Recorded(lambda rows: own.geometric(0.3, size=10_000), ROWS, seed=11).outputs[0])
        for k in range(1, 9):
            self.assertLess(abs(np.mean(geometric <= k) - (1 - 0.7**k)), 2 * limit)

    def test_geometric_noise_is_whole(self):
        def f(rows):
            count = len(rows) + own.geometric(0.5) - np.random.geometric(0.25)
            assert isinstance(count, int)
            return list(range(abs(count + 100)))[-1]

        recorded = Recorded(f, ROWS)
        self.assertEqual(
            [(atom["law"], atom["p"]) for atom in recorded.first["atoms"][:2]],
            [("geometric", 0.5), ("geometric", 0.25)],
        )
        direct = Recorded(lambda rows: len(rows) + own.geometric(0.5) - own.geometric(0.5), ROWS, meet=True)
        self.assertIs(type(direct.outputs[0]), int)

    def test_discrete_draws(self):
        def f(rows):
            rng, x = np.random.default_rng(), list(rows)
            rng.shuffle(x)
            a = rng.choice(3, p=np.array([1, len(rows), 3]) / (4 + len(rows)))
            b = rng.choice(["a", "b"], size=3, p=[0.5, 0.5])
            c, d = rng.integers(1, 4), np.random.randint(5, size=2)
            e = rng.choice(4, 2, replace=False)
            return [
                int(a),
                b.tolist(),
                int(c),
                d.tolist(),
                e.tolist(),
                rng.permutation(4).tolist(),
                rng.binomial(9, 0.5),
                rng.poisson(3.0),
            ]

        recorded = Recorded(f, ROWS, [0.0, 1.0, 2.0, 3.0])
        keys = ("chances", "uniform", "subset", "permutation", "binomial", "other")
        told = [{key: read[key] for key in keys if key in read} for read in recorded.first["reads"]]
        self.assertEqual(told, [
            {"permutation": 4}, {"chances": [0.125, 0.5, 0.375]}, {"chances": [0.5, 0.5]}, {"uniform": 3}, {"uniform": 5},
            {"subset": [4, 2]}, {"permutation": 4}, {"binomial": [9, 0.5]}, {"other": ["poisson", 3.0]},
        ])  # fmt: skip
        shapes = [read["shape"] for read in recorded.first["reads"]]
        self.assertEqual(shapes, [[4, 4], [3], [3, 2], [3], [2, 5], [2, 4], [4, 4], [], []])
        self.assertEqual(recorded.outputs[0], recorded.outputs[1])

    def test_names_bound_before(self):
        programs = {
            "generator": lambda rows: sum(rows) + own.laplace(),
            "state": lambda rows: sum(rows) + old.laplace(),
            "method": lambda rows: sum(rows) + drawn(),
            "function": lambda rows: sum(rows) + laplace(),
            "maker": lambda rows: sum(rows) + default_rng().laplace(),
            "attribute": lambda rows: sum(rows) + holder.rng.laplace(),
            "made inside": lambda rows: sum(rows) + np.random.Generator(np.random.PCG64(1)).laplace(),
        }
        for name, program in programs.items():
            with self.subTest(name):
                before = own, old, drawn, laplace, default_rng, holder.rng
                recorded = Recorded(program, ROWS, NEIGHBOUR)
                self.assertEqual([recorded.forms(), recorded.forms(1)], [[[2.5, [[0, 1.0]]]], [[1.75, [[0, 1.0]]]]])
                after = own, old, drawn, laplace, default_rng, holder.rng
                self.assertTrue(all(a is b for a, b in zip(before, after)))

    def test_generators_pass_for_generators(self):
        def f(rows):
            rng = copy.deepcopy(own)
            assert isinstance(own, np.random.Generator) and isinstance(default_rng(rng), np.random.Generator)
            assert isinstance(np.random.mtrand._rand, np.random.RandomState) and isinstance(old, np.random.RandomState)
            return rng.laplace()

        self.assertEqual(Recorded(f, ROWS).laws(), ["laplace"])

    def test_other_laws_and_vectors_of_normals(self):
        recorded = Recorded(lambda rows: own.gamma(3.0, 2.0) + own.beta(1.0, 2.0) + own.standard_cauchy(), ROWS)
        told = [(atom["function"], atom["of"]) for atom in recorded.first["atoms"]]
        self.assertEqual(told, [("gamma", [3.0]), ("beta", [1.0, 2.0]), ("standard_cauchy", [])])
        self.assertEqual(recorded.forms(), [[0.0, [[0, 2.0], [1, 1.0], [2, 1.0]]]])

        cov = [[2.0, 1.0], [1.0, 2.0]]
        recorded = Recorded(lambda rows: own.multivariate_normal([len(rows), 0], cov), ROWS)
        factors = np.array([[dict(form[1]).get(index, 0.0) for index in range(2)] for form in recorded.forms()])
        self.assertTrue(np.allclose(factors @ factors.T, cov))

    def test_parameters_are_checked_as_numpy_does(self):
        recorded = Recorded(lambda rows: laplace(0, -1.0), ROWS)
        self.assertRegex(recorded.errors["0"], "ValueError: scale < 0")
        self.assertNotIn("failed", recorded.first)

    def test_noise_behind_the_hooks_is_said(self):
        hidden = {"kept": [np.random.mtrand._rand.laplace] * 300}
        recorded = Recorded(lambda rows: sum(rows) + hidden["kept"][0](), ROWS)
        self.assertEqual(recorded.first["notFollowed"], ["numpy's global generator was used behind the hooks"])

    def test_seeded_outputs(self):
        def f(rows):
            return [
                np.random.random(), own.random(), old.random(), drawn(), laplace(), holder.rng.random(), default_rng().random(),
                np.random.RandomState().random(), np.random.Generator(np.random.PCG64()).random(), own.normal(size=2).tolist(),
            ]  # fmt: skip

        one = {"seed": 5, "order": [0, 0]}
        a, b, c, plain = asked(f, one, one, {"seed": 6, "order": [0]}, {"order": [0, 0]}, datasets=[ROWS])
        self.assertEqual(a["outputs"], b["outputs"])
        self.assertEqual(a["outputs"][0], a["outputs"][1])
        outputs = [a["outputs"][0], c["outputs"][0], *plain["outputs"]]
        for column in zip(*outputs):
            self.assertEqual(len(set(map(str, column))), 4)

    def test_values_agree_with_their_forms(self):
        def f(rows):
            z = own.laplace(size=3) * 2 + np.array([1.0, 2.0, 3.0])
            return [float(z[0] - z[1] / 4), float(z @ [1, 2, 3])]

        recorded = Recorded(f, ROWS)
        (first,), (second,) = [
            [value_of(form, {0: 0, 1: 0, 2: 0}) for form in read["forms"]] for read in recorded.first["reads"]
        ]
        self.assertEqual([first, second], [0.5, 14.0])


@unittest.skipIf(scipy is None, "scipy is not installed")
class Scipy(unittest.TestCase):
    def test_rvs(self):
        stats = scipy.stats
        frozen = stats.laplace(1, 2)
        programs = {
            "laplace": [lambda: stats.laplace.rvs(1, 2), lambda: frozen.rvs(), lambda: stats.laplace.rvs(loc=1, scale=2, size=1)],
            "normal": [lambda: stats.norm.rvs(1, 2), lambda: stats.norm(1, 2).rvs()],
            "exponential": [lambda: stats.expon.rvs(1, 2)],
            "uniform": [lambda: stats.uniform.rvs(1, 2)],
            "logistic": [lambda: stats.logistic.rvs(1, 2)],
            "gumbel": [lambda: stats.gumbel_r.rvs(1, 2)],
        }  # fmt: skip
        for law, draws in programs.items():
            for draw in draws:
                with self.subTest(law):
                    recorded = Recorded(lambda rows: draw(), ROWS)
                    self.assertEqual([recorded.laws(), recorded.forms()], [[law], [[1.0, [[0, 2.0]]]]])

    def test_inverse_distribution_functions(self):
        stats = scipy.stats
        for law in [stats.laplace, stats.expon, stats.gumbel_r, stats.logistic, stats.norm]:
            for draw in [lambda: law.ppf(np.random.random(), 1, 2), lambda: law(1, scale=2).ppf(np.random.random())]:
                with self.subTest(law.name):
                    recorded = Recorded(lambda rows: draw(), ROWS)
                    ((middle, terms),) = recorded.forms()
                    self.assertEqual([recorded.laws()[0], recorded.kinds()], ["uniform", ["value"]])
                    self.assertEqual([middle, {abs(factor) for _, factor in terms}], [1.0, {2.0}])
            # The same function as SciPy's.
            for u in [0.001, 0.3, 0.5, 0.9]:
                inverse = scipy_sources.INVERSES[type(law)]
                self.assertAlmostEqual(float(inverse(np.float64(u))), float(law.ppf(u)))
            self.assertAlmostEqual(FUNCTIONS["ndtri"](0.3), float(stats.norm.ppf(0.3)))

    def test_rvs_of_counts(self):
        stats = scipy.stats
        recorded = Recorded(lambda rows: len(rows) + stats.dlaplace.rvs(1.0), ROWS)
        self.assertEqual([recorded.laws(), recorded.forms()], [["geometric"] * 2, [[4.0, [[0, 1.0], [1, -1.0]]]]])
        self.assertAlmostEqual(recorded.first["atoms"][0]["p"], 1 - math.exp(-1))
        recorded = Recorded(lambda rows: stats.geom.rvs(0.5, size=2), ROWS)
        self.assertEqual([recorded.laws(), recorded.kinds()], [["geometric"] * 2, ["value"]])
        self.assertEqual(Recorded(lambda rows: stats.beta.rvs(1, 2), ROWS).first["atoms"][0]["function"], "beta")

    def test_seeded_outputs(self):
        a, b, c = asked(
            lambda rows: scipy.stats.laplace.rvs(size=2),
            {"seed": 5, "order": [0]},
            {"seed": 5, "order": [0]},
            {"order": [0]},
            datasets=[ROWS],
        )
        self.assertEqual(a["outputs"], b["outputs"])
        self.assertNotEqual(a["outputs"], c["outputs"])


@unittest.skipIf(pd is None, "pandas is not installed")
class Pandas(unittest.TestCase):
    def test_series_are_made_of_what_was_read(self):
        programs = {
            "sum": lambda rows: (pd.Series(rows[:3]) + laplace(size=3)).tolist(),
            "groups": lambda rows: (
                pd.Series([row > 0.5 for row in rows]).value_counts(sort=False) + laplace(size=2)
            ).to_dict(),
        }
        forms = [[0.25, 0.5, 1.0], [2.0, 2.0]]
        for (name, program), plain in zip(programs.items(), forms):
            with self.subTest(name):
                recorded = Recorded(program, ROWS, NEIGHBOUR)
                self.assertEqual([recorded.kinds(), [form[0] for form in recorded.forms()]], [["value"], plain])
                self.assertEqual(recorded.outputs[0], recorded.outputs[1])


if __name__ == "__main__":
    unittest.main()
