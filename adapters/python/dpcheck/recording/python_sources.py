"""The generators of `random` and `secrets`, and the bytes of `os.urandom`, as a recording hands them out."""

import os
import random
import secrets
from functools import wraps

from . import draws
from .current import active, current, seeded
from .tape import OriginalRandom

OriginalSystemRandom = random.SystemRandom
original_urandom = os.urandom
# For a traced generator that a program keeps after the recording: then it is an ordinary one.
_afterwards = OriginalSystemRandom()


def plain_source():
    return current.tape.plain_random() if current.tape is not None else _afterwards


def followed(method):
    """A method that draws on the tape; where none is written, the ordinary one."""
    name = method.__name__

    @wraps(method)
    def call(self, *args, **kwargs):
        tape = active()
        if tape is None:
            return getattr(plain_source(), name)(*args, **kwargs)
        return method(self, tape, *args, **kwargs)

    return call


def of_other_law(name):
    """A method whose law has no name in a recording but its own."""

    def call(self, *args, **kwargs):
        tape = active()
        if tape is None:
            return getattr(plain_source(), name)(*args, **kwargs)
        args = [draws.plain(value) for value in args]
        kwargs = {key: draws.plain(value) for key, value in kwargs.items()}
        z = getattr(tape.plain_random(), name)(*args, **kwargs)
        return draws.derived_noise(tape, name, [*args, *kwargs.values()], z)

    call.__name__ = name
    return call


class ClassOfGenerators(type):
    """Generators from before the hooks are instances too: programs ask isinstance(x, random.Random)."""

    def __instancecheck__(cls, instance):
        return isinstance(instance, cls.__bases__[-1]) or type.__instancecheck__(cls, instance)


class OneForAll:
    """A source that stands for all of its kind: a copy of it is itself."""

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return type(self), ()


class FollowedRandom(OneForAll):
    """The methods of random.Random."""

    def __init__(self, x=None):
        seeded(x)

    def seed(self, a=None, *_, **__):
        """A program's own seed: the noise of a recording is that of the recording's seed."""
        seeded(a)

    @followed
    def random(self, tape):
        return draws.noise(tape, "uniform", 0.0, 1.0)

    @followed
    def uniform(self, tape, a, b):
        a, width = draws.plain(a), b - a
        return (
            draws.noise(tape, "uniform", a, 1.0) if width == 1 else a + draws.noise(tape, "uniform", 0.0, 1.0) * width
        )

    @followed
    def gauss(self, tape, mu=0.0, sigma=1.0):
        return draws.noise(tape, "normal", mu, abs(sigma))

    @followed
    def normalvariate(self, tape, mu=0.0, sigma=1.0):
        return draws.noise(tape, "normal", mu, abs(sigma))

    @followed
    def expovariate(self, tape, lambd=1.0):
        # random.expovariate takes negative rates too.
        scale = 1.0 / draws.plain(lambd)
        z = draws.noise(tape, "exponential", 0.0, abs(scale))
        return z if scale > 0 else -z

    @followed
    def lognormvariate(self, tape, mu, sigma):
        from .functions import derive
        from .traced_number import number

        return number(derive("exp", (draws.noise(tape, "normal", mu, sigma).form,)))

    @followed
    def gammavariate(self, tape, alpha, beta):
        z = tape.plain_random().gammavariate(draws.plain(alpha), 1.0)
        return draws.derived_noise(tape, "gamma", [draws.plain(alpha)], z) * beta

    betavariate = of_other_law("betavariate")
    triangular = of_other_law("triangular")
    vonmisesvariate = of_other_law("vonmisesvariate")
    paretovariate = of_other_law("paretovariate")
    weibullvariate = of_other_law("weibullvariate")

    @followed
    def binomialvariate(self, tape, n=1, p=0.5):
        return draws.binomial(tape, n, p)

    @followed
    def choice(self, tape, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[draws.uniform_choice(tape, len(seq))]

    @followed
    def choices(self, tape, population, weights=None, *, cum_weights=None, k=1):
        if cum_weights is not None:
            weights = [after - before for before, after in zip([0, *cum_weights], cum_weights)]
        if weights is None:
            drawn = (
                [draws.uniform_choice(tape, len(population))]
                if k == 1
                else draws.uniform_choices(tape, len(population), k)
            )
        else:
            chances = draws.chances_of(weights)
            if len(chances) != len(population):
                raise ValueError("The number of weights does not match the population")
            drawn = [draws.choice(tape, chances)] if k == 1 else draws.choices(tape, chances, k)
        return [population[index] for index in drawn]

    @followed
    def sample(self, tape, population, k, *, counts=None):
        if counts is not None:
            population = [item for item, count in zip(population, counts) for _ in range(count)]
        if not 0 <= k <= len(population):
            raise ValueError("Sample larger than population or is negative")
        return [population[index] for index in draws.subset(tape, len(population), k)]

    @followed
    def shuffle(self, tape, x):
        x[:] = [x[index] for index in draws.permutation(tape, len(x))]

    @followed
    def randrange(self, tape, start, stop=None, step=1):
        values = range(start) if stop is None else range(start, stop, step)
        if not len(values):
            raise ValueError("empty range for randrange()")
        return values[draws.uniform_choice(tape, len(values))]

    @followed
    def randint(self, tape, a, b):
        if b < a:
            raise ValueError("empty range for randrange()")
        return a + draws.uniform_choice(tape, b - a + 1)

    @followed
    def getrandbits(self, tape, k):
        return draws.bits(tape, k)

    @followed
    def randbytes(self, tape, n):
        return draws.bits(tape, 8 * n).to_bytes(n, "little")


class TracedRandom(FollowedRandom, OriginalRandom, metaclass=ClassOfGenerators):
    def __new__(cls, *_, **__):
        # With a seed, C code has not to ask the system for 2,500 bytes.
        return OriginalRandom.__new__(cls, 0)


class TracedSystemRandom(FollowedRandom, OriginalSystemRandom, metaclass=ClassOfGenerators):
    def __new__(cls, *_, **__):
        return OriginalSystemRandom.__new__(cls, 0)


GLOBAL = TracedRandom()
SYSTEM = TracedSystemRandom()


def traced_urandom(size):
    tape = active()
    if tape is not None:
        return draws.bits(tape, 8 * size).to_bytes(size, "little")
    return current.tape.plain_random().randbytes(size) if current.tape is not None else original_urandom(size)


METHODS = ("method", "builtin_function_or_method", "cython_function_or_method")


def owner_of(value):
    """The object that a bound method belongs to. Other objects are not asked: some load a module when they are."""
    return getattr(value, "__self__", None) if type(value).__name__ in METHODS else None


def hooks():
    """(object, name, replacement) for everything in `random`, `secrets` and `os`."""
    names = [name for name in dir(FollowedRandom) if not name.startswith("_") and hasattr(random, name)]
    table = [(random, name, getattr(GLOBAL, name)) for name in names]
    table += [(random, "Random", TracedRandom), (random, "SystemRandom", TracedSystemRandom)]
    table += [
        (secrets, "SystemRandom", TracedSystemRandom),
        (secrets, "_sysrand", SYSTEM),
        (secrets, "choice", SYSTEM.choice),
        (secrets, "randbits", SYSTEM.getrandbits),
        (secrets, "randbelow", SYSTEM.randrange),
        (os, "urandom", traced_urandom),
    ]
    return [entry for entry in table if hasattr(entry[0], entry[1])]


def replacement_among(traced, value):
    """The traced source, or its method, for a generator of one of these types that was made before the hooks."""
    source = traced.get(type(value))
    if source is not None:
        return source
    source = traced.get(type(owner_of(value)))
    return None if source is None else getattr(source, getattr(value, "__name__", ""), None)


TRACED = {OriginalRandom: GLOBAL, OriginalSystemRandom: SYSTEM}


def replacement(value):
    return replacement_among(TRACED, value)
