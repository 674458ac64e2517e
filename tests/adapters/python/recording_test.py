"""What a recording sees of programs that use Python alone."""

import decimal
import json
import math
import numbers
import os
import random
import secrets
import unittest
from os import urandom
from secrets import token_hex

from asked import Recorded, line_of
from programs import NEIGHBOUR, ROWS, inverse, own, system, total


class Numbers(unittest.TestCase):
    def test_a_sum_keeps_its_linear_form_and_is_read_once(self):
        recorded = Recorded(total, ROWS, NEIGHBOUR)
        self.assertEqual(recorded.kinds(), ["value"])
        self.assertEqual(recorded.forms(), [[2.5, [[0, 0.5], [1, -1.0]]]])
        self.assertEqual(recorded.forms(1), [[1.75, [[0, 0.5], [1, -1.0]]]])
        self.assertEqual(recorded.laws(), ["exponential", "exponential"])
        self.assertEqual(recorded.outputs[0], recorded.outputs[1])
        self.assertEqual(recorded.first["reads"][0]["value"], [recorded.outputs[0]])
        self.assertEqual([run["ended"] for run in recorded.runs], ["output", "output"])

    def test_places_are_lines_of_the_program(self):
        recorded = Recorded(total, ROWS)
        place = line_of(total, "expovariate(2)")
        self.assertEqual([atom["at"] for atom in recorded.first["atoms"]], [place, place])
        self.assertEqual(recorded.first["reads"][0]["at"], place)

    def test_a_traced_number_passes_for_a_float(self):
        def f(rows):
            z = sum(rows) + random.gauss(0, 1)
            assert isinstance(z, float) and isinstance(z, numbers.Real) and not isinstance(z, int)
            assert math.isfinite(z) and not math.isnan(z) and not math.isinf(z)
            return (z * 2 - z / 4 + 0.5 + -z) * 0.5

        recorded = Recorded(f, ROWS)
        self.assertEqual(recorded.forms(), [[(2.5 * 0.75 + 0.5) / 2, [[0, 0.375]]]])

    def test_whatever_is_not_linear_reads(self):
        reads = {
            "float": lambda z: float(z),
            "text": lambda z: f"{z:.3f} {z}",
            "format": lambda z: "%.2f" % z,
            "json": lambda z: json.dumps({"a": [z, 1]}),
            "rounding": lambda z: round(z, 2),
            "remainder": lambda z: z % 1,
            "set": lambda z: len({z, z}),
            "ratio": lambda z: z.as_integer_ratio(),
            "C": lambda z: math.erf(z),
        }
        for name, read in reads.items():
            with self.subTest(name):
                recorded = Recorded(lambda rows: read(sum(rows) + random.gauss(0, 1)), ROWS, NEIGHBOUR)
                self.assertEqual(recorded.kinds(), ["value"])
                self.assertEqual(recorded.forms(), [[2.5, [[0, 1.0]]]])
                self.assertEqual(recorded.outputs[0], recorded.outputs[1])

    # Mutant: a product with noise of scale 0 that is another function of noise.
    def test_a_scale_of_0_is_a_coefficient_as_others_are(self):
        def f(rows):
            u = random.random() - 0.5
            return -sum(rows) * math.copysign(1.0, u) * math.log(1 - 2 * abs(u))

        recorded = Recorded(f, [0, 0], [1, 2])
        own, other = recorded.runs
        self.assertEqual(own["atoms"], other["atoms"])
        ((_, [[atom, _]]),), ((_, [[same, scale]]),) = recorded.forms(), recorded.forms(1)
        self.assertEqual((atom, abs(scale)), (same, 3.0))

    def test_rounding_is_a_function_of_noise_until_its_arguments_differ(self):
        for name, rounded in {"trunc": int, "floor": math.floor, "ceil": math.ceil, "rint": round}.items():
            with self.subTest(name):
                # The bound line is what `asReads` names.
                f = lambda rows: len(rows) + rounded(sum(rows) + random.gauss(0, 1))  # noqa: E731
                recorded = Recorded(f, ROWS, NEIGHBOUR)
                atom = recorded.first["atoms"][1]
                self.assertEqual((atom["law"], atom["function"]), ("derived", name))
                self.assertEqual(atom["of"], [[2.5, [[0, 1.0]]]])
                (read,) = Recorded(f, ROWS, NEIGHBOUR, asReads=[atom["at"]]).first["reads"]
                self.assertEqual(read["forms"], [[2.5, [[0, 1.0]]]])

    def test_reads_inside_the_program_say_whether_noise_stands_alone(self):
        def f(rows):
            alone = float(random.gauss(0, 1))
            noisy = float(len(rows) + random.gauss(0, 1))
            return alone + noisy + random.gauss(0, 1)

        reads = Recorded(f, ROWS).first["reads"]
        self.assertEqual([read.get("inside") for read in reads], ["noise alone", "noisy", None])

    def test_shifted_reads_show_what_becomes_of_noise(self):
        def f(rows):
            return len(rows) + 2 * int(round(random.gauss(0, 3)))

        order = {"order": [0, 0, 1, 1], "shifts": [{}, {"0": [1]}, {}, {"0": [1]}]}
        base, moved, other, other_moved = Recorded(f, ROWS, NEIGHBOUR, **order).outputs
        self.assertEqual([moved - base, other_moved - other, base - other], [2, 2, len(ROWS) - len(NEIGHBOUR)])

    def test_decimals_take_noise(self):
        recorded = Recorded(lambda rows: float(decimal.Decimal(len(rows)) + decimal.Decimal(random.gauss(0, 1))), ROWS)
        self.assertEqual(recorded.kinds(), ["value"])
        self.assertNotIn("failed", recorded.first)

    def test_comparisons_read_an_order_alone(self):
        recorded = Recorded(lambda rows: max(-5.0, min(8.0, sum(rows) + random.gauss(0, 1))), ROWS, NEIGHBOUR)
        self.assertEqual(recorded.kinds(), ["sign", "sign", "value"])
        self.assertEqual(recorded.first["reads"][0]["forms"], [[5.5, [[0, -1.0]]]])
        self.assertEqual(recorded.last["reads"][0]["forms"], [[6.25, [[0, -1.0]]]])

        def larger(rows):
            z = len(rows) + random.gauss(0, 1)
            return [z > 4, z < 4, z >= 4, z <= 4, 4 < z]

        over, under, *_ = Recorded(larger, ROWS).outputs[0]
        self.assertEqual(Recorded(larger, ROWS).outputs[0], [over, under, over, under, over])
        self.assertNotEqual(over, under)

    def test_what_was_read_is_compared_as_the_number_that_it_was(self):
        def f(rows):
            z = sum(rows) + random.gauss(0, 1)
            text = str(z)
            return [text, z > float(text) - 0.5, sum(row < z for row in rows)]

        recorded = Recorded(f, ROWS, NEIGHBOUR)
        self.assertEqual(recorded.kinds(1), ["value"])
        self.assertEqual([output[1] for output in recorded.outputs], [True, True])

    def test_the_largest_of_some_counts(self):
        def noisy_max(rows):
            counts = [sum(row <= limit for row in rows) + random.gauss(0, 3) for limit in (0.3, 0.6, 0.9)]
            return max(range(3), key=lambda index: counts[index])

        recorded = Recorded(noisy_max, ROWS, NEIGHBOUR, seed=3)
        self.assertEqual(recorded.kinds(), ["sign", "sign"])
        self.assertEqual(recorded.outputs[0], recorded.outputs[1])

    def test_equality_with_continuous_noise_needs_no_read(self):
        def f(rows):
            z = sum(rows) + random.gauss(0, 1)
            labelled = max((len(rows) + random.gauss(0, 1), name) for name in "ab")[1]
            return [z == 3, z != 3, z == z, z in [1, 2], labelled]

        recorded = Recorded(f, ROWS, NEIGHBOUR)
        self.assertEqual(recorded.outputs[0][:4], [False, True, True, False])
        self.assertEqual(recorded.kinds(), ["sign"])

        def known(rows):
            z = random.gauss(0, 1)
            return float(z) == z and z == float(z) and not z != float(z)

        self.assertEqual(Recorded(known, ROWS).outputs[0], True)
        self.assertEqual(Recorded(lambda rows: math.copysign(1, random.random() - 0.5) == 1, ROWS).kinds(), ["value"])

    def test_a_scale_of_zero_stays_in_the_form(self):
        recorded = Recorded(
            lambda rows: sum(rows) + (max(rows) - min(rows)) * random.gauss(0, 1), [1.0, 1.0], [1.0, 0.5]
        )
        self.assertEqual(recorded.forms(), [[2.0, [[0, 0.0]]]])
        self.assertEqual(recorded.forms(1), [[1.5, [[0, 0.5]]]])

    def test_values_that_are_no_numbers(self):
        recorded = Recorded(lambda rows: sum(rows) + random.gauss(0, 1), [float("nan")], [1.0])
        self.assertTrue(math.isnan(recorded.forms()[0][0]))
        self.assertEqual(recorded.forms(1)[0][0], 1.0)

        def never(rows):
            z = sum(rows) + random.gauss(0, 1)
            return [z > 0, z < 0, z >= 0, z <= 0]

        self.assertEqual(Recorded(never, [float("nan")]).outputs[0], [False] * 4)


class Functions(unittest.TestCase):
    def test_functions_of_noise_alone_are_noise(self):
        recorded = Recorded(inverse, ROWS, NEIGHBOUR)
        self.assertEqual(recorded.kinds(), ["value"])
        functions = [atom.get("function") for atom in recorded.first["atoms"]]
        self.assertEqual(functions, [None, "copysign", "absolute", "log", "multiply"])
        self.assertEqual(recorded.first["atoms"][2]["of"], [[-0.5, [[0, 1.0]]]])
        self.assertEqual(recorded.first["atoms"][3]["of"], [[1.0, [[2, -2.0]]]])
        self.assertEqual(recorded.forms(1), [[1.75, [[4, -3.0]]]])

    def test_a_place_can_be_told_to_read(self):
        def f(rows):
            noisy = sum(rows) + random.gauss(0, 1)
            return math.exp(noisy)

        derived = Recorded(f, ROWS)
        self.assertEqual(derived.first["atoms"][1]["of"], [[2.5, [[0, 1.0]]]])
        read = Recorded(f, ROWS, NEIGHBOUR, asReads=[line_of(f, "math.exp")])
        self.assertEqual(read.laws(), ["normal"])
        self.assertEqual([read.forms(), read.forms(1)], [[[2.5, [[0, 1.0]]]], [[1.75, [[0, 1.0]]]]])
        self.assertEqual(read.outputs[0], read.outputs[1])

    def test_noise_by_box_and_muller(self):
        def f(rows):
            radius = math.sqrt(-2 * math.log(1 - random.random()))
            return sum(rows) + radius * math.cos(2 * math.pi * random.random())

        recorded = Recorded(f, ROWS, NEIGHBOUR)
        self.assertEqual(recorded.kinds(), ["value"])
        functions = [atom.get("function") for atom in recorded.first["atoms"] if atom["law"] == "derived"]
        self.assertEqual(functions, ["log", "sqrt", "cos", "multiply"])

    def test_a_noisy_divisor_is_read(self):
        recorded = Recorded(
            lambda rows: (sum(rows) + random.gauss(0, 1)) / (len(rows) + random.gauss(0, 1)), ROWS, NEIGHBOUR
        )
        self.assertEqual(recorded.kinds(), ["value", "value"])
        self.assertEqual([form[0] for form in recorded.forms(1)], [3.0, 1.75 / recorded.first["reads"][0]["value"][0]])

    def test_rounded_noise_is_a_whole_number(self):
        def f(rows):
            count = len(rows) + math.floor(math.log(1 - random.random()) / math.log(0.5))
            assert isinstance(count, int)
            return list(range(count + 60))[-1]

        recorded = Recorded(f, ROWS)
        self.assertEqual(recorded.first["atoms"][-1]["function"], "floor")
        self.assertEqual(recorded.forms(), [[64.0, [[2, 1.0]]]])
        self.assertIs(type(recorded.outputs[0]), int)


class Meeting(unittest.TestCase):
    def test_values_are_released_where_noise_meets_a_number(self):
        def f(rows):
            noisy = sum(rows) + random.gauss(0, 2)
            return noisy / len(rows)

        at_reads, at_meetings = Recorded(f, ROWS, NEIGHBOUR), Recorded(f, ROWS, NEIGHBOUR, meet=True)
        self.assertEqual(at_reads.forms(1), [[1.75 / 3, [[0, 2 / 3]]]])
        self.assertEqual(at_reads.outputs[0], at_reads.outputs[1])
        self.assertEqual([at_meetings.forms(), at_meetings.forms(1)], [[[2.5, [[0, 2.0]]]], [[1.75, [[0, 2.0]]]]])
        self.assertEqual(at_meetings.outputs[0] * 4, at_meetings.outputs[1] * 3)

    def test_adding_nothing_is_no_meeting_and_a_uniform_is_not_noise_yet(self):
        recorded = Recorded(lambda rows: sum(rows) + random.gauss(0, 1), ROWS, meet=True)
        self.assertEqual(recorded.forms(), [[2.5, [[0, 1.0]]]])
        self.assertEqual(Recorded(inverse, ROWS, meet=True).forms(), [[2.5, [[4, -3.0]]]])


class Draws(unittest.TestCase):
    def test_a_uniform_below_a_chance(self):
        def response(rows):
            return (rows[0] > 0.5) == (random.random() < 0.75)

        recorded = Recorded(response, [0.0], [1.0])
        self.assertEqual(recorded.kinds(), ["sign"])
        self.assertEqual(recorded.forms(), [[0.75, [[0, -1.0]]]])
        self.assertEqual(recorded.first["reads"][0]["value"], recorded.last["reads"][0]["value"])
        self.assertNotEqual(recorded.outputs[0], recorded.outputs[1])

    def test_choices_carry_their_chances(self):
        def f(rows):
            return random.choices("ab", weights=[len(rows), 1])[0] + random.choices("ab", cum_weights=[1, 4], k=2)[1]

        recorded = Recorded(f, ROWS, NEIGHBOUR)
        one, two = recorded.first["reads"]
        self.assertEqual([one["kind"], one["chances"], one["shape"]], ["draw", [0.8, 0.2], [2]])
        self.assertEqual([two["chances"], two["shape"], len(two["value"])], [[0.25, 0.75], [2, 2], 2])
        self.assertEqual(recorded.last["reads"][0]["chances"], [0.75, 0.25])
        self.assertEqual(recorded.outputs[0], recorded.outputs[1])

    def test_draws_of_whole_numbers(self):
        def f(rows):
            order = list(rows)
            random.shuffle(order)
            return [random.choice(rows), random.randrange(2, 8, 2), random.randint(1, 3), random.sample(rows, 2), order]

        recorded = Recorded(f, ROWS, [1.0, 2.0, 3.0, 4.0])
        told = [
            {key: read[key] for key in ("uniform", "subset", "permutation") if key in read}
            for read in recorded.first["reads"]
        ]
        self.assertEqual(told, [{"permutation": 4}, {"uniform": 4}, {"uniform": 3}, {"uniform": 3}, {"subset": [4, 2]}])
        self.assertEqual(sorted(recorded.outputs[0][4]), sorted(ROWS))
        self.assertEqual(recorded.first["reads"][0]["value"], recorded.last["reads"][0]["value"])

    def test_bits_are_values_of_a_uniform(self):
        def f(rows):
            return [random.getrandbits(9), secrets.randbits(9), secrets.token_bytes(3).hex(), os.urandom(2).hex(),
                    token_hex(2), urandom(2).hex(), system.getrandbits(300), own.randbytes(2).hex()]  # fmt: skip

        recorded = Recorded(f, ROWS, NEIGHBOUR)
        self.assertEqual(recorded.kinds(), ["value"] * 8)
        self.assertEqual(recorded.forms(), [[0.0, [[index, 1.0]]] for index in range(8)])
        self.assertEqual(set(recorded.laws()), {"uniform"})
        self.assertEqual(recorded.first["reads"][0]["value"], [recorded.outputs[0][0] / 512])
        self.assertEqual(recorded.outputs[0], recorded.outputs[1])

    def test_other_laws_have_the_name_of_their_function(self):
        recorded = Recorded(lambda rows: random.gammavariate(3, 2) + random.betavariate(1, 2) + len(rows), ROWS)
        told = [(atom["function"], atom["of"]) for atom in recorded.first["atoms"]]
        self.assertEqual(told, [("gamma", [3.0]), ("betavariate", [1.0, 2.0])])
        self.assertEqual(recorded.forms(), [[4.0, [[0, 2.0], [1, 1.0]]]])


if __name__ == "__main__":
    unittest.main()
