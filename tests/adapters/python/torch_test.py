"""torch: what it draws is followed as far as its functions are hooked, and everything is seeded."""

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


def unseen(rows):
    # Dropout draws inside of torch.
    kept = torch.nn.functional.dropout(torch.ones(8), 0.5)
    return [float(kept.sum()), len(rows) + random.gauss(0, 1)]


class Torch(unittest.TestCase):
    def is_read(self, f, forms, **options):
        recorded = Recorded(f, ROWS, NEIGHBOUR, **options)
        self.assertEqual([run["ended"] for run in recorded.runs], ["output", "output"])
        self.assertNotIn("notFollowed", recorded.first)
        self.assertEqual(recorded.forms(1), forms)
        return recorded

    def test_what_torch_draws_keeps_its_form(self):
        total = lambda rows: torch.tensor([sum(rows), 1.0])  # noqa: E731
        moved = [[1.75, [[0, 2.0]]], [1.0, [[1, 2.0]]]]

        def in_place(rows):
            g = total(rows)
            g += torch.randn(2) * 2
            return g.tolist()

        for name, f in {
            "randn": lambda rows: (total(rows) + 2 * torch.randn(2)).tolist(),
            "normal": lambda rows: torch.normal(0, 2.0, size=(2,)) + total(rows),
            "of a tensor": lambda rows: torch.normal(total(rows), torch.tensor([2.0, 2.0])),
            "normal_": lambda rows: torch.empty(2).normal_(0, 2).add(total(rows)),
            "alpha": lambda rows: total(rows).add_(torch.randn_like(total(rows)), alpha=2),
            "in place": in_place,
            "Normal": lambda rows: torch.distributions.Normal(total(rows), 2.0).sample().numpy(),
            "Laplace": lambda rows: torch.distributions.Laplace(total(rows), 2.0).sample(),
            "generator": lambda rows: total(rows) + torch.randn(2, generator=own) * 2,
            "shapes": lambda rows: torch.stack([total(rows), torch.randn(2) * 2]).sum(0).reshape(2, 1).t()[0],
        }.items():
            with self.subTest(name):
                recorded = self.is_read(f, moved)
                self.assertEqual(recorded.outputs[0], recorded.outputs[1])
                self.assertEqual(set(recorded.laws()), {"laplace" if name == "Laplace" else "normal"})

    def test_reads_of_tensors(self):
        noisy = lambda rows: len(rows) + torch.randn(2)  # noqa: E731
        for name, read in {
            "item": lambda z: z[0].item(),
            "float": lambda z: float(z[0]),
            "clamp": lambda z: z[:1].clamp(0, 1),
            "relu": lambda z: torch.relu(z[:1]),
            "numpy": lambda z: z[:1].numpy(),
        }.items():
            with self.subTest(name):
                recorded = self.is_read(lambda rows: read(noisy(rows)), [[3.0, [[0, 1.0]]]])
                self.assertEqual(recorded.outputs[0], recorded.outputs[1])
        self.assertEqual(Recorded(lambda rows: int(torch.argmax(noisy(rows))), ROWS).kinds(), ["largest"])
        self.assertEqual(Recorded(lambda rows: bool(noisy(rows)[0] > 3), ROWS).kinds(), ["sign"])
        permuted = Recorded(lambda rows: torch.randperm(3), ROWS, NEIGHBOUR)
        self.assertEqual([permuted.kinds(), permuted.first["reads"][0]["permutation"]], [["draw"], 3])

    def test_steps_of_gradient_descent(self):
        def descent(rows):
            torch.manual_seed(0)
            w = torch.nn.Parameter(torch.zeros(1))
            optimizer = torch.optim.SGD([w], lr=0.1)
            for _ in range(2):
                optimizer.zero_grad()
                per_row = [torch.autograd.grad(((w - row) ** 2).sum(), w)[0].clamp(-1, 1) for row in rows]
                w.grad = torch.stack(per_row).sum(0) + torch.normal(0.0, 4.0, size=(1,))
                optimizer.step()
            return w.tolist()

        for meet in (False, True):
            recorded = Recorded(descent, ROWS, NEIGHBOUR, meet=meet)
            self.assertEqual([run["ended"] for run in recorded.runs], ["output", "output"])
            self.assertEqual(recorded.outputs[0], recorded.outputs[1])
            self.assertNotIn("notFollowed", recorded.first)
            self.assertEqual(recorded.kinds(), ["value", "value"])

    def test_what_is_drawn_inside_of_torch_is_not_followed(self):
        recorded = Recorded(unseen, ROWS, NEIGHBOUR)
        self.assertEqual(recorded.outputs[0], recorded.outputs[1])
        self.assertEqual(recorded.first["notFollowed"], ["the noise of torch"])
        self.assertEqual(recorded.forms(), [[4.0, [[0, 1.0]]]])
        self.assertNotIn("notFollowed", Recorded(lambda rows: random.gauss(0, 1), ROWS).first)

    def test_noise_of_numpy_in_a_tensor(self):
        import numpy as np

        def f(rows):
            return (torch.tensor(rows[:2]) + torch.from_numpy(np.random.laplace(size=2))).tolist()

        recorded = self.is_read(f, [[0.25, [[0, 1.0]]], [0.5, [[1, 1.0]]]])
        self.assertEqual(recorded.outputs[0], recorded.outputs[1])

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
