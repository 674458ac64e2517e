"""What a recording sees of arrays with noise in them."""

import copy
import json
import unittest

try:
    import numpy as np
except ImportError:
    raise unittest.SkipTest("numpy is not installed")
from numpy.random import laplace

from asked import Recorded, line_of

ROWS, NEIGHBOUR = [0.25, 0.5, 1.0, 0.75], [0.25, 0.5, 1.0]
BINS = [0, 0.3, 0.6, 2]

own = np.random.default_rng(3)


def vector(rows):
    x = np.clip(np.array(rows), 0, 1)
    return np.array([x.sum(), (x * x).sum()]) + np.random.default_rng().laplace(scale=2.0, size=2)


def counts(rows):
    return np.histogram(rows, BINS)[0]


class Arrays(unittest.TestCase):
    def one_read(self, f, forms, kind="value", **options):
        """f is recorded as one read of these forms, and gives the same output in a replay."""
        recorded = Recorded(f, ROWS, **options)
        self.assertEqual(recorded.kinds(), [kind])
        self.assertEqual(recorded.forms(), forms)
        replayed = Recorded(f, ROWS, NEIGHBOUR, **options)
        self.assertEqual([run["ended"] for run in replayed.runs], ["output", "output"])
        self.assertEqual(replayed.outputs[0], replayed.outputs[1])
        return replayed

    def test_a_vector_is_read_at_once(self):
        recorded = self.one_read(vector, [[2.5, [[0, 2.0]]], [1.875, [[1, 2.0]]]])
        self.assertEqual(recorded.first["reads"][0]["shape"], [2])
        self.assertEqual(recorded.first["reads"][0]["at"], line_of(vector, "size=2"))
        self.assertEqual(recorded.first["reads"][0]["value"], recorded.outputs[0])
        self.assertEqual(recorded.forms(1), [[1.75, [[0, 2.0]]], [1.3125, [[1, 2.0]]]])

    def test_linear_functions_keep_forms(self):
        z = lambda rows: np.array([sum(rows), len(rows)]) + np.random.laplace(size=2)  # noqa: E731
        programs = {
            "sum": (lambda rows: z(rows).sum(), [[6.5, [[0, 1.0], [1, 1.0]]]]),
            "mean": (lambda rows: np.mean(z(rows)), [[3.25, [[0, 0.5], [1, 0.5]]]]),
            "product": (
                lambda rows: np.array([[2.0, 0.0], [1.0, 1.0]]) @ z(rows),
                [[5.0, [[0, 2.0], [1, 0.0]]], [6.5, [[0, 1.0], [1, 1.0]]]],
            ),
            "dot": (lambda rows: np.dot(z(rows), [1.0, -1.0]), [[-1.5, [[0, 1.0], [1, -1.0]]]]),
            "joined": (
                lambda rows: np.concatenate([z(rows), [7.0]]),
                [[2.5, [[0, 1.0]]], [4.0, [[1, 1.0]]], [7.0, []]],
            ),
            "stacked": (lambda rows: np.stack([z(rows)[0], z(rows)[1]]), [[2.5, [[0, 1.0]]], [4.0, [[3, 1.0]]]]),
            "shape": (lambda rows: z(rows).reshape(2, 1).T[0, ::-1], [[4.0, [[1, 1.0]]], [2.5, [[0, 1.0]]]]),
            "where": (lambda rows: np.where([True, False], z(rows), 0.0), [[2.5, [[0, 1.0]]], [0.0, []]]),
            "cumsum": (lambda rows: np.cumsum(z(rows)), [[2.5, [[0, 1.0]]], [6.5, [[0, 1.0], [1, 1.0]]]]),
            "scaled": (lambda rows: 1 - z(rows) / 2, [[-0.25, [[0, -0.5]]], [-1.0, [[1, -0.5]]]]),
            "twice": (
                lambda rows: (lambda w: np.concatenate([w, w]).sum())(z(rows)),
                [[13.0, [[0, 2.0], [1, 2.0]]]],
            ),
            "column": (lambda rows: z(rows)[:, None], [[2.5, [[0, 1.0]]], [4.0, [[1, 1.0]]]]),
            "float": (lambda rows: np.float64(2) * z(rows)[0], [[5.0, [[0, 2.0]]]]),
        }
        for name, (program, forms) in programs.items():
            with self.subTest(name):
                self.one_read(program, forms)

    def test_places_of_reads_in_arrays(self):
        def f(rows):
            w = np.zeros(2)
            for index in range(2):
                w[index] = sum(rows) + laplace()
            return w

        recorded = Recorded(f, ROWS)
        self.assertEqual(recorded.forms(), [[2.5, [[0, 1.0]]], [2.5, [[1, 1.0]]]])
        self.assertEqual(recorded.first["reads"][1]["at"], line_of(f, "w[index]"))

    def test_a_noisy_value_that_is_used_with_each_row_is_read_itself(self):
        def f(rows):
            w = (sum(rows) + laplace()) / len(rows)
            return np.exp(np.array(rows) * w).max()

        recorded = Recorded(f, ROWS, NEIGHBOUR)
        self.assertEqual([recorded.last["ended"], recorded.forms(1)], ["output", [[1.75 / 3, [[0, 1 / 3]]]]])
        read = recorded.first["reads"][0]
        self.assertEqual([read["at"], read["made"]], [line_of(f, "np.exp"), line_of(f, "len(rows)")])
        # Noise alone tells nothing: it becomes that of each row.
        self.one_read(lambda rows: np.array(rows[:2]) + laplace(), [[0.25, [[0, 1.0]]], [0.5, [[0, 1.0]]]])

    def test_in_place(self):
        def plain(rows):
            x = np.array([sum(rows), 1.0])
            x += np.random.laplace(size=2)
            assert type(x) is np.ndarray
            return x

        self.one_read(plain, [[2.5, [[0, 1.0]]], [1.0, [[1, 1.0]]]])

        def traced(rows):
            z = np.random.laplace(size=2)
            z += sum(rows)
            z[1] = 3
            z[:1] *= 2
            return z

        self.one_read(traced, [[5.0, [[0, 2.0]]], [3.0, []]])

    def test_a_list_of_numbers_becomes_an_array_by_one_read(self):
        def f(rows):
            z, w = sum(rows) + laplace(), len(rows) + laplace()
            x = np.array([[z, w], [1, 2]])
            assert type(x) is np.ndarray and x.dtype == float
            return x

        self.one_read(f, [[2.5, [[0, 1.0]]], [4.0, [[1, 1.0]]]])

        def twice(rows):
            z = sum(rows) + laplace()
            return [np.asarray(z), np.array([z, z]), float(z)]

        self.one_read(twice, [[2.5, [[0, 1.0]]]], seed=2)

    def test_traced_arrays_pass_for_arrays(self):
        def f(rows):
            z = vector(rows)
            assert isinstance(z, np.ndarray) and z.dtype == float and z.shape == (2,) and z.size == 2 and len(z) == 2
            assert np.isfinite(z).all() and np.shape(z) == (2,) and np.zeros_like(z).shape == (2,)
            assert np.isscalar(z[0]) and isinstance(z[0], float)
            return copy.deepcopy(z).tolist()

        recorded = Recorded(f, ROWS)
        self.assertEqual([read["shape"] for read in recorded.first["reads"]], [[], []])

    def test_what_is_not_linear_reads_the_array(self):
        for name, read in {
            "norm": np.linalg.norm,
            "round": np.round,
            "clip": lambda z: np.clip(z, 0, 1),
            "maximum": lambda z: np.maximum(z, 0),
            "unique": np.unique,
            "array": np.asarray,
            "json": lambda z: json.dumps(z.tolist()[0]),
            "text": lambda z: f"{z[0]:.2f}",
            "astype": lambda z: z.astype(int),
            "any": lambda z: bool(np.any(z)),
            "method": lambda z: z.std(),
        }.items():
            with self.subTest(name):
                recorded = Recorded(lambda rows: read(vector(rows)), ROWS, NEIGHBOUR)
                self.assertEqual(recorded.kinds(), ["value"])
                self.assertEqual(recorded.outputs[0], recorded.outputs[1])

    def test_orders(self):
        noisy = lambda rows: counts(rows) + own.laplace(scale=2.0, size=3)  # noqa: E731
        forms = [[1.0, [[0, 2.0]]], [1.0, [[1, 2.0]]], [2.0, [[2, 2.0]]]]
        self.one_read(lambda rows: int(np.argmax(noisy(rows))), forms, "largest")
        self.one_read(lambda rows: int(noisy(rows).argmin()), forms, "smallest")
        self.one_read(lambda rows: noisy(rows) > 1.5, [[form[0] - 1.5, form[1]] for form in forms], "sign")
        self.one_read(lambda rows: noisy(rows) <= [1, 1, 2], [[0.0, form[1]] for form in forms], "sign")

        recorded = Recorded(lambda rows: np.max(noisy(rows)), ROWS, NEIGHBOUR)
        self.assertEqual(recorded.kinds(), ["largest", "value"])
        self.assertEqual(recorded.forms()[3], forms[recorded.first["reads"][0]["value"]])

    def test_equality(self):
        def f(rows):
            z = np.array(rows[:2]) + laplace(size=2)
            assert not (z == 0.5).any() and (z != [1, 2]).all() and (z == z).all() and np.array_equal(z, z)
            return z

        self.one_read(f, [[0.25, [[0, 1.0]]], [0.5, [[1, 1.0]]]])
        self.assertEqual(Recorded(lambda rows: own.geometric(0.5, size=2) == 1, ROWS).kinds(), ["value"])

    def test_a_sorted_array_reads_its_order(self):
        recorded = Recorded(lambda rows: np.sort(counts(rows) + laplace(size=3)), ROWS, NEIGHBOUR)
        order, values = recorded.first["reads"]
        self.assertEqual([order["kind"], order["shape"], order["value"]], ["sign", [2], [True, True]])
        numbers = values["value"]
        self.assertEqual(numbers, sorted(numbers))
        # Each difference has the noise of two neighbours in the order.
        self.assertEqual([sorted(c for _, c in form[1]) for form in order["forms"]], [[-1.0, 1.0]] * 2)
        self.assertEqual(recorded.outputs[0], recorded.outputs[1])

    def test_derived_noise_in_arrays(self):
        def f(rows):
            u = np.random.uniform(-0.5, 0.5, 2)
            return np.array([sum(rows), len(rows)]) - 3.0 * np.sign(u) * np.log(1 - 2 * np.abs(u))

        recorded = Recorded(f, ROWS, NEIGHBOUR)
        self.assertEqual(recorded.kinds(), ["value"])
        self.assertEqual([form[0] for form in recorded.forms()], [2.5, 4.0])
        self.assertEqual([c for form in recorded.forms() for _, c in form[1]], [-3.0, -3.0])
        self.assertEqual(Recorded(f, ROWS, meet=True).kinds(), ["value"])

    def test_a_place_can_be_told_to_read(self):
        def f(rows):
            noisy = np.array([sum(rows), 1.0]) + np.random.normal(size=2)
            return np.exp(noisy)

        self.one_read(f, [[2.5, [[0, 1.0]]], [1.0, [[1, 1.0]]]], asReads=[line_of(f, "np.exp")])

    def test_meetings(self):
        def sgd(rows):
            x, w = np.array(rows), np.zeros(2)
            for _ in range(2):
                r = x - w[0]
                g = np.c_[r, r * w[1] + 1]
                w = w + 0.1 * (g.sum(0) + np.random.normal(0, 4.0, size=2))
            return w

        recorded = Recorded(sgd, ROWS, NEIGHBOUR, meet=True)
        self.assertEqual(recorded.kinds(), ["value", "value"])
        self.assertEqual(recorded.outputs[0], recorded.outputs[1])
        self.assertEqual([terms for _, terms in recorded.forms()], [[[index, 4.0]] for index in range(4)])
        for loc in (0, 0.0):
            self.assertEqual(
                Recorded(lambda rows: sum(rows) + laplace(loc, 1), ROWS, meet=True).forms(), [[2.5, [[0, 1.0]]]]
            )
        self.assertEqual(Recorded(lambda rows: laplace(sum(rows), 1) / 2, ROWS, meet=True).forms(), [[2.5, [[0, 1.0]]]])
        moved = Recorded(lambda rows: laplace(np.array(rows), 1) / 2, ROWS, meet=True)
        self.assertEqual([moved.kinds(), moved.forms()[3]], [["value"], [0.75, [[3, 1.0]]]])


if __name__ == "__main__":
    unittest.main()
