"""torch's generators: seeded with everything else, and said not to be followed."""

import random
import unittest

try:
    import torch
except ImportError:
    raise unittest.SkipTest("torch is not installed")

from asked import Recorded, asked
from programs import NEIGHBOUR, ROWS

own = torch.Generator()


def noisy(rows):
    noise = torch.distributions.Laplace(0.0, 1.0).sample() + torch.randn(1, generator=own)[0]
    return [float(noise), len(rows) + random.gauss(0, 1)]


class Torch(unittest.TestCase):
    def test_a_replay_has_the_same_noise_which_is_not_followed(self):
        recorded = Recorded(noisy, ROWS, NEIGHBOUR)
        self.assertEqual(recorded.outputs[0], recorded.outputs[1])
        self.assertEqual(recorded.first["notFollowed"], ["the noise of torch"])
        self.assertEqual(recorded.forms(), [[4.0, [[0, 1.0]]]])
        self.assertNotIn("notFollowed", Recorded(lambda rows: random.gauss(0, 1), ROWS).first)

    def test_noise_of_numpy_in_a_tensor(self):
        import numpy as np

        def f(rows):
            return (torch.tensor(rows[:2]) + torch.from_numpy(np.random.laplace(size=2))).tolist()

        recorded = Recorded(f, ROWS, NEIGHBOUR)
        self.assertEqual([recorded.kinds(), recorded.outputs[0]], [["value"], recorded.outputs[1]])
        self.assertEqual(recorded.first["notFollowed"], ["noise that became a tensor of torch"])

    def test_seeded_outputs(self):
        one = {"seed": 5, "order": [0, 0]}
        a, b, c, plain = asked(noisy, one, one, {"seed": 6, "order": [0]}, {"order": [0, 0]}, datasets=[ROWS])
        self.assertEqual(a["outputs"], b["outputs"])
        self.assertEqual(a["outputs"][0], a["outputs"][1])
        outputs = [a["outputs"][0], c["outputs"][0], *plain["outputs"]]
        self.assertEqual(len({output[0] for output in outputs}), 4)

    def test_the_generators_go_on_afterwards_as_if_nothing_had_been(self):
        torch.manual_seed(1)
        expected = [float(torch.rand(1)) for _ in range(2)]
        torch.manual_seed(1)
        f = lambda rows: float(torch.rand(1))  # noqa: E731
        requests = {"order": [0]}, {"seed": 5, "order": [0]}, {"record": True, "seed": 5, "order": [0]}, {"order": [0]}
        answers = asked(f, *requests, datasets=[ROWS])
        self.assertEqual([answers[0]["outputs"][0], answers[3]["outputs"][0]], expected)


if __name__ == "__main__":
    unittest.main()
