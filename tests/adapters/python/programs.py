"""Programs that tests record, with sources of noise under names of their own."""

import functools
import math
import random
from math import log
from random import expovariate, random as uniform

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
