"""What a recording sees of programs that use Python alone."""

import decimal
import functools
import io
import json
import math
import numbers
import os
import random
import secrets
import struct
import unittest
from math import log
from os import urandom
from random import expovariate, random as uniform
from secrets import token_hex

from asked import Recorded, asked, line_of
from dpcheck import primitive
from dpcheck.serve import answer_lines

ROWS, NEIGHBOUR = [0.25, 0.5, 1.0, 0.75], [0.25, 0.5, 1.0]

own = random.Random()
system = random.SystemRandom()
shift = functools.partial(random.gauss, 0, 2)
kept = []


def total(rows):
    return sum(rows) + expovariate(2) - random.expovariate(1)


def inverse(rows):
    u = uniform() - 0.5
    return sum(rows) - 3 * math.copysign(1, u) * log(1 - 2 * abs(u))


class Holder:
    of_class = random.Random()

    def __init__(self):
        self.rng = random.Random(4)
        self.inside = {"rng": [random.SystemRandom()]}


holder = Holder()


def with_attribute(rows):
    return sum(rows) + with_attribute.rng.gauss(0, 1)


with_attribute.rng = random.Random()


def default_argument(rows, rng=random.Random(), *, draw=random.gauss):
    return sum(rows) + rng.gauss(0, 1) + draw(0, 1)


def of_closure():
    rng = random.Random(3)
    return lambda rows: sum(rows) + rng.gauss(0, 1)


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
            "whole": lambda z: int(z),
            "floor": lambda z: math.floor(z),
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
            return [random.getrandbits(7), secrets.randbits(9), secrets.token_bytes(3).hex(), os.urandom(2).hex(),
                    token_hex(2), urandom(2).hex(), system.getrandbits(300), own.randbytes(2).hex()]  # fmt: skip

        recorded = Recorded(f, ROWS, NEIGHBOUR)
        self.assertEqual(recorded.kinds(), ["value"] * 8)
        self.assertEqual(recorded.forms(), [[0.0, [[index, 1.0]]] for index in range(8)])
        self.assertEqual(set(recorded.laws()), {"uniform"})
        self.assertEqual(recorded.first["reads"][0]["value"], [recorded.outputs[0][0] / 128])
        self.assertEqual(recorded.outputs[0], recorded.outputs[1])

    def test_other_laws_have_the_name_of_their_function(self):
        recorded = Recorded(lambda rows: random.gammavariate(3, 2) + random.betavariate(1, 2) + len(rows), ROWS)
        told = [(atom["function"], atom["of"]) for atom in recorded.first["atoms"]]
        self.assertEqual(told, [("gamma", [3.0]), ("betavariate", [1.0, 2.0])])
        self.assertEqual(recorded.forms(), [[4.0, [[0, 2.0], [1, 1.0]]]])


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
        recorded = Recorded(lambda rows: str(decimal.Decimal(random.gauss(0, 1))), ROWS)
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
