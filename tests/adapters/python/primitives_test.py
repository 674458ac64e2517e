"""Declared primitives in recordings."""

import random
import unittest

from asked import Recorded, asked
from dpcheck import primitive
from dpcheck.recording.primitives import perturbed_objective
from programs import NEIGHBOUR, ROWS


@primitive(value="data", sensitivity=0.5, epsilon="epsilon", delta=lambda arguments: arguments["epsilon"] / 1000)
def noisy(data, epsilon=1.0):
    return data + random.expovariate(epsilon) - random.expovariate(epsilon)


class Mechanism:
    scale = 2.0

    @primitive(value="counts", sensitivity="self.scale", distance="l2", rho=0.5, name="counts of Mechanism")
    def release(self, counts):
        return [count + random.gauss(0, self.scale) for count in counts]


class Primitives(unittest.TestCase):
    def test_a_declared_function_is_one_read_and_its_output_is_frozen(self):
        recorded = Recorded(lambda rows: noisy(sum(rows), 2.0) + len(rows), ROWS, NEIGHBOUR)
        self.assertEqual(recorded.kinds(), ["primitive"])
        self.assertEqual(recorded.first["atoms"], [])
        declared = {"name": "noisy", "sensitivity": 0.5, "distance": "l1", "epsilon": 2.0, "delta": 0.002, "given": 2.5}
        read = recorded.first["reads"][0]
        self.assertEqual({key: read[key] for key in declared}, declared)
        self.assertEqual(recorded.last["reads"][0]["given"], 1.75)
        self.assertEqual(recorded.outputs[0] - 4, recorded.outputs[1] - 3)

    def test_methods_and_lists(self):
        recorded = Recorded(lambda rows: Mechanism().release([len(rows), 1]), ROWS, NEIGHBOUR)
        read = recorded.first["reads"][0]
        self.assertEqual([read["given"], read["sensitivity"], read["rho"], read["shape"]], [[4, 1], 2.0, 0.5, [2]])
        self.assertEqual(read["name"], "counts of Mechanism")
        self.assertEqual(read["value"], recorded.outputs[1])

    def test_noise_given_to_a_primitive_is_read_first(self):
        recorded = Recorded(lambda rows: noisy(sum(rows) + random.gauss(0, 1)), ROWS)
        self.assertEqual(recorded.kinds(), ["value", "primitive"])

    def test_a_perturbed_objective_tells_the_density_of_its_least_point(self):
        try:
            import numpy as np
        except ImportError:
            self.skipTest("numpy is not installed")

        class Ridge:
            @perturbed_objective("ridge", scale=lambda mechanism: 2.0, rows=lambda mechanism: 1)
            def randomise(self, value):
                noise = np.random.normal(size=1)
                return lambda w, x: (value(w, x)[0] + w @ noise, value(w, x)[1] + noise)

        def f(rows):
            # The sum of x (w - 1)^2 + w^2: at 0 its gradient is -2 x, and its curvature 2 x + 2.
            value = lambda w, x: (x * (w[0] - 1) ** 2 + w[0] ** 2, np.array([2 * x * (w[0] - 1) + 2 * w[0]]))  # noqa: E731
            objective = Ridge().randomise(value)
            return -objective(np.zeros(1), sum(rows))[1][0] / (2 * sum(rows) + 2)

        recorded = Recorded(f, ROWS, NEIGHBOUR)
        densities = [run["reads"][0]["logDensity"] for run in recorded.runs]
        self.assertAlmostEqual(densities[0], np.log(2 * 2.5 + 2) - 2 * 2.5 / 2, places=6)
        self.assertAlmostEqual(densities[1], np.log(2 * 1.75 + 2) - 2 * 1.75 / 2, places=6)
        self.assertEqual([len(run["reads"]) for run in recorded.runs], [1, 1])

    def test_without_a_recording_the_function_is_as_before(self):
        self.assertNotEqual(noisy(1.0), noisy(1.0))
        answers = asked(lambda rows: noisy(sum(rows)), {"seed": 1, "order": [0, 0]}, {"order": [0]}, datasets=[ROWS])
        self.assertEqual(answers[0]["outputs"][0], answers[0]["outputs"][1])

    def test_wrong_declarations_are_refused(self):
        with self.assertRaisesRegex(ValueError, "value must name a parameter of f: current value is 'x'"):
            primitive(value="x", sensitivity=1)(lambda_named_f)
        with self.assertRaisesRegex(ValueError, "distance must be one of"):
            primitive(value="x", sensitivity=1, distance="l3")


def f(data):
    return data


lambda_named_f = f


if __name__ == "__main__":
    unittest.main()
